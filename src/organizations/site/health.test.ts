import { afterAll, beforeAll, expect, test } from 'vitest';
import { openApp, useApp } from '../../../test/app.ts';
import { organization, type Person, person } from '../../../test/builders/records.ts';
import { holdTransaction } from '../../../test/running/held.ts';
import { knownVersion } from '../../core/store/migrate.ts';
import { programVersion } from '../../core/version.ts';
import { attentionTo, type Observed } from './attention.ts';
import { sayThatItServes } from './servers.ts';

const app = useApp();
let administrator: Person;
beforeAll(async () => {
  administrator = await person(app, { isAdmin: true });
});
const path = 'admin/health';
const log = { warn: () => undefined };

test('§1 a site administrator sees at one look how the installation is', async () => {
  const gone = await sayThatItServes(app.store, log);
  afterAll(gone);
  const { status, data } = await app.get(path, administrator.token);
  expect(status).toBe(200);
  expect(data).toMatchObject({ id: 'health', type: 'health-reports', links: { self: '/api/v2/admin/health' } });
  const { attributes } = data;
  expect(attributes.schema).toEqual({ version: knownVersion(), known: knownVersion() });
  expect(attributes.lanes.map(({ name }: { name: string }) => name).sort()).toEqual([
    ...['health', 'identify', 'read', 'search', 'watch', 'write'],
  ]);
  expect(attributes.database).toMatchObject({
    version: expect.stringMatching(/^\d+/),
    'connections-limit': expect.any(Number),
  });
  expect(attributes.jobs).toEqual([
    { name: 'data-retention', 'holder-id': null, 'expires-at': null, 'finished-at': null },
  ]);
  expect(attributes.servers).toMatchObject([
    { version: programVersion(), 'schema-version': knownVersion(), 'process-id': process.pid, 'is-answering': true },
  ]);
  expect(attributes.agents).toMatchObject({ 'jobs-queued': 0, 'oldest-queued-seconds': 0 });
});

test('§5 it is missing for everybody else', async () => {
  const acme = await organization(app);
  const hidden = await app.get(path, acme.owner.token);
  expect([hidden.status, hidden.text]).toEqual([404, (await app.get('admin/nowhere', acme.owner.token)).text]);
});

test('health: a server is there while it serves, is told to be silent when it is, and is forgotten after a day', async () => {
  const other = await openApp();
  const someone = await person(other, { isAdmin: true });
  const [first, second] = [await sayThatItServes(other.store, log), await sayThatItServes(other.store, log)];
  await other.store.read`
    update servers set seen_at = now() - interval '1 minute', host = 'silent'
    where servers.id = (select min(servers.id) from servers)`;
  const shown = async () => (await other.get(path, someone.token)).data.attributes;
  const report = await shown();
  expect(report.servers.map((server: Record<string, unknown>) => server['is-answering']).sort()).toEqual([false, true]);
  expect(report.status).toBe('attention');
  expect(report.attention.join()).toContain('The server silent');
  await other.store.read`update servers set seen_at = now() - interval '2 days' where servers.host = 'silent'`;
  const third = await sayThatItServes(other.store, log);
  expect((await shown()).servers).toHaveLength(2);
  for (const end of [first, second, third]) await end();
  expect((await shown()).servers).toEqual([]);
  await other.close();
});

test('health: a transaction that somebody left open is seen', async () => {
  const other = await openApp();
  const someone = await person(other, { isAdmin: true });
  const held = await holdTransaction(other.store);
  await held.sql`update leases set expires_at = now()`;
  const { data } = await other.get(path, someone.token);
  expect(data.attributes.database['oldest-write-seconds']).toBeGreaterThan(0);
  await held.release();
  await other.close();
});

const calm: Observed = {
  schema: { version: 46, known: 46 },
  database: { connections: 20, 'connections-limit': 100, 'oldest-write-seconds': 0.1, 'is-embedded': true },
  lanes: [{ name: 'read', waiting: 0 }],
  replicas: [{ name: 'second', 'lag-bytes': 1000 }],
  jobs: [{ name: 'data-retention', 'finished-at': new Date(0).toISOString() }],
  disk: { 'free-bytes': 100 * 1024 ** 3, 'total-bytes': 200 * 1024 ** 3 },
  servers: [{ host: 'one', 'process-id': 1, version: '1.0.0', 'is-answering': true }],
  agents: { answering: 1, 'jobs-queued': 0, 'oldest-queued-seconds': 0 },
};
const hour_ms = 3_600_000;

test('health: what is as it should be asks for nothing, and each thing that is not for one look', () => {
  expect(attentionTo(calm, hour_ms)).toEqual([]);
  const cases: [Partial<Observed>, RegExp][] = [
    [{ schema: { version: 47, known: 46 } }, /^The schema is newer/],
    [{ database: { ...calm.database, connections: 95 } }, /^Nearly all connections/],
    [{ database: { ...calm.database, 'oldest-write-seconds': 31 } }, /^A transaction that writes/],
    [{ disk: { 'free-bytes': 1, 'total-bytes': 100 } }, /^The disk/],
    [{ lanes: [{ name: 'search', waiting: 101 }] }, /^101 statements wait in the lane search/],
    [{ replicas: [{ name: 'second', 'lag-bytes': 2 ** 30 }] }, /^The replica second/],
    [
      { servers: [...calm.servers, { version: '2.0.0', 'is-answering': true }] },
      /different versions \(1\.0\.0, 2\.0\.0\)/,
    ],
    [{ agents: { answering: 0, 'jobs-queued': 1, 'oldest-queued-seconds': 301 } }, /no agent answers/],
    [{ agents: { answering: 1, 'jobs-queued': 1, 'oldest-queued-seconds': 301 } }, /no agent of its pool is free/],
  ];
  for (const [seen, sentence] of cases) {
    const found = attentionTo({ ...calm, ...seen }, hour_ms);
    expect(found).toEqual([expect.stringMatching(sentence)]);
  }
  expect(attentionTo(calm, 4 * hour_ms)).toEqual([expect.stringMatching(/^The job data-retention/)]);
});
