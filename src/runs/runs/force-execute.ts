/** Force-execute: a pending run goes before all others of its workspace, which end unplanned or unapplied. */
import { policy } from '../../access/policy.ts';
import { ApiError } from '../../core/errors.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import type { Sql } from '../../core/store/store.ts';
import { moveRun, type QueuedRun } from '../queue/move.ts';
import { is, type RunStatus } from '../queue/statuses.ts';
import { refusal } from './actions.ts';
import { type Run, runById } from './run.ts';

export const forceExecuteRun = endpoint({
  operation: 'runs.force-execute',
  section: '§5.4',
  summary: 'End the runs before a pending one, so that it is next',
  method: 'POST',
  paths: ['/runs/:run_id/actions/force-execute'],
  subject: runById,
  needs: policy['run:force-execute'],
  answer: { status: 202 },
  errors: ['run-transition', 'force-execute-forbidden'],
  handle: async ({ sql, actor, subject, note }) => {
    if (subject.status !== 'pending') throw forbidden(`it is ${subject.status}, not pending`);
    const before = await runsBefore(sql, subject);
    const holder = before.find(run => run.is_holder);
    if (!holder) throw forbidden('no run holds its workspace');
    if (!mayEnd(holder.status)) throw refusal(holder, 'ended for another one');
    // The one that holds the workspace ends last: whichever is then the first pending run takes it.
    for (const run of [...before.filter(({ is_holder }) => !is_holder), holder]) {
      const end = is(run.status, 'discardable') ? 'discarded' : 'canceled';
      await moveRun(sql, run, end, { actorId: actor.userId });
    }
    note({ ended: before.map(({ id }) => id) });
  },
});

interface Earlier extends QueuedRun {
  status: RunStatus;
  is_holder: boolean;
}

/** Those that wait for the workspace or hold it: runs that only plan are in nobody's way. */
async function runsBefore(sql: Sql, run: Run): Promise<Earlier[]> {
  return sql<Earlier[]>`
    select runs.id, runs.workspace_id, runs.plan_id, runs.apply_id, runs.status,
      workspaces.locked_by_type is not distinct from 'runs' and workspaces.locked_by_id = runs.id as is_holder
    from runs
    join workspaces on workspaces.id = runs.workspace_id
    where runs.workspace_id = ${run.workspace_id} and runs.id <> ${run.id}
      and (runs.status = 'pending' and runs.position < ${run.position}
        or workspaces.locked_by_type = 'runs' and workspaces.locked_by_id = runs.id)
    order by runs.position, runs.id`;
}

/** What is at work must be canceled first. */
const mayEnd = (status: RunStatus) => is(status, 'discardable') || is(status, 'waits');

const forbidden = (reason: string) => new ApiError('force-execute-forbidden', { reason });
