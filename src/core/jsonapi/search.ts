/** Text that callers search by: `like` wildcards in it match literally. And the lists of records in which they search. */
import type { Sql, Store } from '../store/store.ts';

/** A pattern for `like` that matches `text` anywhere. */
export function containing(text: string): string {
  return `%${literal(text)}%`;
}

/** A pattern for `like` that matches `text` itself. */
export function literal(text: string): string {
  return text.replaceAll(/[\\%_]/g, '\\$&');
}

/**
 * How a list asks PostgreSQL. Where a query is silent its statement is one of few: its plan is kept, and it travels with
 * other reads instead of waiting for what else the caller searches for. For records of which there are thousands at most:
 * all are counted, and what takes long belongs to the searches.
 */
export function listing({ read, search }: Pick<Store, 'read' | 'search'>, query: object): Sql {
  const isSilent = Object.values(query).every(value => !value || (Array.isArray(value) && value.length === 0));
  return isSilent ? read : search;
}
