/** §2.2 Plans and logs wait while PostgreSQL is away, since command lines give up reading them before anything else. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { openAppOn, type TestApp } from '../../test/app.ts';
import { organization, type Person, person, type TestOrganization } from '../../test/builders/records.ts';
import { leave, run } from '../../test/builders/run.ts';
import { workspace } from '../../test/builders/workspace.ts';
import { useLimits } from '../../test/limits.ts';
import { createDatabase } from '../../test/running/database.ts';
import { type Proxied, proxied } from '../../test/running/proxied.ts';
import { useListening } from '../../test/running/sockets.ts';
import { limits } from '../core/limits.ts';

useLimits({ readerWait_ms: 20_000, waitingReaders_items: 5 });
const app = {} as TestApp;
let door: Proxied;
let acme: TestOrganization;
let stranger: Person;
let plan: string;
/** The signed addresses of its log and of its content. */
let log: string;
let content: string;
beforeAll(async () => {
  door = await proxied(await createDatabase());
  Object.assign(app, await openAppOn(door.database, { TERRANE_LOG_LEVEL: 'silent' }));
  acme = await organization(app);
  const workspaceId = await workspace(app, acme);
  const id = await run(app, acme, workspaceId);
  await leave(app, id, workspaceId, 'redacted');
  const { data } = await app.get(`runs/${id}/plan`, acme.owner.token);
  plan = data.id;
  log = `${new URL(data.attributes['log-read-url']).pathname}?limit=100&offset=0`;
  const { headers } = await app.get(`plans/${plan}/json-output-redacted`, acme.owner.token);
  const { pathname, search } = new URL(headers['location']!);
  content = `${pathname}${search}`;
  stranger = await person(app);
});
const server = useListening(app);
afterEach(() => door.open());
afterAll(async () => {
  await app.close();
  await door.database.drop();
});

const ask = async (url: string, token = acme.owner.token) =>
  (await app.app.inject({ url, headers: { authorization: `Bearer ${token}` } })).statusCode;
const output = () => `/api/v2/plans/${plan}/json-output-redacted`;

test('§2.2 they wait until it is back, also where nobody knows the caller yet; what is asked again anyway does not', async () => {
  await door.shut();
  let answered = 0;
  const waiting = [ask(log), ask(output()), ask(content), ask(output(), stranger.token)];
  for (const one of waiting) void one.finally(() => (answered += 1));
  expect(await ask(`/api/v2/plans/${plan}`)).toBe(503);
  await sleep(1500);
  expect(answered).toBe(0);
  await door.open();
  expect(await Promise.all(waiting)).toEqual([200, 307, 200, 404]);
});

test('§2.2 when their time is over: a log has nothing new yet, and a plan is 503', async () => {
  limits.readerWait_ms.value = 600;
  await door.shut();
  expect(await Promise.all([ask(log), ask(output()), ask(content)])).toEqual([204, 503, 503]);
  limits.readerWait_ms.value = 20_000;
});

test('§2.2 no more wait than there are places for, and who leaves makes room', async () => {
  await door.shut();
  const head = `GET ${log} HTTP/1.1\r\nhost: localhost\r\n`;
  const waiting = await Promise.all(Array.from({ length: 5 }, () => server.begin(`${head}\r\n`)));
  await expect.poll(() => Promise.race([ask(log), sleep(300, 'waits')])).toBe(204);
  waiting[0]!.end();
  await expect.poll(() => Promise.race([ask(log), sleep(300, 'waits')])).toBe('waits');
  await door.open();
  expect((await waiting[1]!.answer)?.status).toBe(200);
  for (const one of waiting) one.end();
});
