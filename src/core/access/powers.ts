/** Named sets of powers, held as bits so that PostgreSQL unites them with `bit_or` and Node checks them with `&`. */

declare const kind: unique symbol;

/** What somebody may do with a record of one kind. Powers on another kind of record do not fit in their place. */
export type Powers<Kind extends string = string> = number & { readonly [kind]: Kind };

export interface PowerTable<Kind extends string, Name extends string> {
  names: readonly Name[];
  bit: Readonly<Record<Name, Powers<Kind>>>;
  none: Powers<Kind>;
  all: Powers<Kind>;
  /** The powers of some names. */
  of: (...names: readonly Name[]) => Powers<Kind>;
  /** The powers whose condition holds. */
  where: (conditions: Readonly<Partial<Record<Name, boolean>>>) => Powers<Kind>;
  union: (...sets: readonly Powers<Kind>[]) => Powers<Kind>;
  without: (powers: Powers<Kind>, ...names: readonly Name[]) => Powers<Kind>;
  has: (powers: Powers<Kind>, name: Name) => boolean;
  /** As PostgreSQL holds and unites them. */
  from: (bits: number) => Powers<Kind>;
}

/** The position of a name is its bit, and is stored: append only, at most 31 names. */
export function powerTable<const Kind extends string, const Name extends string>(
  _kind: Kind,
  ...names: readonly Name[]
): PowerTable<Kind, Name> {
  const from = (bits: number) => bits as Powers<Kind>;
  const bit = Object.fromEntries(names.map((name, position) => [name, from(1 << position)])) as Record<
    Name,
    Powers<Kind>
  >;
  const union = (...sets: readonly Powers<Kind>[]) => from(sets.reduce<number>((all, set) => all | set, 0));
  const of = (...some: readonly Name[]) => union(...some.map(name => bit[name]));
  return {
    names,
    bit,
    none: from(0),
    all: of(...names),
    of,
    where: conditions => of(...names.filter(name => conditions[name])),
    union,
    without: (powers, ...some) => from(powers & ~of(...some)),
    has: (powers, name) => (powers & bit[name]) !== 0,
    from,
  };
}
