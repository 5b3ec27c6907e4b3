/** Two servers on one database, and who asks them. */
import { type Client, openClient } from './client.ts';
import { openPostgres, type Postgres } from './postgres.ts';
import { atExit } from './processes.ts';
import type { Told } from './program.ts';
import { adminToken, type Server, server } from './server.ts';

export interface Pair {
  postgres: Postgres;
  servers: readonly [Server, Server];
  /** The administrator's, one at each server. */
  clients: readonly [Client, Client];
}

export async function openPair(told: Pick<Told, 'program' | 'environment' | 'postgres'>): Promise<Pair> {
  const postgres = await openPostgres(told.postgres);
  const servers = [await server(postgres, told), await server(postgres, told)] as const;
  await Promise.all(servers.map(one => one.start()));
  const clients = [clientOf(servers[0]), clientOf(servers[1])] as const;
  return { postgres, servers, clients };
}

/** Closed at the end of the program. */
export function clientOf({ port }: Server, token = adminToken, connections = 64): Client {
  const client = openClient({ port, token, connections });
  atExit(() => client.close());
  return client;
}
