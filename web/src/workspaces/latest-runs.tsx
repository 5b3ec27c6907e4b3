/** The latest run, and the last one that was applied. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { included } from '../api/documents.ts';
import { paths } from '../paths.ts';
import { workspace as text } from '../texts/workspace.ts';
import { Loaded, Skeleton } from '../ui/loaded.tsx';
import { Avatar, Card } from '../ui/parts.tsx';
import { Time } from '../ui/time.tsx';
import { CommandLine } from './command-line.tsx';
import { lastRunsQuery } from './last-runs.ts';
import { PlanCounts } from './plan-counts.tsx';
import { RunStatus } from './status.tsx';
import type { Run, WorkspaceDocument } from './workspace.ts';

export function LatestRuns({ organization, document }: { organization: string; document: WorkspaceDocument }) {
  const { id, attributes } = document.data;
  const query = useQuery(lastRunsQuery(organization, id));
  const { name } = attributes;
  return (
    <Card
      title={text.latestRun}
      flush
      action={
        <Link className="link" to={paths.workspaceRuns(organization, name)}>
          {text.viewAllRuns}
        </Link>
      }
    >
      <Loaded query={query} skeleton={<Skeleton rows={2} />}>
        {runs => {
          const [latest] = runs.data;
          const applied = runs.data.find(run => run.attributes.status === 'applied');
          const shown = [...new Set([latest, applied])].filter(run => run !== undefined);
          if (shown.length === 0)
            return (
              <div className="card-body stack tight">
                <p className="strong">{text.noRun}</p>
                <p className="muted">{text.noRunDetail}</p>
                {isUnused(document) && <CommandLine organization={organization} name={name} />}
              </div>
            );
          return shown.map(run => (
            <RunRow key={run.id} run={run as Run} document={runs} to={paths.run(organization, name, run.id)} />
          ));
        }}
      </Loaded>
    </Card>
  );
}

/** Whoever has just made it, and may use it, asks how. */
function isUnused({ data: { attributes, relationships } }: WorkspaceDocument): boolean {
  const hasState = (relationships['current-state-version'] as { data: unknown }).data !== null;
  return !hasState && !attributes['vcs-repo'] && attributes.permissions['can-queue-run'];
}

function RunRow({ run, document, to }: { run: Run; document: { included?: readonly object[] }; to: string }) {
  const who = included(document, run.relationships['created-by'], 'users');
  const username = who?.attributes.username ?? '';
  const plan = included(document, run.relationships.plan, 'plans');
  return (
    <div className="card-row line wrap top-aligned">
      <Avatar name={username || '?'} id={who?.id ?? ''} />
      <div className="sentence">
        <Link className="strong" to={to}>
          {run.attributes.message || run.id}
        </Link>
        <p className="muted">
          <span className="mono">{run.id}</span> · {username} · <Time at={run.attributes['created-at']} />
        </p>
        {plan && <PlanCounts plan={plan} />}
      </div>
      <RunStatus run={run} badge />
    </div>
  );
}
