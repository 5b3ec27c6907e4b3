// A server of several processes, as an operator runs it: what one of them acknowledges the others know, and one may die.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { Client } from 'undici';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { pepper } from '../../../test/app.ts';
import { createDatabase, createDirectory, reachableUrl } from '../../../test/running/database.ts';
import { operatorToken, type Server, startServer } from '../../../test/running/server.ts';

const patience = { timeout: 30_000, interval: 100 };
const metricsToken = 'a-token-for-metrics';
const headers = { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/vnd.api+json' };
const closers: (() => unknown)[] = [];
let environment: Record<string, string>;
let server: Server;
let clients: Client[] = [];

beforeAll(async () => {
  const database = await createDatabase();
  const { url, close } = await reachableUrl(database.connection);
  environment = {
    DATABASE_URL: url,
    TERRANE_TOKEN_PEPPER: pepper,
    TERRANE_ENCRYPTION_KEY: 'the encryption key of this test',
    TERRANE_DATA_DIR: join(createDirectory(), 'data'),
    TERRANE_WORKERS: '2',
    TERRANE_METRICS_TOKEN: metricsToken,
  };
  closers.push(database.drop, close);
  server = await startServer(environment);
  closers.push(() => server.end());
  const made = await server.call('POST', 'organizations', {
    data: { type: 'organizations', attributes: { name: 'acme', email: 'acme@example.com' } },
  });
  expect(made.status).toBe(201);
}, 120_000);

afterEach(async () => {
  for (const client of clients) await client.destroy();
  clients = [];
});

afterAll(async () => {
  for (const close of closers.reverse()) await close();
}, 60_000);

/** The processes that serve: those of the first one that are no PostgreSQL. */
function workers(): number[] {
  const children = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(server.pid)], { encoding: 'utf8' });
  return children
    .split('\n')
    .filter(line => line.includes('main.js'))
    .map(line => Number.parseInt(line, 10));
}

/** One connection, which one worker has for as long as it lasts. */
function connection() {
  const client = new Client(server.address);
  clients.push(client);
  return async (method: string, path: string, body?: object) => {
    const answer = await client.request({
      path: `/api/v2/${path}`,
      method: method as 'GET',
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.body.text();
    return { status: answer.statusCode, data: text === '' ? undefined : JSON.parse(text).data };
  };
}

const workspaceOf = (attributes: object) => ({ data: { type: 'workspaces', attributes } });

/** Of the requests in the log, the processes that answered those of an operation. */
const answeredBy = (operation: string) =>
  new Set(
    server
      .output()
      .split('\n')
      .filter(line => line.includes(`"operation":"${operation}"`))
      .map(line => JSON.parse(line).pid),
  );

test('§1 what one worker acknowledged the other one shows at once', async () => {
  const [one, two] = [connection(), connection()];
  const made = await one('POST', 'organizations/acme/workspaces', workspaceOf({ name: 'shared' }));
  const path = `workspaces/${made.data.id}`;
  for (let round = 0; round < 50; round += 1) {
    const [writer, reader] = round % 2 === 0 ? [one, two] : [two, one];
    const description = `round ${round}`;
    expect((await writer('PATCH', path, workspaceOf({ description }))).status).toBe(200);
    expect((await reader('GET', path)).data.attributes.description).toBe(description);
  }
  await vi.waitFor(() => expect(answeredBy('workspaces.update').size).toBe(2), patience);
  expect(answeredBy('workspaces.show').size).toBe(2);
}, 60_000);

test('metrics are told of all workers, whichever is asked', async () => {
  const [one, two] = [connection(), connection()];
  for (const ask of [one, two, two]) expect((await ask('GET', 'organizations/acme')).status).toBe(200);
  const answer = await fetch(`${server.address}/metrics`, { headers: { authorization: `Bearer ${metricsToken}` } });
  const text = await answer.text();
  expect(text).toContain('terrane_requests_total{operation="organizations.show",status="200"} 3');
  expect(text).toMatch(/^terrane_lane_connections_limit\{lane="write"\} 20$/m);
  expect(text).toMatch(/^terrane_database_connections_limit \d+$/m);
}, 60_000);

test('kill -9 of a worker under load loses nothing that was acknowledged, and the others go on', async () => {
  const acknowledged: string[] = [];
  const [victim] = workers();
  let answered = 0;
  const write = async (writer: number) => {
    let send = connection();
    for (let number = 0; number < 40; number += 1) {
      const name = `w-${writer}-${number}`;
      try {
        const { status } = await send('POST', 'organizations/acme/workspaces', workspaceOf({ name }));
        if (status === 201) acknowledged.push(name);
      } catch {
        // The worker of this connection is gone: another one takes the next.
        send = connection();
      }
      answered += 1;
      if (answered === 100) process.kill(victim!, 'SIGKILL');
    }
  };
  await Promise.all(Array.from({ length: 8 }, (_, writer) => write(writer)));
  expect(answered).toBe(320);
  // At most what each connection of the victim had under way.
  expect(acknowledged.length).toBeGreaterThanOrEqual(320 - 8);
  const found = new Set<string>();
  for (let page = 1; page <= 4; page += 1) {
    const { document } = await server.call(
      'GET',
      `organizations/acme/workspaces?page%5Bsize%5D=100&page%5Bnumber%5D=${page}`,
    );
    for (const { attributes } of document.data) found.add(attributes.name);
  }
  expect(acknowledged.filter(name => !found.has(name))).toEqual([]);
  await vi.waitFor(() => expect(workers()).toHaveLength(2), patience);
  expect(workers()).not.toContain(victim);
  expect(server.output()).toContain('a worker has ended, and is started again');
}, 120_000);

test('who is handed to a worker that hangs and is killed hears that the connection ended', async () => {
  await vi.waitFor(() => expect(workers()).toHaveLength(2), patience);
  const [, victim] = workers();
  process.kill(victim!, 'SIGSTOP');
  const outcomes: unknown[] = [];
  const asked = Array.from({ length: 4 }, async () => {
    const outcome = await connection()('GET', 'organizations/acme').then(
      ({ status }) => status,
      (fault: Error) => fault.message,
    );
    outcomes.push(outcome);
  });
  await vi.waitFor(() => expect(outcomes).toEqual([200, 200, 200]), patience);
  process.kill(victim!, 'SIGKILL');
  await Promise.all(asked);
  expect(outcomes).toEqual([200, 200, 200, expect.stringMatching('ECONNRESET|other side closed')]);
}, 60_000);

test('a port that is taken is said, and nothing is left behind', async () => {
  const taken = new URL(server.address).port;
  await expect(startServer({ ...environment, PORT: taken })).rejects.toThrow(`Port ${taken} of 127.0.0.1 is in use`);
}, 60_000);

test('workers end with the first process, however that ends', async () => {
  const before = workers();
  expect(before).toHaveLength(2);
  await server.end('SIGKILL');
  const isAlive = (pid: number) => {
    try {
      process.kill(pid, 0);
      return true;
    } catch {
      return false;
    }
  };
  await vi.waitFor(() => expect(before.filter(isAlive)).toEqual([]), patience);
}, 60_000);
