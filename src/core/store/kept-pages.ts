/**
 * What a search found: how many, and the ids of those around the page that was asked for. Finding and counting many takes
 * longer than reading a page of them; while nothing has changed since, it holds for the next pages and for whoever asks
 * the same.
 */
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { limits } from '../limits.ts';
import { compose, type Fragment } from './sql.ts';

/** @template Counts what was counted: plain data, which nobody changes */
export interface KeptPage<Counts extends object = object> {
  counts: Counts;
  /** Of the matches in their order, those from `offset` on. */
  ids: readonly string[];
  offset: number;
  /** What PostgreSQL saw, as `pg_current_snapshot()` says it: whoever uses the page asks whether that is still so. */
  snapshot: string;
}

export interface KeptPages {
  /** @param search in its order, with who may see what of it, so that no caller meets a page of another one */
  of: <Counts extends object>(search: Fragment) => KeptSearch<Counts>;
  forget: () => void;
}

export interface KeptSearch<Counts extends object> {
  page: () => KeptPage<Counts> | undefined;
  /** Resolves when somebody who is searching for the same has found it or failed; undefined where nobody is. */
  underWay: () => Promise<void> | undefined;
  /** Searches, and keeps what was found. */
  search: <Found>(find: () => Promise<Found>, pageOf: (found: Found) => KeptPage<Counts>) => Promise<Found>;
}

export function keepPages(): KeptPages {
  const kept = new LRUCache<string, KeptPage>({
    maxSize: limits.keptPages_bytes.value,
    ttl: limits.keptPages_ms.value,
  });
  const underWay = new Map<string, Promise<void>>();
  const findAndKeep = async <Found>(key: string, find: () => Promise<Found>, pageOf: (found: Found) => KeptPage) => {
    const found = await find();
    const page = pageOf(found);
    kept.set(key, page, { size: weightOf(page) });
    return found;
  };
  const of = <Counts extends object>(fragment: Fragment): KeptSearch<Counts> => {
    const key = keyOf(fragment);
    return {
      page: () => kept.get(key) as KeptPage<Counts> | undefined,
      underWay: () => underWay.get(key),
      search: (find, pageOf) => {
        const finding = findAndKeep(key, find, pageOf);
        const end = () => {
          if (underWay.get(key) === ended) underWay.delete(key);
        };
        const ended = finding.then(end, end);
        underWay.set(key, ended);
        return finding;
      },
    };
  };
  return { of, forget: () => kept.clear() };
}

const idBytes = 48;
const overheadBytes = 1024;
const weightOf = ({ ids }: KeptPage) => overheadBytes + ids.length * idBytes;

function keyOf(search: Fragment): string {
  const { text, parameters } = compose(search);
  const hash = createHash('sha256').update(JSON.stringify([text, parameters]));
  return hash.digest('base64');
}
