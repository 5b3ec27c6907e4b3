/** The store: PostgreSQL behind a few lanes. Every statement of the server goes through one of them. */
import { limits } from '../limits.ts';
import type { Connection } from './connection.ts';
import { type Kept, type KeptFigures, keep } from './kept.ts';
import { type KeptPages, keepPages } from './kept-pages.ts';
import { Lane, type LaneFigures, type LaneOptions } from './lane.ts';
import type { Asker } from './session.ts';
import { type Fragment, none, type Sql, tag } from './sql.ts';
import { transaction } from './transaction.ts';

export type { Connection } from './connection.ts';
export type { Asker } from './session.ts';
export type { Fragment, Sql } from './sql.ts';

export interface Store {
  /** By id and by page: plans are made once and kept (planning was three quarters of such a statement's cost). */
  readonly read: Sql;
  /** Searches and filters: planned with their values (`like` is several times slower under a kept plan). */
  readonly search: Sql;
  /** Who asks: with connections of its own, so that nothing else keeps people from being known. */
  readonly identify: Sql;
  /** Whether the database answers, for balancers: with a connection of its own. */
  readonly health: Sql;
  /** How the database is, for whoever watches it: with a connection of its own, so that this costs nobody else one. */
  readonly watch: Sql;
  /** Content as it comes in, a statement a piece: on the connections for changes, so that nobody waits who reads. */
  readonly content: Sql;
  /** What was found by what was searched for. */
  readonly pages: KeptPages;
  /** Runs `work` in one transaction, again when PostgreSQL asks for it (40001 serialization, 40P01 deadlock). */
  transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
  /** The same store for one request: its statements wait in its caller's queue, and end when the caller leaves. */
  askedBy(asker: Asker): Store;
  figures(): StoreFigures;
  close(): Promise<void>;
}

export interface StoreFigures {
  lanes: Record<keyof Lanes, LaneFigures>;
  kept: KeptFigures;
}

export interface StoreOptions {
  /** Upper limit of connections for transactions; the other lanes follow from it. */
  connections?: number;
  /** How many rows are kept, and how much memory they may take. */
  keptRows?: number;
  keptMib?: number;
  /** Commands of operators take the time that they take; requests do not. */
  isPatient?: boolean;
  /** Called with the text of every statement sent (statement counts in tests). */
  onStatement?: (text: string) => void;
}

const watchInterval_ms = 100;

/** Opens the lanes. Connections are made when first used, and made again after PostgreSQL went away. */
export function openStore(connection: Connection, options: StoreOptions = {}): Store {
  const lanes = openLanes(connection, options);
  const all = Object.values(lanes);
  const timer = setInterval(() => {
    for (const lane of all) lane.watch();
  }, watchInterval_ms);
  timer.unref();
  const close = async () => {
    await Promise.all(all.map(lane => lane.close()));
    clearInterval(timer);
  };
  return storeFor(
    lanes,
    nobody,
    { rows: keep(options.keptRows ?? 1000, (options.keptMib ?? 64) * 2 ** 20), pages: keepPages() },
    options.onStatement,
    close,
  );
}

type Lanes = Record<'read' | 'search' | 'identify' | 'health' | 'watch' | 'write', Lane>;

function storeFor(
  lanes: Lanes,
  asker: Asker,
  kept: { rows: Kept; pages: KeptPages },
  onStatement: StoreOptions['onStatement'],
  close: () => Promise<void>,
): Store {
  const through = (lane: Lane, rows?: Kept) =>
    tag(composed => {
      onStatement?.(composed.text);
      lane.count(asker);
      return lane.run(asker, session => session.send(composed, asker));
    }, rows && { kept: rows });
  // Made when they are first used: of a request's few, one or two are.
  const doors: Partial<Record<keyof Lanes, Sql>> = {};
  const door = (name: keyof Lanes, rows?: Kept): Sql => {
    doors[name] ??= through(lanes[name], rows);
    return doors[name];
  };
  return {
    get read() {
      return door('read', kept.rows);
    },
    get search() {
      return door('search');
    },
    get identify() {
      return door('identify');
    },
    get health() {
      return door('health');
    },
    get watch() {
      return door('watch');
    },
    get content() {
      return door('write');
    },
    pages: kept.pages,
    transaction: work => transaction({ lane: lanes.write, asker, onStatement, kept: kept.rows }, work),
    askedBy: other => storeFor(lanes, other, kept, onStatement, close),
    figures: () => ({
      lanes: Object.fromEntries(Object.entries(lanes).map(([name, lane]) => [name, lane.figures()])) as Record<
        keyof Lanes,
        LaneFigures
      >,
      kept: kept.rows.figures(),
    }),
    close,
  };
}

