/** How clients read a log while it grows: between two marks, from an offset, until the second mark has come. */
import { Type } from 'typebox';
import { ApiError } from '../../core/errors.ts';
import type { RawQuery } from '../../core/jsonapi/query.ts';
import { single } from '../../core/jsonapi/query.ts';
import { limits } from '../../core/limits.ts';
import type { Sql } from '../../core/store/store.ts';
import { isOver, type PhaseStatus, type PhaseTable } from '../queue/phases.ts';

const startOfText = Buffer.of(0x02);
const endOfText = Buffer.of(0x03);

/** Who executed it: the server itself, or an agent of a pool. */
export const executionDetails = Type.Unsafe<Record<string, string>>({
  type: 'object',
  properties: { mode: { type: 'string', enum: ['remote', 'agent'] } },
  additionalProperties: { type: 'string' },
  required: ['mode'],
});

interface Found {
  status: PhaseStatus;
  length: number;
  content: Buffer;
}

/** From `offset`, at most `limit` bytes. Nothing before the work began; the end mark once it is over. */
export async function readLog(sql: Sql, table: PhaseTable, id: string, query: RawQuery): Promise<Buffer> {
  const most = limits.runLog_bytes.value;
  const offset = bytesOf(single(query, 'offset')) ?? 0;
  const limit = Math.min(bytesOf(single(query, 'limit')) ?? most, most);
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
      ), substring(phase.log from ${from}::integer + 1 for ${limit}::integer)) as content
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

/** Whole numbers only: anything else is as if it were not there. */
function bytesOf(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,10}$/.test(text) ? Number(text) : undefined;
}
