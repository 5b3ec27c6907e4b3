/** Of which moves of a run people are told, and in which words. */
import type { Sql } from '../../core/store/store.ts';
import { announceRun, type News } from '../notification-configurations/outbox.ts';
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
}
