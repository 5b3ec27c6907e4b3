/** A backup's rows into an empty database: all of them, as they were written, or none. */
import { createHash, type Hash } from 'node:crypto';
import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { CommandError } from '../command-error.ts';
import type { Entry } from './archive.ts';
import { damaged, type Manifest, manifestPath, readJson, tableAt } from './contents.ts';
import { copied, quoted, type Table, tablesOf } from './tables.ts';

/** In one transaction, which ends with the connection where something is wrong. Throws CommandError where the database is not empty, or the backup not whole. */
export async function load(client: pg.Client, entries: AsyncIterable<Entry>): Promise<Manifest> {
  await client.query('begin');
  await requireEmpty(client);
  const tables = await tablesOf(client);
  const links = await setAside(client, tables);
  const { seen, manifest } = await copyIn(client, entries, tables);
  requireWhole(manifest, seen);
  await putBack(client, tables, links);
  await goOn(client, manifest);
  await client.query('commit');
  return manifest;
}

async function requireEmpty(client: pg.Client): Promise<void> {
  const { rows } = await client.query('select 1 from users union all select 1 from organizations limit 1');
  if (rows.length === 0) return;
  throw new CommandError(
    'The database holds accounts or organizations already: restore into an empty one, before the first start.',
  );
}

interface Link {
  table: string;
  name: string;
  definition: string;
}

/** Foreign keys are checked once all rows are there, and triggers would count everything a second time. */
async function setAside(client: pg.Client, tables: Table[]): Promise<Link[]> {
  const { rows: links } = await client.query<Link>(
    `select pg_class.relname as table, pg_constraint.conname as name, pg_get_constraintdef(pg_constraint.oid) as definition
     from pg_constraint join pg_class on pg_class.oid = pg_constraint.conrelid
     where pg_constraint.contype = 'f' and pg_constraint.connamespace = current_schema()::regnamespace
     order by pg_class.relname, pg_constraint.conname`,
  );
  for (const { table, name } of links)
    await client.query(`alter table ${quoted(table)} drop constraint ${quoted(name)}`);
  for (const { name } of tables) await client.query(`alter table ${quoted(name)} disable trigger user`);
  // What migrations put there is in the backup, too.
  await client.query(`truncate ${tables.map(({ name }) => quoted(name)).join(', ')}`);
  return links;
}

async function putBack(client: pg.Client, tables: Table[], links: Link[]): Promise<void> {
  for (const { name } of tables) await client.query(`alter table ${quoted(name)} enable trigger user`);
  for (const { table, name, definition } of links) {
    await client
      .query(`alter table ${quoted(table)} add constraint ${quoted(name)} ${definition}`)
      .catch((error: Error) => {
        throw new CommandError(`The rows of the backup do not belong together: ${error.message}.`);
      });
  }
}

type Seen = Map<string, { rows: number; bytes: number; sha256: string }>;

async function copyIn(client: pg.Client, entries: AsyncIterable<Entry>, tables: Table[]) {
  const seen: Seen = new Map();
  let manifest: Manifest | undefined;
  let current: Copying | undefined;
  for await (const entry of entries) {
    const { path, bytes } = entry;
    const table = tableAt(path);
    if (current && current.name !== table) {
      seen.set(current.name, await current.end());
      current = undefined;
    }
    if (path === manifestPath) manifest = readJson<Manifest>(entry);
    if (!table) continue;
    const known = tables.find(({ name }) => name === table);
    if (!known || seen.has(table))
      throw new CommandError(`The backup has rows of ${table} at a place where there can be none.`);
    current ??= copying(client, known);
    await current.write(bytes);
  }
  if (!manifest)
    throw new CommandError('The backup breaks off: what it holds is not said at its end. Nothing was restored.');
  return { seen, manifest };
}

interface Copying {
  name: string;
  write: (bytes: Buffer) => Promise<void>;
  end: () => Promise<{ rows: number; bytes: number; sha256: string }>;
}

function copying(client: pg.Client, table: Table): Copying {
  const stream = client.query(copyFrom(`copy ${copied(table)} from stdin`));
  const done = finished(stream).catch(fault => {
    throw isOfData(fault) ? damaged(`the rows of ${table.name} cannot be read (${fault.message})`) : fault;
  });
  // Told by whoever waits for it: the next write, or the end.
  done.catch(() => undefined);
  const digest: Hash = createHash('sha256');
  let length = 0;
  return {
    name: table.name,
    write: async bytes => {
      digest.update(bytes);
      length += bytes.length;
      if (!stream.write(bytes)) await Promise.race([once(stream, 'drain'), done]);
    },
    end: async () => {
      stream.end();
      await done;
      return { rows: stream.rowCount, bytes: length, sha256: digest.digest('hex') };
    },
  };
}

function requireWhole({ tables }: Manifest, seen: Seen): void {
  for (const [name, { rows, sha256 }] of Object.entries(tables)) {
    const found = seen.get(name);
    const isSame = found ? found.rows === rows && found.sha256 === sha256 : rows === 0;
    if (!isSame) throw damaged(`the rows of ${name} are not those that were written`);
  }
  const unknown = [...seen.keys()].filter(name => !tables[name]);
  if (unknown.length > 0) throw damaged(`it says nothing of ${unknown.join(', ')}`);
}

/** PostgreSQL refuses what is no value of its column (class 22), or cannot stand in its table (class 23). */
const isOfData = ({ code }: { code?: string }) => /^2[23]/.test(code ?? '');

/** Numbers are drawn from where they were, and nobody has work in hand that another server began. */
async function goOn(client: pg.Client, { sequences }: Manifest): Promise<void> {
  for (const [name, last] of Object.entries(sequences)) {
    if (last !== null) await client.query('select setval($1::regclass, $2::bigint)', [quoted(name), last]);
  }
  await client.query('update leases set holder_id = null, expires_at = null');
}
