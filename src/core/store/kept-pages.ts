/**
 * What a search found: how many, and which. Finding and counting many takes longer than reading a page of them; while nothing
 * has changed since, it holds for the next pages and for whoever asks the same.
 */
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { limits } from '../limits.ts';
import { compose, type Fragment } from './sql.ts';

/** What was found: plain data, which nobody changes. */
export interface Kept {
  /** What PostgreSQL saw, as `pg_current_snapshot()` says it: whoever uses the page asks whether that is still so. */
  snapshot: string;
  /** About what it takes in memory. */
  bytes: number;
}

export interface KeptPages {
  /** @param search in its order, with who may see what of it, so that no caller meets a page of another one */
  of: <Page extends Kept>(search: Fragment) => KeptSearch<Page>;
  forget: () => void;
}

export interface KeptSearch<Page extends Kept> {
  page: () => Page | undefined;
  /** Resolves when somebody who is searching for the same has found it or failed; undefined where nobody is. */
  underWay: () => Promise<void> | undefined;
  /** Searches, and keeps what was found. */
  search: <Found>(find: () => Promise<Found>, pageOf: (found: Found) => Page) => Promise<Found>;
}

export function keepPages(): KeptPages {
  const kept = new LRUCache<string, Kept>({
    maxSize: limits.keptPages_bytes.value,
    ttl: limits.keptPages_ms.value,
  });
  const underWay = new Map<string, Promise<void>>();
  const findAndKeep = async <Found>(key: string, find: () => Promise<Found>, pageOf: (found: Found) => Kept) => {
    const found = await find();
    const page = pageOf(found);
    kept.set(key, page, { size: overheadBytes + page.bytes });
    return found;
  };
  const of = <Page extends Kept>(fragment: Fragment): KeptSearch<Page> => {
    const key = keyOf(fragment);
    return {
      page: () => kept.get(key) as Page | undefined,
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

const overheadBytes = 1024;

function keyOf(search: Fragment): string {
  const { text, parameters } = compose(search);
  const hash = createHash('sha256').update(JSON.stringify([text, parameters]));
  return hash.digest('base64');
}
