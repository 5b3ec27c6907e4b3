/** A test database behind a door that can be shut: to the server it is as if PostgreSQL had gone away. */
import { join } from 'node:path';
import type { Connection } from '../../src/core/store/store.ts';
import { createDirectory, type TestDatabase } from './database.ts';
import { openDoor } from './door.ts';

export interface Proxied {
  /** The same database, through the door. */
  database: TestDatabase;
  /** Breaks every connection, and lets none in until `open`. */
  shut: () => Promise<void>;
  open: () => Promise<void>;
}

export async function proxied(database: TestDatabase): Promise<Proxied> {
  const { connection } = database;
  const directory = createDirectory();
  const url = 'url' in connection ? new URL(connection.url) : null;
  const { shut, open, port } = url
    ? await openDoor({ host: url.hostname, port: Number(url.port || 5432) }, { host: '127.0.0.1' })
    : await openDoor(
        { path: join((connection as { socketDirectory: string }).socketDirectory, socketName(connection)) },
        { path: join(directory, socketName(connection)) },
      );
  if (url) url.host = `127.0.0.1:${port}`;
  const through: Connection = url
    ? { url: url.href }
    : { ...(connection as object as Direct), socketDirectory: directory };
  const drop = async () => {
    await shut().catch(() => undefined);
    await database.drop();
  };
  return { database: { connection: through, drop }, shut, open };
}

type Direct = Exclude<Connection, { url: string }>;

const socketName = (connection: Connection) => `.s.PGSQL.${'port' in connection ? connection.port : 5432}`;
