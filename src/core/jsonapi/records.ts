/**
 * How records are got hold of: only those that the caller may see, and only together with what the caller may do with each,
 * in one statement. A resource says once what its rows are; what finds, lists and includes them follows from that.
 */
import type { Actor } from '../access/actor.ts';
import type { Powers } from '../access/powers.ts';
import type { ErrorName } from '../errors.ts';
import { type ShownRow, shownAs, shownWeightOf } from '../store/kept.ts';
import type { Kept } from '../store/kept-pages.ts';
import { type Counted, counted, countedPage, pageFrom } from '../store/page.ts';
import { none } from '../store/sql.ts';
import { type Fragment, held, type Lock, type Sql, type Store } from '../store/store.ts';
import type { Row } from './fields.ts';
import type { Page } from './page.ts';

export type Params = Readonly<Record<string, string>>;

/** A record together with what the caller may do with it. */
export interface Subject<Kind extends string> extends Row {
  powers: Powers<Kind>;
}

/** The kind of record that powers are about. */
export type KindOf<Held> = Held extends Powers<infer Kind> ? Kind : never;

/** One action of the policy table: the powers it takes (any one bit of `anyOf`), and how a refusal looks. */
export interface Requirement<Kind extends string = string> {
  action: string;
  anyOf: Powers<Kind>;
  /** What someone is told who may read the subject; everyone else gets 404 (§5.5). */
  refusal?: { name: ErrorName; toThoseWith: Powers<Kind> };
}

/** The requirements that fit a record. */
export type Needs<Found extends Subject<string>> = Requirement<KindOf<Found['powers']>>;

/** Who looks, through which door, and how the row is held meanwhile. */
export interface Look {
  sql: Sql;
  actor: Actor;
  lock: Lock;
  proof: Proof;
}

/** How the statement that finds a record also tells that the caller is still who it was taken for. */
export interface Proof {
  /** One more column, with a comma before it; nothing where nobody asks. */
  column: Fragment;
  /** Reads that column of the row that was found. */
  of: (row: Row | undefined) => void;
}

/** For looks in which the caller is certain. */
export const noProof: Proof = { column: none, of: () => undefined };

/** Finds the one record that the path names. */
export interface Finder<Found extends Subject<string>> {
  /** The path parameter that alone names the record, by its id. */
  parameter: string;
  find: (look: Look, params: Params) => Promise<Found | undefined>;
  /** The record as this process showed it to this caller not long ago, without asking: who goes by it has to find it yet. */
  recall?: (look: Pick<Look, 'sql' | 'actor'>, params: Params) => Found | undefined;
}

/** What a resource says of its rows. */
interface Source<Found extends Subject<string>> {
  /** Its rows are held in writes. */
  table: string;
  /** The column that names a record on the wire, unless it is `id`. */
  key?: string;
  columns: (sql: Sql, actor: Actor) => Fragment;
  /** The table with what it is joined to. */
  from: (sql: Sql) => Fragment;
  /** Whether the actor may see a row. */
  isVisible: (sql: Sql, actor: Actor) => Fragment;
  /** What the actor may do with a row. Without any power nothing is there for the actor. */
  powers: (row: Omit<Found, 'powers'>, actor: Actor) => Found['powers'];
  /** What else follows from the row, once its powers are known. */
  complete?: (row: Found, actor: Actor) => Partial<Found>;
}

interface Door {
  sql: Sql;
  actor: Actor;
  page: Page;
}

/** A page with its rows, as they came from the database, and the documents written of them. */
interface KeptRows extends Kept {
  rows: ShownRow[];
  total: number;
}

export interface Records<Found extends Subject<string>> {
  /** Those of a condition that the actor may see; `rest` orders and limits them. */
  read: (sql: Sql, actor: Actor, condition: Fragment, rest?: Fragment) => Promise<Found[]>;
  /** Those with these ids: what `include` shows. */
  load: (sql: Sql, actor: Actor, ids: readonly string[]) => Promise<Found[]>;
  /** One page of those of a condition and the number of all, from one snapshot. */
  page: (door: Door, condition: Fragment, order: Fragment) => Promise<{ rows: Found[]; total: number }>;
  /**
   * The same, from what was read before as long as that holds. What completes such a row must follow from it and its powers
   * alone, since whoever else has these is shown the same.
   * @param hasChanged whether it no longer does: a condition that misses no change of what is shown
   */
  keptPage: (
    door: Door & { store: Store },
    condition: Fragment,
    order: Fragment,
    hasChanged: (sql: Sql, snapshot: string) => Fragment,
    adapt: (row: Found) => Found,
  ) => Promise<{ rows: Found[]; total: number }>;
  /** By the id in a path parameter. */
  byId: (parameter: string) => Finder<Found>;
}

