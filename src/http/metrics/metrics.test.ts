import { once } from 'node:events';
import { createConnection } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openApp, type TestApp, useApp } from '../../../test/app.ts';
import { organization, type TestOrganization } from '../../../test/builders/records.ts';
import { move, run } from '../../../test/builders/run.ts';
import { pushOf, webhook } from '../../../test/builders/webhook.ts';
import { oauthConnection, workspace } from '../../../test/builders/workspace.ts';
import { useLimits } from '../../../test/limits.ts';
import { holdTransaction } from '../../../test/running/held.ts';
import { openPair } from '../../../test/running/pair.ts';
import { workOffClaims } from '../../core/claims.ts';
import type { Config } from '../../core/config.ts';
import { databaseFigures } from '../../organizations/site/figures.ts';
import { repositoryEvents } from '../../runs/repository-events/work-off.ts';
import { runRetention } from '../../workspaces/retention/job.ts';
import { buildApp } from '../app.ts';
import { listenForMetrics } from './door.ts';

const token = 'the-token-of-who-watches';
const app = useApp({ TERRANE_METRICS_TOKEN: token });
let acme: TestOrganization;
beforeAll(async () => {
  acme = await organization(app);
});

/** The value of each series, by its name and labels. */
async function scrape(of: TestApp = app): Promise<Map<string, number>> {
  const answer = await of.app.inject({ url: '/metrics', headers: { authorization: `Bearer ${token}` } });
  expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, expect.stringMatching(/^text\/plain/)]);
  return readSeries(answer.body);
}

function readSeries(text: string): Map<string, number> {
  const lines = text.split('\n').filter(line => line.startsWith('terrane_'));
  return new Map(lines.map(line => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]));
}

test('metrics: who shows no token, or another one, learns nothing: it is a missing page', async () => {
  const missing = await app.app.inject('/nothing-is-here');
  for (const headers of [
    {},
    { authorization: 'Bearer another token' },
    { authorization: `Bearer ${acme.owner.token}` },
  ]) {
    const answer = await app.app.inject({ url: '/metrics', headers });
    expect([answer.statusCode, answer.body]).toEqual([404, missing.body]);
  }
});

test('metrics: a server that is asked for none counts nothing and has no page', async () => {
  const other = await openApp();
  expect(other.app.metrics).toBeNull();
  expect((await other.app.inject({ url: '/metrics', headers: { authorization: `Bearer ${token}` } })).statusCode).toBe(
    404,
  );
  await other.close();
});

test('metrics: requests are counted by operation and status, with their statements and times', async () => {
  const id = await workspace(app, acme);
  const shown = 'operation="workspaces.show"';
  const before = await scrape();
  for (let time = 0; time < 3; time += 1) await app.get(`workspaces/${id}`, acme.owner.token);
  await app.get('workspaces/ws-nowhere', acme.owner.token);
  const after = await scrape();
  const grown = (series: string) => (after.get(series) ?? 0) - (before.get(series) ?? 0);
  expect(grown(`terrane_requests_total{${shown},status="200"}`)).toBe(3);
  expect(grown(`terrane_requests_total{${shown},status="404"}`)).toBe(1);
  expect(grown(`terrane_request_duration_seconds_count{${shown}}`)).toBe(4);
  expect(grown(`terrane_request_duration_seconds_bucket{le="+Inf",${shown}}`)).toBe(4);
  expect(grown(`terrane_request_statements_total{${shown}}`)).toBeGreaterThanOrEqual(4);
  expect(grown('terrane_lane_works_total{lane="read"}')).toBeGreaterThanOrEqual(4);
  expect(grown('terrane_kept_lookups_total{result="hit"}')).toBeGreaterThanOrEqual(1);
  expect(after.get('terrane_requests_under_way')).toBe(1);
});

test('metrics: whatever addresses are asked for, there are as many series as operations', async () => {
  await Promise.all(Array.from({ length: 50 }, (_, at) => app.get(`nothing/${at}?name=${at}`, acme.owner.token)));
  await app.app.inject('/docs/nowhere');
  const names = [...(await scrape()).keys()].filter(name => name.startsWith('terrane_requests_total'));
  expect(names.filter(name => name.includes('"none"'))).toEqual([
    'terrane_requests_total{operation="none",status="404"}',
  ]);
  expect(names).toContain('terrane_requests_total{operation="docs",status="404"}');
  expect(names.join()).not.toMatch(/nothing|nowhere/);
});

test('metrics: what the database holds is told: locks, runs by status, contents', async () => {
  const other = await openApp({ TERRANE_METRICS_TOKEN: token });
  const owner = await organization(other);
  const [locked, busy] = [await workspace(other, owner), await workspace(other, owner)];
  await other.post(`workspaces/${locked}/actions/lock`, owner.owner.token, {});
  await move(other, await run(other, owner, busy), 'planning');
  const series = await scrape(other);
  expect(series.get('terrane_locked_workspaces')).toBe(2);
  expect(series.get('terrane_runs{status="planning"}')).toBe(1);
  expect(series.get('terrane_oldest_lock_seconds')).toBeGreaterThanOrEqual(0);
  expect(series.get('terrane_blobs_unkept')).toBe(0);
  expect(series.get('terrane_database_connections_limit')).toBeGreaterThan(0);
  expect(series.get('terrane_figures_missing')).toBe(0);
  await other.close();
});

