/** Conditions put together. Members that are undefined, false or empty text are left out, so that filters read as a list. */
import type { Fragment, Sql } from './store.ts';

type Optional = Fragment | undefined | false | '' | null;

/** All of them hold; true where there are none. */
export function all(sql: Sql, conditions: readonly Optional[]): Fragment {
  return joined(sql, conditions, sql` and `, sql`true`);
}

/** One of them holds; false where there are none. */
export function any(sql: Sql, conditions: readonly Optional[]): Fragment {
  return sql`(${joined(sql, conditions, sql` or `, sql`false`)})`;
}

function joined(sql: Sql, conditions: readonly Optional[], between: Fragment, otherwise: Fragment): Fragment {
  const given = conditions.filter((condition): condition is Fragment => Boolean(condition));
  return given.reduce<Fragment | null>((all, one) => (all ? sql`${all}${between}${one}` : one), null) ?? otherwise;
}
