/** Named sets of powers, held as bits so that PostgreSQL unites them with `bit_or` and Node checks them with `&`. */

export interface PowerTable<Name extends string> {
  names: readonly Name[];
  bit: Readonly<Record<Name, number>>;
  all: number;
  /** The bits of some names. */
  of: (...names: readonly Name[]) => number;
  has: (powers: number, name: Name) => boolean;
}

/** The position of a name is its bit, and is stored: append only, at most 31 names. */
export function powerTable<const Name extends string>(...names: readonly Name[]): PowerTable<Name> {
  const bit = Object.fromEntries(names.map((name, position) => [name, 1 << position])) as Record<Name, number>;
  const of = (...some: readonly Name[]) => some.reduce((powers, name) => powers | bit[name], 0);
  return { names, bit, all: of(...names), of, has: (powers, name) => (powers & bit[name]) !== 0 };
}
