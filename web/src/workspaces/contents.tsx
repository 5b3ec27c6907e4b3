/** What the current state holds: resources and outputs. */
import { TextInput } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { answer, api } from '../api/client.ts';
import { number } from '../texts/common.ts';
import { workspace as text } from '../texts/workspace.ts';
import { Loaded, Skeleton } from '../ui/loaded.tsx';
import { Pager } from '../ui/pager.tsx';
import { Empty } from '../ui/parts.tsx';
import { Time } from '../ui/time.tsx';
import type { WorkspaceDocument } from './workspace.ts';

export function Contents({ document }: { document: WorkspaceDocument }) {
  const [tab, setTab] = useState<'resources' | 'outputs'>('resources');
  const [typed, setTyped] = useState('');
  const { id, attributes, relationships } = document.data;
  const hasState = (relationships['current-state-version'] as { data: unknown }).data !== null;
  if (!attributes.permissions['can-read-state-outputs'] && !attributes.permissions['can-read-state-versions'])
    return null;
  if (!hasState)
    return (
      <section className="card">
        <Empty title={text.noState}>
          <p>{text.noStateDetail}</p>
        </Empty>
      </section>
    );
  const choose = (name: 'resources' | 'outputs', label: string, count?: number) => (
    <button type="button" role="tab" aria-selected={tab === name} onClick={() => setTab(name)}>
      {label}
      {count !== undefined && <span className="count">{number(count)}</span>}
    </button>
  );
  return (
    <section className="card">
      <header className="tabbed">
        <div className="tabs grow" role="tablist">
          {choose('resources', text.resources, attributes['resource-count'])}
          {choose('outputs', text.outputs)}
        </div>
        {tab === 'resources' && (
          <TextInput
            aria-label={text.filterResources}
            placeholder={text.filterResources}
            value={typed}
            onChange={event => setTyped(event.currentTarget.value)}
          />
        )}
      </header>
      {tab === 'resources' ? <Resources id={id} filter={typed} /> : <Outputs id={id} />}
    </section>
  );
}

const pageSize = 100;

function Resources({ id, filter }: { id: string; filter: string }) {
  const [page, setPage] = useState(1);
  const query = useQuery({
    queryKey: ['workspaces', 'resources', id, page],
    placeholderData: keepPreviousData,
    queryFn: () =>
      answer(
        api.GET('/workspaces/{workspace_id}/resources', {
          params: { path: { workspace_id: id }, query: { 'page[number]': page, 'page[size]': pageSize } },
        }),
      ),
  });
  return (
    <Loaded query={query} skeleton={<Skeleton />}>
      {({ data, meta }) => {
        const wanted = filter.trim().toLowerCase();
        const rows = data.filter(({ attributes }) => attributes.address.toLowerCase().includes(wanted));
        if (data.length === 0) return <p className="card-body muted">{text.noResources}</p>;
        return (
          <>
            <table className="table">
              <caption className="hidden-text">{text.resources}</caption>
              <thead>
                <tr>
                  <th scope="col">{text.resource.address}</th>
                  <th scope="col" className="only-wide quarter">
                    {text.resource.provider}
                  </th>
                  <th scope="col" className="only-wide quarter">
                    {text.resource.module}
                  </th>
                  <th scope="col" className="only-wide eighth">
                    {text.resource.created}
                  </th>
                </tr>
              </thead>
              <tbody>
                {rows.map(({ id: key, attributes }) => (
                  <tr key={key}>
                    <td className="cut mono" title={attributes.address}>
                      {attributes.address}
                    </td>
                    <td className="muted cut only-wide">{attributes.provider}</td>
                    <td className="muted cut mono only-wide">{attributes.module}</td>
                    <td className="muted only-wide">
                      <Time at={attributes['created-at']} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
            {meta.pagination && meta.pagination['total-pages'] > 1 && (
              <Pager pagination={meta.pagination} onPage={setPage} />
            )}
          </>
        );
      }}
    </Loaded>
  );
}

function Outputs({ id }: { id: string }) {
  const query = useQuery({
    queryKey: ['workspaces', 'outputs', id],
    queryFn: () =>
      answer(
        api.GET('/workspaces/{workspace_id}/current-state-version-outputs', { params: { path: { workspace_id: id } } }),
      ),
  });
  return (
    <Loaded query={query} skeleton={<Skeleton />}>
      {({ data }) =>
        data.length === 0 ? (
          <p className="card-body muted">{text.noOutputs}</p>
        ) : (
          <table className="table">
            <caption className="hidden-text">{text.outputs}</caption>
            <thead>
              <tr>
                <th scope="col">{text.output.name}</th>
                <th scope="col" className="quarter">
                  {text.output.type}
                </th>
                <th scope="col">{text.output.value}</th>
              </tr>
            </thead>
            <tbody>
              {data.map(output => {
                const { name, type, value, sensitive } = output.attributes as Record<string, unknown>;
                return (
                  <tr key={output.id}>
                    <td className="cut mono">{String(name)}</td>
                    <td className="muted">{String(type)}</td>
                    <td className="cut mono">
                      {sensitive ? <span className="faint">{text.sensitive}</span> : JSON.stringify(value)}
                    </td>
                  </tr>
                );
              })}
            </tbody>
          </table>
        )
      }
    </Loaded>
  );
}
