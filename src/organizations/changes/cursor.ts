/** Where in an organization's changes a reader stands: behind a transaction, a place in it, and since when. */
import { ApiError } from '../../core/errors.ts';
import { pattern } from '../../core/jsonapi/query.ts';
import { limits } from '../../core/limits.ts';

export interface Cursor {
  /** Decimal numbers, larger than JavaScript's. */
  transaction: string;
  position: string;
  /** When the reader was given it. */
  at_ms: number;
}

/** Transactions are counted to 2^64 and places to 2^63, which would take a fast server a million years to come near to. */
export const cursorForm = /^(\d{1,19})-(\d{1,18})-([0-9a-z]{1,9})$/;

export const cursorParameter = pattern('where an earlier answer ended, as its meta.cursor says', cursorForm);

export function cursorText({ transaction, position, at_ms }: Cursor): string {
  return `${transaction}-${position}-${at_ms.toString(36)}`;
}

/** Throws `cursor-too-old` for one from before the oldest change that is kept. */
export function readCursor(text: string, now_ms = Date.now()): Cursor {
  const [, transaction, position, at] = cursorForm.exec(text)!;
  const at_ms = Number.parseInt(at!, 36);
  if (now_ms - at_ms > limits.keptChanges_hours.value * 3_600_000) throw new ApiError('cursor-too-old');
  return { transaction: transaction!, position: position!, at_ms };
}
