/** §7 While the server cannot answer: programs are told so, and the engines of runs are told to wait. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openAppOn, type TestApp } from '../../test/app.ts';
import { organization, type TestOrganization } from '../../test/builders/records.ts';
import { run } from '../../test/builders/run.ts';
import { workspace } from '../../test/builders/workspace.ts';
import { useLimits } from '../../test/limits.ts';
import { createDatabase } from '../../test/running/database.ts';
import { type Proxied, proxied } from '../../test/running/proxied.ts';
import { mayBeToken, newRunToken, newToken, seemsOfRun } from '../people/tokens/secret.ts';

// What waits for the database: patience.test.ts.
useLimits({ readerWait_ms: 0 });
let app: TestApp;
let door: Proxied;
let acme: TestOrganization;
beforeAll(async () => {
  door = await proxied(await createDatabase());
  app = await openAppOn(door.database, { TERRANE_LOG_LEVEL: 'silent' });
  acme = await organization(app);
});
afterAll(async () => {
  await app.close();
  await door.database.drop();
});

test('§7 PostgreSQL is away: 503 for people, and 429 with the seconds to wait for the engine of a run', async () => {
  await door.shut();
  const ask = async (token: string) => {
    const url = `/api/v2/organizations/${acme.name}`;
    const { statusCode, headers, body } = await app.app.inject({ url, headers: { authorization: `Bearer ${token}` } });
    return [statusCode, headers['retry-after'], headers['x-ratelimit-reset'], JSON.parse(body).errors[0].status];
  };
  expect(await ask(acme.owner.token)).toEqual([503, '2', undefined, '503']);
  expect(await ask(newRunToken())).toEqual([429, '4', '4', '429']);
  await door.open();
  await expect.poll(async () => (await ask(newRunToken()))[0]).toBe(401);
});

test('§2.2 PostgreSQL is away: whoever follows a log is told that nothing has come, since command lines end at a 503', async () => {
  const id = await run(app, acme, await workspace(app, acme));
  const { data } = await app.get(`runs/${id}/plan`, acme.owner.token);
  const url = `${new URL(data.attributes['log-read-url']).pathname}?limit=100&offset=0`;
  const ask = async () => {
    const { statusCode, body } = await app.app.inject({ url });
    return [statusCode, body];
  };
  expect(await ask()).toEqual([200, '']);
  await door.shut();
  expect(await ask()).toEqual([204, '']);
  await door.open();
  await expect.poll(ask).toEqual([200, '']);
});

test('the token of a run is a token like others, and can be told apart', () => {
  const [ofRun, other] = [newRunToken(), newToken()];
  expect([mayBeToken(ofRun), seemsOfRun(ofRun), seemsOfRun(other)]).toEqual([true, true, false]);
  expect([ofRun.length, new Set([ofRun, newRunToken()]).size]).toEqual([other.length, 2]);
});
