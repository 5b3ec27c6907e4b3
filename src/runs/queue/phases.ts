/** The plan and the apply of a run follow its status: what each of them becomes when the run moves. */
import type { Fragment, Sql } from '../../core/store/store.ts';
import { is, type RunStatus } from './statuses.ts';

export const phaseStatuses = [
  'pending',
  'managed_queued',
  'queued',
  'agent_queued',
  'running',
  'errored',
  'canceled',
  'finished',
  'unreachable',
] as const;

export type PhaseStatus = (typeof phaseStatuses)[number];
export type PhaseTable = 'plans' | 'applies';

export const isOver = (status: PhaseStatus) => ['errored', 'canceled', 'finished', 'unreachable'].includes(status);

const planned: readonly RunStatus[] = [
  'planned',
  'cost_estimating',
  'policy_checking',
  'post_plan_running',
  'planned_and_saved',
  'planned_and_finished',
  'policy_soft_failed',
  'assessed',
];

const applied: readonly RunStatus[] = ['applied', 'post_apply_running', 'post_apply_completed'];

/** Null leaves it as it is. A phase that never began is unreachable once the run is over. */
export function phaseAfter(table: PhaseTable, phase: PhaseStatus, run: RunStatus): PhaseStatus | null {
  if (isOver(phase)) return null;
  if (table === 'plans' && run === 'plan_queued') return 'queued';
  if (table === 'plans' && run === 'planning') return 'running';
  if (table === 'plans' && planned.includes(run)) return 'finished';
  if (table === 'applies' && run === 'apply_queued') return 'queued';
  if (table === 'applies' && run === 'applying') return 'running';
  if (table === 'applies' && applied.includes(run)) return 'finished';
  if (!is(run, 'final')) return null;
  if (phase === 'pending') return 'unreachable';
  return run === 'errored' ? 'errored' : 'canceled';
}

/** Moves the plan or the apply with its run, whose workspace's row is held. */
export async function movePhase(sql: Sql, table: PhaseTable, id: string, run: RunStatus): Promise<void> {
  const [found] = await sql<{ status: PhaseStatus }[]>`
    select phase.status from ${sql(table)} as phase where phase.id = ${id}`;
  const next = phaseAfter(table, found!.status, run);
  if (!next || next === found!.status) return;
  const name = next === 'running' ? 'started-at' : `${next}-at`;
  await sql`
    update ${sql(table)}
    set status = ${next}, status_timestamps = status_timestamps || jsonb_build_object(${name}::text, ${stamp(sql)}),
      started_at = ${next === 'running' ? sql`clock_timestamp()` : sql`started_at`},
      finished_at = ${isOver(next) ? sql`clock_timestamp()` : sql`finished_at`}
    where id = ${id}`;
}

/** This moment as `status-timestamps` show it: seconds and a numeric offset. */
export function stamp(sql: Sql): Fragment {
  return sql`to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"+00:00"')`;
}
