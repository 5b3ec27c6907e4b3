/** The output of a phase as its agent sends it, piece by piece, and what the agent is told meanwhile. */
import type { Beat, LogLength } from '../../../agent/protocol.ts';
import { ApiError } from '../../core/errors.ts';
import { single } from '../../core/jsonapi/query.ts';
import { limits } from '../../core/limits.ts';
import type { Sql } from '../../core/store/store.ts';
import { call } from './call.ts';
import { requireRunning } from './held-job.ts';
import type { JobHolder } from './holders.ts';

export const beatJob = call<'job'>({
  operation: 'jobs.beat',
  summary: 'Give a sign of life, and be told whether to stop; 410 where the job is over',
  method: 'POST',
  path: '/job/beat',
  opens: 'job',
  handle: async ({ holder }) => {
    if (holder.status === 'over') throw new ApiError('job-over');
    return { json: signalOf(holder) };
  },
});

const signalOf = ({ isCanceled }: JobHolder): Beat => ({ signal: isCanceled ? 'interrupt' : null });

/** The marks between which clients read a log: within it they would end it. */
function withoutMarks(log: Buffer): Buffer {
  if (!log.includes(0x02) && !log.includes(0x03)) return log;
  return Buffer.from(log.map(byte => (byte === 0x02 || byte === 0x03 ? 0x3f : byte)));
}

export const appendLog = call<'job'>({
  operation: 'jobs.append-log',
  summary:
    'Add a piece of the log at ?offset=: a piece sent again changes nothing, and a gap is answered with the length',
  method: 'PATCH',
  path: '/job/log',
  opens: 'job',
  limitBytes: () => limits.runLogPiece_bytes.value,
  handle: async ({ holder, query, source, store }) => {
    requireRunning(holder);
    const offset = offsetOf(single(query, 'offset'));
    const pieces: Buffer[] = [];
    for await (const piece of source) pieces.push(piece);
    const content = withoutMarks(Buffer.concat(pieces));
    const length = await store.transaction(sql => append(sql, holder, offset, content));
    return { json: { length, ...signalOf(holder) } satisfies LogLength };
  },
});

function offsetOf(text: string | undefined): number {
  if (text !== undefined && /^\d{1,12}$/.test(text)) return Number(text);
  throw new ApiError(
    'invalid-parameter',
    { reason: 'offset must be a whole number of bytes' },
    { parameter: 'offset' },
  );
}

/** Returns the length of the log. Only what follows it is added: pieces are never lost, doubled or in another order. */
async function append(sql: Sql, { jobId, runId, phase, planId, applyId }: JobHolder, offset: number, content: Buffer) {
  const most = limits.runLog_bytes.value;
  if (offset + content.length > most) throw new ApiError('body-too-large', { limit: most }, { pointer: '' });
  const phaseId = phase === 'plan' ? planId : applyId!;
  const [found] = await sql<{ length: number }[]>`
    with open as (
      select jobs.log_bytes from jobs
      where jobs.id = ${jobId} and jobs.status = 'running' and jobs.log_bytes = ${offset}
      for update
    ), grown as (
      update jobs set log_bytes = jobs.log_bytes + ${content.length}, seen_at = clock_timestamp()
      from open where jobs.id = ${jobId} and ${content.length > 0}
      returning jobs.log_bytes
    ), added as (
      insert into log_chunks (phase_id, run_id, position, content)
      select ${phaseId}, ${runId}, ${offset}, decode(${content.toString('base64')}, 'base64') from grown
    )
    select coalesce((select grown.log_bytes from grown), jobs.log_bytes) as length
    from jobs where jobs.id = ${jobId}`;
  return found!.length;
}
