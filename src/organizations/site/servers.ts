/** The servers on this database, as each says of itself. */
import { hostname } from 'node:os';
import { type RepeatLog, repeat } from '../../core/repeat.ts';
import { newId } from '../../core/store/ids.ts';
import { knownVersion } from '../../core/store/migrate.ts';
import type { Sql, Store } from '../../core/store/store.ts';
import { programVersion } from '../../core/version.ts';

export interface KnownServer {
  id: string;
  host: string;
  process_id: number;
  version: string;
  node_version: string;
  schema_version: number;
  started_at: string;
  seen_at: string;
  is_answering: boolean;
}

const interval_ms = 15_000;
/** Three times it may be late before it counts as gone. */
const patience_seconds = 45;

/** The servers that were heard of in the last day, in the order in which they started. */
export function knownServers(sql: Sql): Promise<KnownServer[]> {
  return sql<KnownServer[]>`
    select servers.id, servers.host, servers.process_id, servers.version, servers.node_version, servers.schema_version,
      servers.started_at, servers.seen_at,
      servers.seen_at > now() - make_interval(secs => ${patience_seconds}::integer) as is_answering
    from servers order by servers.started_at, servers.id limit 200`;
}

/** Says at once and every fifteen seconds that this server is there, until the returned function is called, which takes it away. */
export async function sayThatItServes(store: Store, log: RepeatLog): Promise<() => Promise<void>> {
  const id = newId('srv');
  const started = new Date();
  const say = () => note(store.read, id, started);
  await say();
  const stop = repeat(interval_ms, say, log, 'the server could not say that it is there');
  return async () => {
    await stop();
    // Best effort: whoever is not heard of is taken away by the others within a day.
    await store.read`delete from servers where servers.id = ${id}`.catch(() => undefined);
  };
}

async function note(sql: Sql, id: string, started: Date): Promise<void> {
  await sql`
    with gone as (delete from servers where servers.seen_at < now() - interval '1 day')
    insert into servers (id, host, process_id, version, node_version, schema_version, started_at)
    values (${id}, ${hostname()}, ${process.pid}, ${programVersion()}, ${process.version}, ${knownVersion()}, ${started})
    on conflict (id) do update set seen_at = clock_timestamp()`;
}
