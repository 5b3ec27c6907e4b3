/** How clients read a log while it grows: between two marks, from an offset, until the second mark has come. */

const startOfText = Buffer.of(0x02);
const endOfText = Buffer.of(0x03);

/** From `offset`, at most `limit` bytes. Nothing before the work began; the end mark once it is over. */
export function framedLog(log: Buffer, isOver: boolean, query: RawQuery): Buffer {
  if (log.length === 0 && !isOver) return Buffer.alloc(0);
  const whole = Buffer.concat([startOfText, log, ...(isOver ? [endOfText] : [])]);
  const offset = bytesOf(single(query, 'offset')) ?? 0;
  const limit = bytesOf(single(query, 'limit')) ?? whole.length;
  return whole.subarray(offset, offset + limit);
}

/** Whole numbers only: anything else is as if it were not there. */
function bytesOf(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

import type { RawQuery } from '../../core/jsonapi/query.ts';
import { single } from '../../core/jsonapi/query.ts';
