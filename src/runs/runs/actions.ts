/** Apply, discard, cancel and force-cancel a run: 202 without a body, 409 where its status does not let it. */
import { type Static, Type } from 'typebox';
import { policy } from '../../access/policy.ts';
import { ApiError } from '../../core/errors.ts';
import { type Body, valueBody } from '../../core/jsonapi/body.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { nullable } from '../../core/jsonapi/fields.ts';
import { newId } from '../../core/store/ids.ts';
import { row, type Sql } from '../../core/store/store.ts';
import { advanceRun, type Cause, moveRun, recordRunEvent, takeWorkspace } from '../queue/move.ts';
import { actionsOf, is, type RunStatus } from '../queue/statuses.ts';
import { type Run, runById } from './run.ts';

/** How long somebody who asked for a running run to stop waits before forcing it. */
const patience = '60 seconds';

const commentShape = Type.Unsafe<{ comment?: string | null }>({
  type: ['object', 'null'],
  properties: { comment: nullable(Type.String({ maxLength: 10_000 })) },
});
const commented = valueBody(commentShape, json => (json as Static<typeof commentShape>)?.comment || null, null);

/** `{ "comment" }`, `{}`, or nothing at all. */
const commentBody: Body<string | null> = {
  ...commented,
  parse: (json, deployment) => (json === undefined ? { value: null, faults: [] } : commented.parse(json, deployment)),
};

const action = {
  section: '§5.4',
  method: 'POST',
  subject: runById,
  body: commentBody,
  answer: { status: 202 },
} as const;

export const applyRun = endpoint({
  ...action,
  operation: 'runs.apply',
  summary: 'Apply a run whose plan awaits confirmation',
  paths: ['/runs/:run_id/actions/apply'],
  needs: policy['run:apply'],
  errors: ['run-transition', 'run-workspace-locked'],
  handle: async ({ sql, actor, subject, body, commandLine, note }) => {
    // The answer to a command line was lost, and it asks again: what it wanted is done.
    if (commandLine && subject.confirmed_by_id === actor.userId) return note({ again: true });
    if (!actionsOf(subject)['is-confirmable']) throw refusal(subject, 'applied');
    if (subject.status === 'planned_and_saved') await takeForSavedPlan(sql, subject);
    const cause = await causeOf(sql, subject, actor.userId, body);
    await moveRun(sql, subject, 'confirmed', cause);
    note({ status: [subject.status, await advanceRun(sql, subject, 'apply_queued')] });
  },
});

export const discardRun = endpoint({
  ...action,
  operation: 'runs.discard',
  summary: 'Discard a run that waits for its turn or for a decision',
  paths: ['/runs/:run_id/actions/discard'],
  needs: policy['run:discard'],
  errors: ['run-transition'],
  handle: async ({ sql, actor, subject, body, note }) => {
    if (!actionsOf(subject)['is-discardable']) throw refusal(subject, 'discarded');
    await moveRun(sql, subject, 'discarded', await causeOf(sql, subject, actor.userId, body));
    note({ status: [subject.status, 'discarded'] });
  },
});

export const cancelRun = endpoint({
  ...action,
  operation: 'runs.cancel',
  summary: 'Cancel a run: at once while it waits, else as soon as what works on it stops',
  paths: ['/runs/:run_id/actions/cancel'],
  needs: policy['run:cancel'],
  errors: ['run-transition'],
  handle: async ({ sql, actor, subject, body, note }) => {
    if (!actionsOf(subject)['is-cancelable']) throw refusal(subject, 'canceled');
    const cause = await causeOf(sql, subject, actor.userId, body);
    await rememberCancel(sql, subject);
    if (is(subject.status, 'waits')) await moveRun(sql, subject, 'canceled', cause);
    else await recordRunEvent(sql, subject.id, 'cancel_requested', cause);
    note({ status: [subject.status, is(subject.status, 'waits') ? 'canceled' : subject.status] });
  },
});

export const forceCancelRun = endpoint({
  ...action,
  operation: 'runs.force-cancel',
  summary: 'End a run that was canceled and has not stopped',
  paths: ['/runs/:run_id/actions/force-cancel'],
  needs: policy['run:force-cancel'],
  errors: ['run-transition'],
  handle: async ({ sql, actor, subject, body, note }) => {
    if (!actionsOf(subject)['is-force-cancelable']) throw refusal(subject, 'force-canceled');
    const cause = await causeOf(sql, subject, actor.userId, body);
    await moveRun(sql, subject, 'canceled', { ...cause, isForced: true });
    note({ status: [subject.status, 'canceled'] });
  },
});

export function refusal({ status }: { status: RunStatus }, change: string): ApiError {
  return new ApiError('run-transition', { status, change });
}

/** Who acts, and what they say: a comment of the run, beside its event. */
async function causeOf(sql: Sql, run: Run, actorId: string, comment: string | null): Promise<Cause> {
  if (comment === null) return { actorId };
  return { actorId, commentId: await insertComment(sql, run, actorId, comment) };
}

/** Returns the comment's id. */
export async function insertComment(sql: Sql, run: Run, authorId: string, body: string): Promise<string> {
  const id = newId('wsc');
  await sql`insert into comments ${row(sql, { id, run_id: run.id, body, created_by_id: authorId })}`;
  return id;
}

/** Clients look for the time of force even where the run ends at once. */
async function rememberCancel(sql: Sql, run: Run): Promise<void> {
  await sql`
    update runs
    set canceled_at = clock_timestamp(), force_cancel_available_at = clock_timestamp() + ${patience}::text::interval
    where runs.id = ${run.id}`;
}

/** A saved plan held nothing so far; from now on it is the workspace's current run. */
async function takeForSavedPlan(sql: Sql, run: Run): Promise<void> {
  if (!(await takeWorkspace(sql, run))) throw new ApiError('run-workspace-locked');
}
