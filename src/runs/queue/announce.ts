/** Of which moves of a run people are told, and in which words. */
import type { Fragment, Sql } from '../../core/store/store.ts';
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
  await noteCommitStatus(
    sql,
    sql`(
      select runs.configuration_version_id from runs where runs.id = ${runId} and runs.source = ${ofConfigurations}
    )`,
  );
}

/**
 * Of a configuration that a commit began to be fetched, or of its run: the commit is told soon how it stands, by
 * `repository-events/commit-statuses.ts`. Plain git keeps no statuses.
 */
export async function noteCommitStatus(sql: Sql, versionId: Fragment): Promise<void> {
  await sql`
    insert into pending_commit_statuses (configuration_version_id)
    select configuration_versions.id from configuration_versions
    join workspaces on workspaces.id = configuration_versions.workspace_id
    join oauth_tokens on oauth_tokens.id = workspaces.vcs_repo ->> 'oauth-token-id'
    join oauth_clients on oauth_clients.id = oauth_tokens.oauth_client_id
    where configuration_versions.id = ${versionId} and configuration_versions.auto_queue_runs
      and oauth_clients.service_provider <> 'git'
      and configuration_versions.ingress_attributes ->> 'commit-sha' is not null
    on conflict (configuration_version_id) do update
    set revision = pending_commit_statuses.revision + 1, attempts = 0, due_at = clock_timestamp()`;
}