test('metrics: deliveries of webhooks that wait are told, and then the fetches that follow from them', async () => {
  const other = await openApp({ TERRANE_METRICS_TOKEN: token });
  const owner = await organization(other);
  const { clientId, tokenId } = await oauthConnection(other, owner, { service_provider: 'git' });
  const vcs_repo = { identifier: 'acme/net', 'oauth-token-id': tokenId, branch: '', 'ingress-submodules': false };
  await workspace(other, owner, { queue_all_runs: true, vcs_repo: other.store.read.json(vcs_repo) });
  const hook = await webhook(other, owner, clientId);
  const names = ['webhook_deliveries_waiting', 'oldest_webhook_delivery_seconds', 'fetches_waiting'];
  // What was asked of the database is kept for some seconds, so each look is that of a server of its own.
  const look = async () => {
    const fresh = buildApp(other.config, other.store);
    const { body } = await fresh.inject({ url: '/metrics', headers: { authorization: `Bearer ${token}` } });
    await fresh.close();
    return names.map(name => readSeries(body).get(`terrane_${name}`));
  };
  expect(await look()).toEqual([0, undefined, 0]);
  await hook.send(pushOf('acme/net'));
  expect(await look()).toEqual([1, expect.any(Number), 0]);
  await workOffClaims(repositoryEvents(() => ({ store: other.store, config: other.config })));
  expect(await look()).toEqual([0, undefined, 1]);
  await other.close();
});

test('metrics: data retention that came to its end is told, on whichever server it ran', async () => {
  const { one, two, close } = await openPair({ TERRANE_METRICS_TOKEN: token });
  await runRetention(one.store, one.config, { isStopped: () => true });
  expect((await scrape(one)).has('terrane_retention_age_seconds')).toBe(false);
  await runRetention(one.store, one.config);
  expect((await scrape(two)).get('terrane_retention_age_seconds')).toBeGreaterThanOrEqual(0);
  await close();
});

test('metrics: however many ask at once, the database is asked once', async () => {
  const other = await openApp({ TERRANE_METRICS_TOKEN: token });
  const asked = await other.statementsOf(() => Promise.all(Array.from({ length: 20 }, () => scrape(other))));
  expect(asked).toHaveLength(databaseFigures.length);
  expect(await other.statementsOf(() => scrape(other))).toEqual([]);
  await other.close();
});

test('metrics: a figure that the database does not say in time is left out, and the others are there', async () => {
  const other = await openApp({ TERRANE_METRICS_TOKEN: token });
  const held = await holdTransaction(other.store);
  await held.sql`lock table leases in access exclusive mode`;
  const series = await scrape(other);
  expect(series.get('terrane_figures_missing')).toBe(1);
  expect(series.has('terrane_locked_workspaces')).toBe(true);
  expect(series.has('terrane_retention_age_seconds')).toBe(false);
  await held.release();
  await other.close();
});

test('metrics: without a database the server still tells of itself', async () => {
  const other = await openApp({ TERRANE_METRICS_TOKEN: token, TERRANE_LOG_LEVEL: 'silent' });
  await other.store.close();
  const series = await scrape(other);
  expect(series.get('terrane_figures_missing')).toBe(databaseFigures.length);
  expect(series.has('terrane_lane_connections{lane="read"}')).toBe(true);
  await other.close();
});

describe('with figures that nobody keeps', () => {
  useLimits({ keptFigures_ms: 0 });

  test('metrics: whoever asks later has the database asked anew', async () => {
    const other = await openApp({ TERRANE_METRICS_TOKEN: token });
    for (let time = 0; time < 2; time += 1)
      expect(await other.statementsOf(() => scrape(other))).toHaveLength(databaseFigures.length);
    await other.close();
  });
});

describe('with room for one who watches', () => {
  useLimits({ watchers_items: 1 });

  test('metrics: the port takes so many connections and no more', async () => {
    const door = await listenForMetrics({ contentType: 'text/plain', text: async () => 'figures' }, {
      metricsHost: '127.0.0.1',
      metricsPort: 0,
    } as Config);
    const connect = () => createConnection(door.port, '127.0.0.1').on('error', () => undefined);
    const first = connect();
    await once(first, 'connect');
    first.write('GET /metrics HTTP/1.1\r\nhost: localhost\r\n\r\n');
    expect(String((await once(first, 'data'))[0])).toMatch(/^HTTP\/1.1 200 /);
    await once(connect(), 'close');
    first.destroy();
    await door.close();
  });
});

test('metrics: the port of their own answers there alone, and asks for the token where there is one', async () => {
  const other = await openApp({ TERRANE_METRICS_PORT: '0', TERRANE_METRICS_TOKEN: token });
  const door = await listenForMetrics(other.app.metrics!, other.config);
  afterAll(door.close);
  const address = `http://127.0.0.1:${door.port}`;
  const status = async (path: string, init: RequestInit = {}) => (await fetch(`${address}${path}`, init)).status;
  const headers = { authorization: `Bearer ${token}` };
  expect(await status('/metrics')).toBe(401);
  expect(await status('/metrics', { headers })).toBe(200);
  expect(await status('/metrics', { headers, method: 'POST' })).toBe(405);
  expect(await status('/api/v2/ping', { headers })).toBe(404);
  expect((await other.app.inject({ url: '/metrics', headers })).statusCode).toBe(404);
  const text = await (await fetch(`${address}/metrics`, { headers })).text();
  expect(text).toMatch(/^nodejs_eventloop_lag/m);
  expect(text).toMatch(/^process_resident_memory_bytes \d/m);
  await door.close();
  await other.close();
});
