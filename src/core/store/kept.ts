/**
 * Rows as this process read them last, with the documents written of them. Each has a stamp that PostgreSQL gives anew with
 * every change of what the document shows; a row whose stamp is the one of now is what PostgreSQL would answer.
 */
import { LRUCache } from 'lru-cache';
import { limits } from '../limits.ts';

/** Where a row that is kept has the bytes of its document, once they were written. */
export const keptDocument: unique symbol = Symbol('the document of a kept row');

export interface KeptDocument {
  bytes?: Buffer;
  /** Of the bytes. */
  digest?: string;
}

interface Row {
  id: string;
}

export interface ShownRow {
  row: Row;
  /** As it is shown, by the powers of who asks. */
  shown: Map<number, Row>;
}

interface KeptRow extends ShownRow {
  stamp: string;
}

/** The kept rows of one type. */
export interface Kept {
  /** The row of this id as `present` makes it for these powers; undefined where it is not kept, or has changed since. */
  find: <Found extends Row>(
    id: string,
    stamp: string,
    powers: number,
    present: (row: Found, powers: number) => Found,
  ) => Found | undefined;
  /** The row of this id as this process knew it last, which may not be as it is now. */
  latest: <Found extends Row>(
    id: string,
    powers: number,
    present: (row: Found, powers: number) => Found,
  ) => Found | undefined;
  keep: (row: Row, stamp: string) => void;
  /** Notes that a caller was shown the row of this id or name, and what told that it may be. */
  show: (callerId: string, idOrName: string, grounds: unknown) => void;
  /** What told so: then the row is likely to be kept, and the name is no secret to the caller. */
  wasShown: (callerId: string, idOrName: string) => unknown;
  forget: () => void;
  figures: () => KeptFigures;
}

export interface KeptFigures {
  rows: number;
  /** About. */
  bytes: number;
  /** How often a row was asked for that was kept and had not changed, and that was not or had. */
  hits: number;
  misses: number;
}

/**
 * @param most rows
 * @param bytes that they and their documents take at most, about
 */
export function keep(most: number, bytes: number): Kept {
  const kept = new LRUCache<string, KeptRow>({ max: most, maxSize: bytes });
  const shown = new LRUCache<string, { grounds: unknown }>({ max: most * callersOfEach });
  let [hits, misses] = [0, 0];
  return {
    show: (callerId, idOrName, grounds) => void shown.set(`${callerId} ${idOrName}`, { grounds }),
    figures: () => ({ rows: kept.size, bytes: kept.calculatedSize, hits, misses }),
    wasShown: (callerId, idOrName) => shown.get(`${callerId} ${idOrName}`)?.grounds,
    forget: () => {
      kept.clear();
      shown.clear();
    },
    keep: (row, stamp) => {
      kept.set(row.id, { stamp, row, shown: new Map() }, { size: shownWeightOf(row) });
    },
    latest: <Found extends Row>(id: string, powers: number, present: (row: Found, powers: number) => Found) => {
      const found = kept.get(id);
      return found && shownAs(found, powers, present);
    },
    find: <Found extends Row>(
      id: string,
      stamp: string,
      powers: number,
      present: (row: Found, powers: number) => Found,
    ) => {
      const found = kept.get(id);
      if (found?.stamp !== stamp) {
        misses += 1;
        return undefined;
      }
      hits += 1;
      return shownAs(found, powers, present);
    },
  };
}

/** The row as it is shown by these powers, with a place for the document that is written of it. */
export function shownAs<Found extends Row>(
  { row, shown }: ShownRow,
  powers: number,
  present: (row: Found, powers: number) => Found,
): Found {
  const known = shown.get(powers);
  if (known) return known as Found;
  const made = present({ ...(row as Found) }, powers);
  // Not enumerable: a copy of the row that says something else must not have the document of this one.
  Object.defineProperty(made, keptDocument, { value: {} satisfies KeptDocument });
  if (shown.size < limits.keptDocuments_items.value) shown.set(powers, made);
  return made;
}

/** Most workspaces are read by a handful of people and programs. */
const callersOfEach = 5;

const overheadBytes = 2048;

/** In bytes. Of a row there may be several documents, one for each set of powers. */
export const shownWeightOf = (row: Row): number => weightOf(row) * (1 + limits.keptDocuments_items.value);

/** About what the row takes: the length of its text, where it can be long, and a little for all else. */
function weightOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (value === null || typeof value !== 'object') return 8;
  return Object.values(value).reduce((sum: number, member) => sum + weightOf(member), overheadBytes / 16);
}
