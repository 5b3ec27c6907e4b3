/** Organizations of different sizes, each in a database of its own, on one embedded PostgreSQL with durable settings. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seed } from '../src/commands/seed/seed.ts';
import { loadConfig } from '../src/core/config.ts';
import { startEmbedded } from '../src/core/store/embedded.ts';
import { migrate } from '../src/core/store/migrate.ts';
import { type Connection, openStore } from '../src/core/store/store.ts';
import { bootstrapAdministrator } from '../src/people/tokens/bootstrap.ts';
import { addMembers, type Member } from './members.ts';

export const token = 'a-token-for-measuring-only';
export const pepper = 'a pepper for measuring only';
export const encryptionKey = 'a key for measuring, of no use elsewhere';
export const organization = 'measured';
/** Where workspaces are created, so that the measured organization keeps its size. */
export const scratch = 'scratch';
const teams = 50;

type SocketConnection = Extract<Connection, { socketDirectory: string }>;

/** What `--sizes` names: `5000` is one organization, `5000x200` is one of two hundred in the same database. */
export interface Size {
  /** Of each organization. */
  size: number;
  organizations: number;
}

export function sizesOf(text: string): Size[] {
  return text.split(',').map(part => {
    const [size, organizations = 1] = part.split('x').map(Number);
    return { size: size!, organizations };
  });
}

/** `5,000 × 200`: as tables and budgets say it. */
export function told({ size, organizations }: Size): string {
  const each = size.toLocaleString('en');
  return organizations === 1 ? each : `${each} × ${organizations}`;
}

export interface Database extends Size {
  connection: SocketConnection;
  members: readonly Member[];
}

/** How a process is told of the database: an address cannot name a socket, the driver's own variables can. */
export function environmentOf({ connection }: Pick<Database, 'connection'>): Record<string, string> {
  const { socketDirectory, user, database } = connection;
  return { DATABASE_URL: `postgres:///${database}`, PGHOST: socketDirectory, PGUSER: user };
}

export interface Databases {
  all: readonly Database[];
  close: () => Promise<void>;
}

/** Makes and fills the databases. `directory` keeps them for the next run; without it they are thrown away. */
export async function openDatabases(sizes: readonly Size[], directory?: string): Promise<Databases> {
  const place = directory ?? mkdtempSync(join(tmpdir(), 'terrane-bench-'));
  const silent = () => undefined;
  const log = { debug: silent, info: silent, warn: console.error, error: console.error };
  const embedded = await startEmbedded({ dataDirectory: place, log });
  const close = async () => {
    await embedded.stop();
    if (!directory) rmSync(place, { recursive: true, force: true });
  };
  try {
    const all: Database[] = [];
    for (const size of sizes) all.push(await fill(embedded.connection, size));
    return { all, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function fill(server: SocketConnection, { size, organizations }: Size): Promise<Database> {
  const suffix = organizations === 1 ? '' : `x${organizations}`;
  const connection = { ...server, database: `size_${size}${suffix}` };
  const maintenance = openStore(server, { connections: 1, isPatient: true });
  const { read: sql } = maintenance;
  const [known] = await sql`select 1 from pg_database where pg_database.datname = ${connection.database}`;
  if (!known) await sql`create database ${sql(connection.database)}`;
  await maintenance.close();
  await migrate(connection);
  const { config } = loadConfig({ TERRANE_ADMIN_TOKEN: token, TERRANE_TOKEN_PEPPER: pepper });
  const store = openStore(connection, { isPatient: true });
  let members: Member[];
  try {
    await bootstrapAdministrator(store, config);
    const [administrator] = await store.read<{ id: string; username: string; email: string }[]>`
      select users.id, users.username, users.email from users where users.username = 'admin'`;
    const started = performance.now();
    const seeded = await seed(store, administrator!, { organization, workspaces: size, teams, seed: 'bench' });
    let added = seeded.added['workspaces']!;
    await seed(store, administrator!, { organization: scratch, workspaces: 0, teams: 0, seed: 'bench' });
    for (let neighbour = 1; neighbour < organizations; neighbour += 1) {
      const name = `neighbour-${neighbour}`;
      const more = await seed(store, administrator!, { organization: name, workspaces: size, teams, seed: name });
      added += more.added['workspaces']!;
    }
    const seconds = (performance.now() - started) / 1000;
    console.log(
      `seeded ${added.toLocaleString('en')} workspaces in ${seconds.toFixed(1)} s ` +
        `(${Math.round(added / seconds).toLocaleString('en')} a second)`,
    );
    const [measured] = await store.read<{ id: string }[]>`
      select organizations.id from organizations where organizations.name = ${organization}`;
    members = await addMembers(store, measured!.id, pepper);
    if (added > 0) await store.read`vacuum analyze`;
    // Else it would be written to the disk while the first ones are measured.
    await store.read`checkpoint`;
  } finally {
    await store.close();
  }
  return { size, organizations, connection, members };
}
