/** The PostgreSQL pool and its `sql` tag. Every statement of the server goes through one of the three doors of `Store`. */
import postgres from 'postgres';
import { type Kept, keep } from './kept.ts';

/** Where PostgreSQL listens: an operator's URL, or the private socket of the embedded server. */
export type Connection = { url: string } | { socketDirectory: string; port: number; user: string; database: string };

/** The tagged template: a query, or a fragment inside another query. */
export type Sql = postgres.Sql<{ timestamp: string }> & {
  /** Rows that were read through this door and may still hold; of a transaction there are none. */
  kept?: Kept;
};
export type Fragment = postgres.PendingQuery<postgres.Row[]>;

export interface Store {
  /** By id and by page: plans are prepared once and kept (planning was three quarters of such a statement's cost). */
  readonly read: Sql;
  /** Searches and filters: planned with their values (`like` is seven times slower under a kept plan). */
  readonly search: Sql;
  /** Runs `work` in one transaction, again when PostgreSQL asks for it (40001 serialization, 40P01 deadlock). */
  transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** A fragment that says nothing. */
export const none: Fragment = postgres('postgres://')`` as unknown as Fragment;

const attemptLimit = 5;

/**
 * Opens the pools. Connections are made when first used, and made again after PostgreSQL went away.
 * @param options.connections upper limit of each of the two pools
 * @param options.onStatement called with the text of every statement sent (statement counts in tests)
 */
export function openStore(
  connection: Connection,
  options: { connections?: number; keptRows?: number; onStatement?: (text: string) => void } = {},
): Store {
  const open = (planning: Record<string, string>): Sql => {
    const { onStatement } = options;
    const settings = {
      max: options.connections ?? 10,
      connect_timeout: 10,
      // Seconds before a lost connection is made again. The driver would wait up to 20 when several are lost at once.
      backoff: () => 0.05 + Math.random() * 0.1,
      fetch_types: false,
      onnotice: () => {},
      connection: {
        application_name: 'terrane',
        ...planning,
        TimeZone: 'UTC',
        jit: 'off',
        max_parallel_workers_per_gather: 0,
      },
      types: {
        timestamp: { to: 1184, from: [1184], serialize: (value: string) => value, parse: wireTimestamp },
        count: { to: 20, from: [20], serialize: String, parse: Number },
        texts: { to: 1009, from: [1009], serialize: textArray, parse: parseTextArray },
      },
      ...(onStatement && { debug: (_connection: number, text: string) => onStatement(text) }),
    };
    return 'url' in connection
      ? (postgres(connection.url, settings) as unknown as Sql)
      : (postgres({
          ...settings,
          host: connection.socketDirectory,
          port: connection.port,
          user: connection.user,
          database: connection.database,
        }) as unknown as Sql);
  };
  const read = Object.assign(open({ plan_cache_mode: 'force_generic_plan' }), { kept: keep(options.keptRows ?? 1000) });
  // By default a comparison counts as much whatever it compares; looking into every name of an organization was then
  // chosen over its index (90 against 18 ms for a word that 12,000 of 200,000 names hold).
  const search = open({ plan_cache_mode: 'force_custom_plan', cpu_operator_cost: '0.025' });
  return {
    read,
    search,
    transaction: work => transaction(read, work),
    close: async () => {
      await Promise.all([read.end({ timeout: 5 }), search.end({ timeout: 5 })]);
    },
  };
}

/**
 * A row for `insert into … ${row(sql, …)}` or `set ${row(sql, …)}`: columns and parameters by name.
 * Members that are undefined are left out.
 */
export function row(sql: Sql, members: Record<string, unknown>): Fragment {
  const given = Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
  return sql(given as never) as unknown as Fragment;
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
  return lock === 'key share' ? sql`for key share of ${sql(table)}` : sql``;
}

async function transaction<T>(sql: Sql, work: (sql: Sql) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return (await sql.begin(inner => work(inner as unknown as Sql))) as T;
    } catch (error) {
      if (attempt >= attemptLimit || !isRetryable(error)) throw error;
      await new Promise(resolve => setTimeout(resolve, Math.random() * 10 * 2 ** attempt));
    }
  }
}

function isRetryable(error: unknown): boolean {
  const code = (error as { code?: string } | null)?.code;
  return code === '40001' || code === '40P01';
}

/** PostgreSQL's `2026-11-21 11:29:59.12+00` in the wire's form, `2026-11-21T11:29:59.120Z` (§1). */
export function wireTimestamp(text: string): string {
  const zone = text.lastIndexOf('+');
  const clock = text.slice(11, zone);
  const point = clock.indexOf('.');
  const seconds = point < 0 ? clock : clock.slice(0, point);
  const fraction = point < 0 ? '' : clock.slice(point + 1);
  return `${text.slice(0, 10)}T${seconds}.${fraction.padEnd(3, '0').slice(0, 3)}Z`;
}

function textArray(values: readonly string[]): string {
  return `{${values.map(value => `"${value.replace(/[\\"]/g, '\\$&')}"`).join(',')}}`;
}

function parseTextArray(text: string): string[] {
  if (text === '{}') return [];
  if (!text.includes('"') && !text.includes('\\')) return text.slice(1, -1).split(',');
  const values: string[] = [];
  const element = /"((?:[^"\\]|\\.)*)"|([^",{}]+)/gs;
  for (const [, quoted, plain] of text.matchAll(element)) values.push(plain ?? quoted!.replace(/\\(.)/gs, '$1'));
  return values;
}