export function records<Found extends Subject<string>>({
  table,
  key = 'id',
  columns,
  from,
  isVisible,
  powers,
  complete,
}: Source<Found>): Records<Found> {
  const present = (rows: readonly Found[], actor: Actor) =>
    rows.flatMap(row => {
      const known = { ...row, powers: powers(row, actor) };
      return known.powers === 0 ? [] : [{ ...known, ...complete?.(known, actor) }];
    });
  const select = (sql: Sql, actor: Actor, condition: Fragment, rest: Fragment, more: Fragment) =>
    sql<Found[]>`
      select ${columns(sql, actor)}${more} from ${from(sql)}
      where ${condition} and ${isVisible(sql, actor)}
      ${rest}`;
  const read = async (sql: Sql, actor: Actor, condition: Fragment, rest = none) =>
    present(await select(sql, actor, condition, rest, none), actor);
  const name = (sql: Sql) => sql`${sql(table)}.${sql(key)}`;
  const halves = ({ sql, actor, page }: Door, condition: Fragment, order: Fragment) => {
    const matching = sql`from ${from(sql)} where ${condition} and ${isVisible(sql, actor)}`;
    return [
      sql`select count(*) as total ${matching}`,
      sql`select ${columns(sql, actor)} ${matching} order by ${order} limit ${page.size} offset ${page.offset}`,
    ] as const;
  };
  return {
    read,
    load: (sql, actor, ids) => read(sql, actor, sql`${name(sql)} = any(${ids as string[]})`),
    page: async (door, condition, order) => {
      const { rows, total } = await counted<Found>(door.sql, ...halves(door, condition, order));
      return { rows: present(rows, door.actor), total };
    },
    keptPage: async (door, condition, order, hasChanged, adapt) => {
      const { store, sql, actor } = door;
      const snapshot = sql`, pg_current_snapshot()::text as snapshot`;
      const statement = countedPage(sql, ...halves(door, condition, order), snapshot);
      const search = store.pages.of<KeptRows>(statement);
      const shown = ({ rows, total }: KeptRows) => ({
        rows: rows.flatMap(one => {
          const bits = powers(one.row as Found, actor);
          const known = (row: Found) => ({ ...row, powers: bits });
          return bits === 0
            ? []
            : [shownAs(one, bits, (row: Found) => adapt({ ...known(row), ...complete?.(known(row), actor) }))];
        }),
        total,
      });
      const before = search.page();
      if (before) {
        const { read } = store;
        const [now] = await read<{ has_changed: boolean }[]>`
          select ${hasChanged(read, before.snapshot)} as has_changed`;
        if (!now!.has_changed) return shown(before);
      }
      let kept: KeptRows | undefined;
      await search.search(
        () => sql<(Counted<Found> & { snapshot: string })[]>`${statement}`,
        found => {
          const { rows, total } = pageFrom<Found>(found);
          const bytes = rows.reduce((sum, row) => sum + shownWeightOf(row), 0);
          const all = rows.map(row => ({ row, shown: new Map() }));
          kept = { rows: all, total, snapshot: found[0]!.snapshot, bytes };
          return kept;
        },
      );
      return shown(kept!);
    },
    byId: parameter => ({
      parameter,
      find: async ({ sql, actor, lock, proof }, params) => {
        const condition = sql`${name(sql)} = ${params[parameter]!}`;
        const [row] = await select(sql, actor, condition, held(sql, lock, table), proof.column);
        proof.of(row);
        return row && present([row], actor)[0];
      },
    }),
  };
}

/**
 * A record that a body or a query names, held until the transaction ends. Undefined where the caller may not do that with it,
 * as if it did not exist.
 */
export async function permitted<Found extends Subject<string>>(
  { sql, actor }: { sql: Sql; actor: Actor },
  finder: Finder<Found>,
  needs: Needs<Found>,
  params: Params,
  lock: Lock = 'key share',
): Promise<Found | undefined> {
  const found = await finder.find({ sql, actor, lock, proof: noProof }, params);
  return found && (found.powers & needs.anyOf) !== 0 ? found : undefined;
}
