/** …/runs of a workspace, and /<org>/runs of all that the caller may see. */
import { useQuery } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import { useLive } from '../frame/live.tsx';
import { runs as text } from '../texts/runs.ts';
import { workspaces } from '../texts/workspaces.ts';
import { FindField } from '../ui/find-field.tsx';
import { useListAddress } from '../ui/list-address.ts';
import type { Asked } from '../ui/loaded.tsx';
import { Rows } from '../ui/rows.tsx';
import { type StatusGroup, StatusSign } from '../workspaces/status.tsx';
import { useWorkspace } from '../workspaces/workspace.ts';
import { runColumns, runName, runPath } from './columns.tsx';
import { OrganizationRuns } from './layout.tsx';
import { organizationRunsQuery, type RunList, type RunSearch, workspaceRunsQuery } from './runs.ts';

export function WorkspaceRunsScreen() {
  const { organization, name, query } = useWorkspace();
  const search = useSearch({ strict: false }) as RunSearch;
  const runs = useQuery(workspaceRunsQuery(query.data?.data.id ?? '', search));
  return (
    <div className="stack">
      <Runs query={runs} organization={organization} of={name} workspace={name} />
    </div>
  );
}

export function OrganizationRunsScreen() {
  const { organization } = useParams({ strict: false }) as { organization: string };
  const search = useSearch({ strict: false }) as RunSearch;
  const runs = useQuery(organizationRunsQuery(organization, search));
  useLive(runs);
  return (
    <OrganizationRuns organization={organization}>
      <Runs query={runs} organization={organization} of={organization} />
    </OrganizationRuns>
  );
}

const groups = ['attention', 'errored', 'running', 'hold', 'applied'] as const satisfies readonly StatusGroup[];

interface Props {
  query: Asked<RunList> & { isPlaceholderData: boolean };
  organization: string;
  of: string;
  /** Where all are of one workspace, its name. */
  workspace?: string;
}

function Runs({ query, organization, of, workspace }: Props) {
  const address = useListAddress();
  return (
    <>
      <div className="line wrap bottom-space">
        <fieldset className="pills grow" aria-label={workspaces.runStatus}>
          <button
            type="button"
            className="pill"
            aria-pressed={!address.status}
            onClick={() => address.onStatus(undefined)}
          >
            {workspaces.groups.all}
          </button>
          {groups.map(group => (
            <button
              key={group}
              type="button"
              className="pill"
              data-group={group}
              aria-pressed={address.status === group}
              onClick={() => address.onStatus(group)}
            >
              <StatusSign group={group} />
              {workspaces.groups[group]}
            </button>
          ))}
        </fieldset>
        <FindField label={text.find} hint={text.findHint} address={address} />
      </div>
      <div className="card">
        <Rows
          caption={text.captionOf(of)}
          query={query}
          expected={8}
          none={{ title: text.none, detail: text.noneDetail, onShowAll: address.onShowAll }}
          columns={runColumns(organization, query.data, workspace)}
          nameOf={runName}
          href={run => runPath(organization, query.data, run, workspace)}
          onPage={address.onPage}
        />
      </div>
    </>
  );
}
