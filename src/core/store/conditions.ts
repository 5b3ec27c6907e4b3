/** Conditions put together. Members that are undefined, false or empty text are left out, so that filters read as a list. */
import { type Fragment, joined, type Sql } from './sql.ts';

type Optional = Fragment | undefined | false | '' | null;

/** All of them hold; true where there are none. */
export function all(sql: Sql, conditions: readonly Optional[]): Fragment {
  return between(conditions, ' and ') ?? sql`true`;
}

/** One of them holds; false where there are none. */
export function any(sql: Sql, conditions: readonly Optional[]): Fragment {
  return sql`(${between(conditions, ' or ') ?? sql`false`})`;
}

function between(conditions: readonly Optional[], word: string): Fragment | null {
  const given = conditions.filter((condition): condition is Fragment => Boolean(condition));
  return given.length > 0 ? joined(given, word) : null;
}
