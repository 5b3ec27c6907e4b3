/** How clients read a log while it grows: between two marks, from an offset, until the second mark has come. */
import { policy } from '../../access/policy.ts';
import type { Download } from '../../core/blobs/download.ts';
import { ApiError } from '../../core/errors.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { wholeNumber } from '../../core/jsonapi/query.ts';
import { limits } from '../../core/limits.ts';
import type { Sql } from '../../core/store/store.ts';
import { isOver, type PhaseStatus, type PhaseTable } from '../queue/phases.ts';
import { logPath, phaseFinder } from './document.ts';

const startOfText = Buffer.of(0x02);
const endOfText = Buffer.of(0x03);

interface Found {
  status: PhaseStatus;
  length: number;
  content: Buffer;
}

const mostBytes = limits.runLog_bytes.value;

/** `offset` and `limit` are counted in bytes of what is sent. */
export function readLog(table: PhaseTable) {
  const parameter = table === 'plans' ? 'plan_id' : 'apply_id';
  return endpoint({
    operation: `${table}.read-log`,
    section: '§2.2',
    summary: `Read the log of ${table === 'plans' ? 'a plan' : 'an apply'}, also while it grows`,
    method: 'GET',
    paths: [logPath(table, `:${parameter}`)],
    signed: 'in path',
    subject: phaseFinder(table, parameter),
    needs: policy['run:read'],
    // Command lines end at the first 503 of a log, and the run goes on unseen.
    isPatient: true,
    isAwaited: true,
    query: {
      offset: wholeNumber('How many bytes to leave out', 0, 9_999_999_999),
      limit: wholeNumber('How many bytes to send at most', 0, 9_999_999_999),
    },
    answer: { status: 200, content: 'text/plain; charset=utf-8' },
    handle: async ({ sql, subject, query: { offset = 0, limit = mostBytes } }) => {
      const shown = await pieceOf(sql, table, subject.id, offset, Math.min(limit, mostBytes));
      return { sizeBytes: shown.length, content: once(shown) };
    },
  });
}

async function* once(piece: Buffer): AsyncGenerator<Buffer> {
  yield piece;
}

/** All of the log of a plan, without the marks. */
export async function wholeLog(sql: Sql, planId: string): Promise<Download> {
  const [found] = await sql<{ content: Buffer | null }[]>`
    select string_agg(chunk.content, ''::bytea order by chunk.position) as content
    from log_chunks as chunk where chunk.phase_id = ${planId}`;
  const content = found?.content ?? Buffer.alloc(0);
  return { sizeBytes: content.length, content: once(content) };
}

/** From `offset`, at most `limit` bytes. Nothing before the work began; the end mark once it is over. */
async function pieceOf(sql: Sql, table: PhaseTable, id: string, offset: number, limit: number): Promise<Buffer> {
  // In the log itself, which begins one byte behind the mark.
  const from = Math.max(0, offset - 1);
  // What came in pieces, or the whole of a log that was kept in its row.
  const [found] = await sql<Found[]>`
    select phase.status, coalesce((
        select chunk.position + octet_length(chunk.content) from log_chunks as chunk
        where chunk.phase_id = phase.id order by chunk.position desc limit 1
      ), octet_length(phase.log)) as length,
      coalesce((
        select substring(string_agg(chunk.content, ''::bytea order by chunk.position)
          from (${from}::bigint - min(chunk.position) + 1)::integer for ${limit}::integer)
        from log_chunks as chunk
        where chunk.phase_id = phase.id and chunk.position < ${from}::bigint + ${limit}::bigint
          and chunk.position + octet_length(chunk.content) > ${from}::bigint
      ), substring(phase.log from ${Math.min(from, mostBytes)}::integer + 1 for ${limit}::integer)) as content
    from ${sql(table)} as phase where phase.id = ${id}`;
  if (!found) throw new ApiError('not-found');
  return framed(found, offset, limit);
}

/** `content` is that of the log from the offset on; the marks stand at 0 and behind the last byte. */
export function framed({ status, length, content }: Found, offset: number, limit: number): Buffer {
  const ends = isOver(status);
  if (length === 0 && !ends) return Buffer.alloc(0);
  const whole = [
    ...(offset === 0 ? [startOfText] : []),
    content,
    ...(ends && offset <= length + 1 && offset + limit > length + 1 ? [endOfText] : []),
  ];
  return Buffer.concat(whole).subarray(0, limit);
}
