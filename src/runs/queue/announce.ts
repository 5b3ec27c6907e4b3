/** Of which moves of a run people are told, and in which words. */
import type { Sql } from '../../core/store/store.ts';
import { announceRun, type News } from '../notification-configurations/outbox.ts';
import { ofConfigurations } from './sources.ts';
import { is, type RunStatus } from './statuses.ts';

const news: Partial<Record<RunStatus, News>> = {
  pending: { trigger: 'run:created', message: 'Run Created' },
  planning: { trigger: 'run:planning', message: 'Run Planning' },
  planned_and_saved: { trigger: 'run:needs_attention', message: 'Run Planned And Saved' },
  applying: { trigger: 'run:applying', message: 'Run Applying' },
  applied: { trigger: 'run:completed', message: 'Run Applied' },
  planned_and_finished: { trigger: 'run:completed', message: 'Run Planned And Finished' },
  policy_soft_failed: { trigger: 'run:completed', message: 'Run Ended By A Policy' },
  discarded: { trigger: 'run:completed', message: 'Run Discarded' },
  errored: { trigger: 'run:errored', message: 'Run Errored' },
  canceled: { trigger: 'run:errored', message: 'Run Canceled' },
  force_canceled: { trigger: 'run:errored', message: 'Run Canceled' },
};

/** Where a run rests, somebody has to decide. */
export const newsOf = (status: RunStatus): News | undefined =>
  news[status] ??
  (is(status, 'rests') ? { trigger: 'run:needs_attention', message: 'Run Needs Attention' } : undefined);

export async function announce(sql: Sql, runId: string, status: RunStatus, actorId: string | null): Promise<void> {
  const told = newsOf(status);
  if (told) await announceRun(sql, runId, told, { status, actorId });
  await noteCommitStatus(sql, runId);
}

/** Of a run that a commit has begun: it is told there soon, by `repository-events/commit-statuses.ts`. Plain git keeps no statuses. */
async function noteCommitStatus(sql: Sql, runId: string): Promise<void> {
  await sql`
    insert into pending_commit_statuses (run_id)
    select runs.id from runs
    join configuration_versions on configuration_versions.id = runs.configuration_version_id
    join workspaces on workspaces.id = runs.workspace_id
    join oauth_tokens on oauth_tokens.id = workspaces.vcs_repo ->> 'oauth-token-id'
    join oauth_clients on oauth_clients.id = oauth_tokens.oauth_client_id
    where runs.id = ${runId} and runs.source = ${ofConfigurations} and oauth_clients.service_provider <> 'git'
      and configuration_versions.ingress_attributes ->> 'commit-sha' is not null
    on conflict (run_id) do update
    set revision = pending_commit_statuses.revision + 1, attempts = 0, due_at = clock_timestamp()`;
}
