/** What one caller does to PostgreSQL is no matter for the others: each kind of weight, and who is asked meanwhile. */
import { beforeAll, describe, expect, test } from 'vitest';
import { openStore } from '../../src/core/store/store.ts';
import { buildApp } from '../../src/http/app.ts';
import { type Answer, openAppOn, type TestApp, useApp } from '../app.ts';
import { bodyOf, member, organization, randomName, type TestOrganization, team } from '../builders/records.ts';
import { workspace } from '../builders/workspace.ts';
import { createDatabase, createEmptyDatabase } from '../running/database.ts';
import { holdTransaction } from '../running/held.ts';
import { proxied } from '../running/proxied.ts';
import { useListening } from '../running/sockets.ts';

const app = useApp();
const listening = useListening(app);
let acme: TestOrganization;
let rival: TestOrganization;
let busy: string;
let quiet: string;

beforeAll(async () => {
  [acme, rival] = [await organization(app), await organization(app)];
  [busy, quiet] = [await workspace(app, acme), await workspace(app, rival)];
});

/** What others do: a caller of another organization reads and writes, a new one is recognized, a balancer asks. */
async function othersAreServed(): Promise<number[]> {
  const { token } = await member(app, rival);
  const answers = await Promise.all([
    app.get(`workspaces/${quiet}`, rival.owner.token),
    app.get(`organizations/${rival.name}/workspaces?search[name]=a`, rival.owner.token),
    app.get('account/details', token),
    app.patch(`workspaces/${quiet}`, rival.owner.token, bodyOf('workspaces', { description: randomName('d') })),
    app.get('/readyz', null),
  ]);
  return answers.map(({ status }) => status);
}

const patience = { timeout: 5000 };
const served = [200, 200, 200, 200, 200];

describe('beside', () => {
  test('a busy row and twenty writers of it → all others are served meanwhile; the writers get 503 and when to come again', async () => {
    const held = await holdTransaction(app.store);
    await held.sql`select workspaces.id from workspaces where workspaces.id = ${busy} for update`;
    let answered = 0;
    const writers = Array.from({ length: 20 }, async () => {
      const body = bodyOf('workspaces', { description: 'changed' });
      const answer = await app.patch(`workspaces/${busy}`, acme.owner.token, body);
      answered += 1;
      return answer;
    });
    const waiting = async () => {
      const [row] = await app.store.health`
        select count(*) as found from pg_stat_activity
        where pg_stat_activity.datname = current_database() and pg_stat_activity.wait_event_type = 'Lock'`;
      return row!['found'] as number;
    };
    // One waits in the database, the others for their turn in the server.
    await expect.poll(waiting, patience).toBe(1);
    expect(await othersAreServed()).toEqual(served);
    // On a busy machine the first ones have been refused by then.
    expect(answered).toBeLessThan(writers.length / 2);
    const answers: Answer[] = await Promise.all(writers);
    for (const { status, headers, problems } of answers) {
      expect([status, headers['retry-after']]).toEqual([503, '1']);
      expect(problems[0]).toMatch(/try again in a moment/);
    }
    await held.release();
    const body = bodyOf('workspaces', { description: 'changed' });
    expect((await app.patch(`workspaces/${busy}`, acme.owner.token, body)).status).toBe(200);
  });

  test('searches that take their whole time → all others are served meanwhile, searchers too', async () => {
    const caller = { caller: acme.owner.id, hasLeft: false, statements: 0 };
    const { search } = app.store.askedBy(caller);
    let ended = 0;
    const searches = Array.from({ length: 12 }, async () => {
      await search`select pg_sleep(4)`.catch(() => undefined);
      ended += 1;
    });
    expect(await othersAreServed()).toEqual(served);
    expect(ended).toBe(0);
    caller.hasLeft = true;
    await Promise.all(searches);
  });
});

test('a client that leaves ends its statement', async () => {
  const id = await team(app, acme);
  const sql = app.store.health;
  // A read that would take until its limit.
  await app.store.read`alter table teams rename to all_teams`;
  await app.store.read`create view teams as select all_teams.* from all_teams where pg_sleep(8) is not null`;
  const running = async () => {
    const [row] = await sql`
      select count(*) as found from pg_stat_activity
      where pg_stat_activity.datname = current_database() and pg_stat_activity.wait_event = 'PgSleep'`;
    return row!['found'] as number;
  };
  try {
    const head = `GET /api/v2/teams/${id} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${acme.owner.token}\r\n\r\n`;
    const begun = await listening.begin(head);
    await expect.poll(running, patience).toBe(1);
    begun.end();
    await expect.poll(running, patience).toBe(0);
  } finally {
    await app.store.read`drop view teams`;
    await app.store.read`alter table all_teams rename to teams`;
  }
  expect((await app.get(`teams/${id}`, acme.owner.token)).status).toBe(200);
});

test('a database without a schema is not ready', async () => {
  const database = await createEmptyDatabase();
  const store = openStore(database.connection, { connections: 1 });
  const bare = buildApp({ ...app.config, logLevel: 'silent' }, store);
  const answer = await bare.inject('/readyz');
  expect([answer.statusCode, answer.json()]).toEqual([503, { status: 'database without schema' }]);
  await bare.close();
  await store.close();
  await database.drop();
});

test('while PostgreSQL is away requests get 503 and when to come again; once it is back all are served', async () => {
  const door = await proxied(await createDatabase());
  const other: TestApp = await openAppOn(door.database, { TERRANE_LOG_LEVEL: 'silent' });
  const owner = await organization(other);
  const id = await workspace(other, owner);
  const ask = () =>
    Promise.all([
      other.get(`workspaces/${id}`, owner.owner.token),
      other.get(`organizations/${owner.name}/workspaces?search[name]=a`, owner.owner.token),
      other.patch(`workspaces/${id}`, owner.owner.token, bodyOf('workspaces', { description: randomName('d') })),
    ]);
  for (let round = 0; round < 3; round += 1) {
    expect((await ask()).map(({ status }) => status)).toEqual([200, 200, 200]);
    await door.shut();
    for (const { status, headers } of await ask()) expect([status, headers['retry-after']]).toEqual([503, '2']);
    expect((await other.get('/readyz', null)).status).toBe(503);
    await door.open();
    expect((await ask()).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await other.get('/readyz', null)).status).toBe(200);
  }
  await other.close();
  await door.database.drop();
});
