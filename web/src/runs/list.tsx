/** …/runs of a workspace, and /<org>/runs of all that the caller may see. */
import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { included } from '../api/documents.ts';
import { useLive } from '../frame/live.tsx';
import { at, paths } from '../paths.ts';
import { runs as text } from '../texts/runs.ts';
import { workspaces } from '../texts/workspaces.ts';
import { Loaded, Skeleton } from '../ui/loaded.tsx';
import { Pager } from '../ui/pager.tsx';
import { Empty, PageHead } from '../ui/parts.tsx';
import { Time } from '../ui/time.tsx';
import { RunStatus, type StatusGroup, StatusSign } from '../workspaces/status.tsx';
import { useWorkspace } from '../workspaces/workspace.ts';
import { organizationRunsQuery, type Run, type RunList, type RunSearch, workspaceRunsQuery } from './runs.ts';

export function WorkspaceRunsScreen() {
  const { organization, name, query } = useWorkspace();
  const search = useSearch({ strict: false }) as RunSearch;
  const runs = useQuery(workspaceRunsQuery(query.data?.data.id ?? '', search));
  return (
    <div className="stack">
      <Runs
        query={runs}
        organization={organization}
        of={name}
        to={paths.workspaceRuns(organization, name)}
        search={search}
      />
    </div>
  );
}

export function OrganizationRunsScreen() {
  const { organization } = useParams({ strict: false }) as { organization: string };
  const search = useSearch({ strict: false }) as RunSearch;
  const runs = useQuery(organizationRunsQuery(organization, search));
  useLive(runs);
  return (
    <>
      <PageHead title={text.title} />
      <Runs
        query={runs}
        organization={organization}
        of={organization}
        to={paths.runs(organization)}
        search={search}
        showsWorkspace
      />
    </>
  );
}

const groups = ['attention', 'errored', 'running', 'hold', 'applied'] as const satisfies readonly StatusGroup[];

interface Props {
  query: UseQueryResult<RunList>;
  organization: string;
  of: string;
  to: string;
  search: RunSearch;
  showsWorkspace?: boolean;
}

function Runs({ query, organization, of, to, search, showsWorkspace = false }: Props) {
  const navigate = useNavigate();
  const go = (next: RunSearch) => void navigate({ ...at(to, next), replace: true });
  const find = useDebouncedCallback((q: string) => go({ ...search, q, page: 1 }), 200);
  return (
    <>
      <div className="line wrap bottom-space">
        <fieldset className="pills grow" aria-label={workspaces.runStatus}>
          <button
            type="button"
            className="pill"
            aria-pressed={!search.status}
            onClick={() => go({ ...(search.q && { q: search.q }) })}
          >
            {workspaces.groups.all}
          </button>
          {groups.map(group => (
            <button
              key={group}
              type="button"
              className="pill"
              data-group={group}
              aria-pressed={search.status === group}
              onClick={() => go({ ...search, status: group, page: 1 })}
            >
              <StatusSign group={group} />
              {workspaces.groups[group]}
            </button>
          ))}
        </fieldset>
        <TextInput
          aria-label={text.noMatch}
          placeholder="Find by message, id or commit"
          defaultValue={search.q ?? ''}
          onChange={event => find(event.currentTarget.value)}
        />
      </div>
      <Loaded query={query} skeleton={<Skeleton rows={8} />}>
        {list =>
          list.data.length === 0 ? (
            <Empty title={search.q || search.status ? text.noMatch : text.none}>
              <p>{text.noneDetail}</p>
            </Empty>
          ) : (
            <div className="card">
              <RunTable organization={organization} list={list} of={of} showsWorkspace={showsWorkspace} />
              {list.meta.pagination && (
                <Pager pagination={list.meta.pagination} onPage={page => go({ ...search, page })} />
              )}
            </div>
          )
        }
      </Loaded>
    </>
  );
}

function RunTable({
  organization,
  list,
  of,
  showsWorkspace,
}: {
  organization: string;
  list: RunList;
  of: string;
  showsWorkspace: boolean;
}) {
  const names = text.columns;
  return (
    <table className="table two-line">
      <caption className="hidden-text">{text.captionOf(of)}</caption>
      <thead>
        <tr>
          <th scope="col">{names.run}</th>
          {showsWorkspace && (
            <th scope="col" className="only-wide quarter">
              {names.workspace}
            </th>
          )}
          <th scope="col" className="quarter">
            {names.status}
          </th>
          <th scope="col" className="only-wide eighth">
            {names.who}
          </th>
          <th scope="col" className="only-wide eighth">
            {names.source}
          </th>
          <th scope="col" className="eighth">
            {names.created}
          </th>
        </tr>
      </thead>
      <tbody>
        {list.data.map(run => (
          <RunRow
            key={run.id}
            organization={organization}
            list={list}
            run={run}
            of={of}
            showsWorkspace={showsWorkspace}
          />
        ))}
      </tbody>
    </table>
  );
}

interface RowProps {
  organization: string;
  list: RunList;
  run: Run;
  of: string;
  showsWorkspace: boolean;
}

function RunRow({ organization, list, run, of, showsWorkspace }: RowProps) {
  const { attributes, relationships, id } = run;
  const workspace = included(list, relationships.workspace, 'workspaces')?.attributes.name ?? of;
  const who = included(list, relationships['created-by'], 'users')?.attributes.username;
  return (
    <tr>
      <td className="cut">
        <Link className="name" to={paths.run(organization, workspace, id)} title={id}>
          {attributes.message || id}
        </Link>
      </td>
      {showsWorkspace && (
        <td className="cut only-wide">
          <Link to={paths.workspace(organization, workspace)}>{workspace}</Link>
        </td>
      )}
      <td>
        <RunStatus run={run} />
      </td>
      <td className="cut muted only-wide">{who}</td>
      <td className="cut muted only-wide">{text.source[attributes.source] ?? attributes.source}</td>
      <td className="muted nowrap">
        <Time at={attributes['created-at']} />
      </td>
    </tr>
  );
}
