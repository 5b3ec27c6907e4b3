/** A test database behind a door that can be shut: to the server it is as if PostgreSQL had gone away. */
import { connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import type { Connection } from '../../src/core/store/store.ts';
import { createDirectory, type TestDatabase } from './database.ts';

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
  const target = url
    ? { host: url.hostname, port: Number(url.port || 5432) }
    : { path: join((connection as { socketDirectory: string }).socketDirectory, socketName(connection)) };
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => sockets.add(socket.on('error', () => socket.destroy()));
  let server: Server;
  let port = 0;
  const open = () => {
    server = createServer(socket => {
      const upstream = connect(target as { port: number });
      keep(socket).add(upstream);
      keep(upstream);
      socket.pipe(upstream).pipe(socket);
    });
    const place = url ? { host: '127.0.0.1', port } : { path: join(directory, socketName(connection)) };
    return new Promise<void>(resolve => server.listen(place, resolve));
  };
  const shut = async () => {
    const closed = new Promise(resolve => server.close(resolve));
    for (const socket of sockets) socket.destroy();
    sockets.clear();
    await closed;
  };
  await open();
  if (url) {
    port = (server!.address() as { port: number }).port;
    url.host = `127.0.0.1:${port}`;
  }
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
