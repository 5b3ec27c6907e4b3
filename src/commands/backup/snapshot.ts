/** All rows as they are at one moment, while servers go on writing. */
import { createHash } from 'node:crypto';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import type { Config } from '../../core/config.ts';
import { addressOf, type Connection } from '../../core/store/connection.ts';
import { keyNames } from '../../core/store/secrets.ts';
import { programVersion } from '../../core/version.ts';
import type { Entry } from './archive.ts';
import {
  formatVersion,
  type Heading,
  headingPath,
  type Manifest,
  manifestPath,
  rowsPath,
  type Written,
} from './contents.ts';
import { contentsIncluded, type Inclusion, nothingMore } from './contents-in-objects.ts';
import { quoted, type Table, tablesOf } from './tables.ts';

const piece_bytes = 8 * 1024 * 1024;

/** Runs `work` on a connection that knows no limits of time, and closes it. */
export async function withClient<Result>(
  connection: Connection,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ ...addressOf(connection), application_name: 'terrane backup', keepAlive: true });
  // What breaks off is told to whoever waits for a statement.
  client.on('error', () => undefined);
  await client.connect();
  try {
    const result = await work(client);
    await client.end();
    return result;
  } catch (error) {
    // A copy under way would be waited for; PostgreSQL undoes what breaks off.
    client.connection.stream.destroy();
    throw error;
  }
}

/** The entries of a backup. `told` learns what was written once the last one has been taken. */
export async function* snapshot(
  client: pg.Client,
  config: Config,
  { leavesObjects }: { leavesObjects: boolean },
  told: (manifest: Manifest) => void,
): AsyncGenerator<Entry> {
  // One moment for all tables: what is committed later is not seen, and holds nobody up.
  await client.query('begin isolation level repeatable read, read only');
  const inclusion = leavesObjects ? nothingMore : await contentsIncluded(client, config);
  const { blobs } = config;
  const leftAt = leavesObjects && blobs ? { objects: `s3://${blobs.name}/${blobs.prefix}` } : {};
  yield json(headingPath, { ...(await heading(client, config)), ...leftAt });
  const manifest: Manifest = { tables: {}, sequences: await sequences(client) };
  for (const table of await tablesOf(client)) manifest.tables[table.name] = yield* rowsOf(client, table, inclusion);
  await client.query('commit');
  yield json(manifestPath, manifest);
  told(manifest);
}

const json = (path: string, value: object): Entry => ({
  path,
  bytes: Buffer.from(`${JSON.stringify(value, null, 1)}\n`),
});

async function heading(client: pg.Client, config: Config): Promise<Heading> {
  const { rows: migrations } = await client.query<Heading['migrations'][number]>(
    'select version, name, checksum from schema_migrations where version > 0 order by version',
  );
  const { rows } = await client.query<{ at: string; server_version: string }>(
    `select to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at, current_setting('server_version') as server_version`,
  );
  return {
    format: formatVersion,
    version: programVersion(),
    created_at: rows[0]!.at,
    server_version: rows[0]!.server_version,
    migrations,
    keys: keyNames(config).map(({ id, from }) => ({ id, from })),
  };
}

async function sequences(client: pg.Client): Promise<Manifest['sequences']> {
  const { rows } = await client.query<{ name: string; last_value: string | null }>(
    'select sequencename as name, last_value::text from pg_sequences where schemaname = current_schema() order by 1',
  );
  return Object.fromEntries(rows.map(({ name, last_value }) => [name, last_value]));
}

/** Its rows as PostgreSQL copies them out, in pieces. */
async function* rowsOf(client: pg.Client, table: Table, { cleared, more }: Inclusion): AsyncGenerator<Entry, Written> {
  const digest = createHash('sha256');
  const stream = client.query(copyTo(`copy (${selected(table, cleared(table))}) to stdout`));
  let [pieces, length, bytes, count, added]: [Buffer[], number, number, number, number] = [[], 0, 0, 0, 0];
  const entry = () => {
    count += 1;
    const whole = Buffer.concat(pieces);
    [pieces, length] = [[], 0];
    return { path: rowsPath(table.name, count), bytes: whole };
  };
  const add = (piece: Buffer) => {
    digest.update(piece);
    pieces.push(piece);
    length += piece.length;
    bytes += piece.length;
    return length >= piece_bytes;
  };
  for await (const piece of stream as AsyncIterable<Buffer>) if (add(piece)) yield entry();
  for await (const line of more(table)) {
    added += 1;
    if (add(line)) yield entry();
  }
  if (length > 0) yield entry();
  return { columns: table.columns, rows: stream.rowCount + added, bytes, sha256: digest.digest('hex') };
}

function selected({ name, columns }: Table, cleared: readonly string[]): string {
  const values = columns.map(column => (cleared.includes(column) ? `null as ${quoted(column)}` : quoted(column)));
  return `select ${values.join(', ')} from ${quoted(name)}`;
}
