/** …/states: every version, newest first; two of them can be compared. */
import { Button, Checkbox } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { included } from '../api/documents.ts';
import { at, paths } from '../paths.ts';
import { states as text } from '../texts/states.ts';
import { CodeBlock } from '../ui/copy.tsx';
import { Loaded, Skeleton } from '../ui/loaded.tsx';
import { Pager } from '../ui/pager.tsx';
import { Empty } from '../ui/parts.tsx';
import { Time } from '../ui/time.tsx';
import { useWorkspace } from '../workspaces/workspace.ts';
import { type StateList, type StateVersion, sizeOf, statesQuery } from './states.ts';

export function StatesScreen() {
  const { organization, name, query: workspace } = useWorkspace();
  const { page = 1 } = useSearch({ strict: false }) as { page?: number };
  const query = useQuery(statesQuery(organization, name, Number(page)));
  const [chosen, setChosen] = useState<StateVersion[]>([]);
  const navigate = useNavigate();
  const mayRead = workspace.data?.data.attributes.permissions['can-read-state-versions'] ?? true;
  if (!mayRead) return <Empty title={text.forbidden} />;
  const toggle = (version: StateVersion) =>
    setChosen(
      chosen.some(({ id }) => id === version.id)
        ? chosen.filter(({ id }) => id !== version.id)
        : [...chosen.slice(-1), version],
    );
  const compare = () => {
    const [from, to] = [...chosen].sort((one, other) => one.attributes.serial - other.attributes.serial);
    if (from && to) void navigate(at(paths.stateDifference(organization, name), { from: from.id, to: to.id }));
  };
  return (
    <Loaded query={query} skeleton={<Skeleton rows={10} />}>
      {list =>
        list.data.length === 0 ? (
          <Empty title={text.empty}>
            <p>{text.emptyDetail}</p>
            <CodeBlock text="terraform init -migrate-state" label="Command" />
          </Empty>
        ) : (
          <>
            <div className="count-line">
              <span className="grow">{text.compareHint}</span>
              <Button size="xs" variant="default" disabled={chosen.length !== 2} onClick={compare}>
                {text.compare}
              </Button>
            </div>
            <div className="card">
              <StateTable organization={organization} name={name} list={list} chosen={chosen} onToggle={toggle} />
              {list.meta.pagination && (list.meta.pagination['total-pages'] ?? 0) > 1 && (
                <Pager
                  pagination={list.meta.pagination}
                  onPage={to => void navigate(at(paths.states(organization, name), { page: to }))}
                />
              )}
            </div>
          </>
        )
      }
    </Loaded>
  );
}

interface TableProps {
  organization: string;
  name: string;
  list: StateList;
  chosen: StateVersion[];
  onToggle: (version: StateVersion) => void;
}

function StateTable({ organization, name, list, chosen, onToggle }: TableProps) {
  const names = text.columns;
  return (
    <table className="table two-line">
      <caption className="hidden-text">{text.caption(name)}</caption>
      <thead>
        <tr>
          <th scope="col" className="select-cell">
            <span className="hidden-text">{text.compare}</span>
          </th>
          <th scope="col">{names.serial}</th>
          <th scope="col" className="only-wide">
            {names.status}
          </th>
          <th scope="col">{names.created}</th>
          <th scope="col" className="only-wide">
            {names.who}
          </th>
          <th scope="col" className="only-wide">
            {names.run}
          </th>
          <th scope="col" className="eighth">
            {names.size}
          </th>
        </tr>
      </thead>
      <tbody>
        {list.data.map(version => {
          const { id, attributes, relationships } = version;
          const who = included(list, relationships['created-by'], 'users');
          const run = (relationships.run as { data?: { id: string } | null } | undefined)?.data;
          return (
            <tr key={id}>
              <td className="select-cell">
                <Checkbox
                  size="xs"
                  aria-label={`${text.compare} ${text.serial(attributes.serial)}`}
                  checked={chosen.some(other => other.id === id)}
                  onChange={() => onToggle(version)}
                />
              </td>
              <td className="cut">
                <Link className="name" to={paths.state(organization, name, id)}>
                  {text.serial(attributes.serial)}
                </Link>
              </td>
              <td className="muted only-wide">{text.status[attributes.status]}</td>
              <td className="muted">
                <Time at={attributes['created-at']} />
              </td>
              <td className="cut only-wide">{who?.attributes.username}</td>
              <td className="cut mono only-wide">
                {run && (
                  <Link className="link" to={paths.run(organization, name, run.id)}>
                    {run.id}
                  </Link>
                )}
              </td>
              <td className="muted nowrap">{sizeOf(attributes.size)}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