function openLanes(connection: Connection, { connections = 10, isPatient = false }: StoreOptions): Lanes {
  const open = (
    options: Pick<LaneOptions, 'size' | 'depth' | 'share' | 'isNaming' | 'isRepeating'> & Lasting,
  ): Lane => {
    const { time_ms, settings, ...shape } = options;
    return new Lane({
      ...shape,
      connection,
      cancel: processId => lanes.health.run(nobody, session => session.send(cancellation(processId), nobody)),
      // Somewhat more than PostgreSQL itself allows: this is for the case that it does not answer at all.
      patience_ms: isPatient ? null : time_ms + limits.lockTime_ms.value,
      settings: { ...common, ...(isPatient ? {} : timeouts(time_ms)), ...settings },
    });
  };
  const time_ms = limits.statementTime_ms.value;
  const few = Math.min(connections, 2);
  const byId = { depth: 16, share: 0.75, isNaming: true, isRepeating: true, time_ms, settings: keptPlans };
  const lanes: Lanes = {
    read: open({ ...byId, size: Math.ceil(connections * 0.4) }),
    identify: open({ ...byId, size: few }),
    health: open({ ...byId, size: 1, time_ms: limits.lockTime_ms.value }),
    watch: open({
      ...{ size: 1, depth: 1, share: 1, isNaming: false, isRepeating: true },
      time_ms: limits.watchTime_ms.value,
      settings: plansForValues,
    }),
    search: open({
      // What one caller searches for may take a processor, and no more of them.
      ...{ size: Math.ceil(connections * 0.4), depth: 1, share: 0.25, isNaming: false, isRepeating: true },
      time_ms: limits.searchTime_ms.value,
      settings: plansForValues,
    }),
    write: open({
      ...{ size: connections, depth: 1, share: 0.75, isNaming: true, isRepeating: false },
      time_ms,
      settings: keptPlans,
    }),
  };
  return lanes;
}

interface Lasting {
  time_ms: number;
  settings: Readonly<Record<string, string>>;
}

const nobody: Asker = { caller: '', hasLeft: false, statements: 0 };
const cancellation = (processId: number) => ({
  text: 'select pg_cancel_backend($1::integer)',
  parameters: [String(processId)],
});

const common = {
  DateStyle: 'ISO',
  TimeZone: 'UTC',
  bytea_output: 'hex',
  jit: 'off',
  max_parallel_workers_per_gather: '0',
};

const timeouts = (time_ms: number) => ({
  statement_timeout: String(time_ms),
  lock_timeout: String(limits.lockTime_ms.value),
  idle_in_transaction_session_timeout: String(limits.idleTransaction_ms.value),
});

const keptPlans = { plan_cache_mode: 'force_generic_plan' };
// By default all comparisons count the same to the planner, long or short. It then looked into every name of an
// organization instead of its index (90 against 18 ms for a word that 12,000 of 200,000 names hold).
const plansForValues = { plan_cache_mode: 'force_custom_plan', cpu_operator_cost: '0.025' };

/**
 * A row for `insert into … ${row(sql, …)}` or `set ${row(sql, …)}`: columns and parameters by name.
 * Members that are undefined are left out.
 */
export function row(sql: Sql, members: Record<string, unknown>): Fragment {
  return sql(Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)));
}

/**
 * How a row is held until the transaction ends; null for reads. `no key update` keeps other such writes away, but not
 * those that merely need the row to stay: two records can then name each other at the same moment.
 */
export type Lock = 'update' | 'no key update' | 'key share' | null;

/** The end of a SELECT that finds a record of `table`: holds the row as `lock` says. */
export function held(sql: Sql, lock: Lock, table: string): Fragment {
  if (lock === 'update') return sql`for update of ${sql(table)}`;
  if (lock === 'no key update') return sql`for no key update of ${sql(table)}`;
  return lock === 'key share' ? sql`for key share of ${sql(table)}` : none;
}
