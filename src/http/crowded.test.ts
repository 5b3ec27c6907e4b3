/** A server that has as much under way as it may: whoever comes then is told to come again, whoever it is. */
import { beforeAll, describe, expect, test } from 'vitest';
import { mediaType, useApp } from '../../test/app.ts';
import { askDoor, signedIn } from '../../test/builders/agent.ts';
import {
  member,
  organization,
  type Person,
  person,
  type TestOrganization,
  tokenOf,
} from '../../test/builders/records.ts';
import { agentPool } from '../../test/builders/workspace.ts';
import { useLimits } from '../../test/limits.ts';
import { type Begun, useListening } from '../../test/running/sockets.ts';
import { limits } from '../core/limits.ts';

useLimits({
  requests_items: 4,
  streams_items: 2,
  connections_items: 8,
  waitingAgents_items: 2,
  organizationWaitingAgents_items: 1,
  rememberedCallers_items: 2,
});
const app = useApp();
const server = useListening(app);
let acme: TestOrganization;
let people: Person[];
beforeAll(async () => {
  acme = await organization(app);
  people = await Promise.all(Array.from({ length: 6 }, () => member(app, acme)));
});

const host = 'host: localhost\r\n';
const slow = (token: string) =>
  `POST /api/v2/organizations/${acme.name}/teams HTTP/1.1\r\n${host}authorization: Bearer ${token}\r\n` +
  `content-type: ${mediaType}\r\ncontent-length: 100\r\n\r\n`;
const stream = (token: string) =>
  `GET /api/v2/organizations/${acme.name}/changes HTTP/1.1\r\n${host}authorization: Bearer ${token}\r\n` +
  'accept: text/event-stream\r\n\r\n';
const show = (token: string) =>
  `GET /api/v2/account/details HTTP/1.1\r\n${host}authorization: Bearer ${token}\r\nconnection: close\r\n\r\n`;
const statusOf = async (token: string) => (await server.send(show(token)))[0]?.status;

describe('as many as there may be', () => {
  test('requests of all callers together → 503, and served again once there is room', async () => {
    const begun: Begun[] = [];
    for (const { token } of people.slice(0, limits.requests_items.value)) begun.push(await server.begin(slow(token)));
    expect(await statusOf(acme.owner.token)).toBe(503);
    for (const one of begun) one.end();
    await expect.poll(() => statusOf(acme.owner.token)).toBe(200);
  });

  test('requests of callers who have to be looked up: none is refused for a second place while it is known by its address', async () => {
    const some = people.slice(0, limits.requests_items.value);
    const begun = await Promise.all(some.map(({ token }) => server.begin(slow(token))));
    expect(await statusOf(acme.owner.token)).toBe(503);
    for (const one of begun) one.write('x'.repeat(100));
    const answers = await Promise.all(begun.map(({ answer }) => answer));
    // Their bodies are no documents, and they may make no team.
    expect(answers.map(answer => answer!.status)).toEqual(some.map(() => 404));
    for (const one of begun) one.end();
  });

  test('streams of all callers together → 503, and one that ends makes room', async () => {
    const begun: Begun[] = [];
    for (const { token } of people.slice(0, limits.streams_items.value)) begun.push(await server.begin(stream(token)));
    expect(await Promise.all(begun.map(async one => (await one.answer)?.status))).toEqual([200, 200]);
    const one = await server.begin(stream(acme.owner.token));
    expect((await one.answer)?.status).toBe(503);
    begun[0]!.end();
    const again = async () => {
      const next = await server.begin(stream(acme.owner.token));
      const status = (await next.answer)?.status;
      next.end();
      return status;
    };
    await expect.poll(again).toBe(200);
    for (const each of [...begun, one]) each.end();
  });

  test('agents that wait for jobs → 503, and people are served all the same', async () => {
    const agents = [await signedIn(app), await signedIn(app), await signedIn(app)];
    const wait = (secret: string, wait_s: number) => askDoor(app, 'POST', '/jobs/claim', secret, { wait_s });
    const waiting = agents.slice(1).map(({ secret }) => wait(secret, 3));
    await expect.poll(async () => (await wait(agents[0]!.secret, 0)).status, { interval: 20 }).toBe(503);
    expect(await statusOf(acme.owner.token)).toBe(200);
    await Promise.all(waiting);
    expect((await wait(agents[0]!.secret, 0)).status).toBe(204);
  });

  test('agents of one organization that wait for jobs → 429, and those of another find room', async () => {
    const wait = (secret: string, wait_s: number) => askDoor(app, 'POST', '/jobs/claim', secret, { wait_s });
    const agentOf = async (of: TestOrganization) => {
      const pool = await agentPool(app, of);
      return signedIn(app, await tokenOf(app, { kind: 'agent', user_id: of.owner.id, agent_pool_id: pool }));
    };
    const other = await organization(app);
    const [first, second, third] = [await agentOf(acme), await agentOf(acme), await agentOf(other)];
    const waiting = wait(first.secret, 2);
    await expect.poll(async () => (await wait(second.secret, 0)).status, { interval: 20 }).toBe(429);
    expect((await wait(third.secret, 0)).status).toBe(204);
    // Leaving takes no place.
    const parting = await agentOf(acme);
    expect((await askDoor(app, 'POST', '/exit', parting.secret)).status).toBe(204);
    expect((await waiting).status).toBe(204);
    expect((await wait(second.secret, 0)).status).toBe(204);
  });

  test('connections: more than that are closed', async () => {
    const ping = `GET /api/v2/ping HTTP/1.1\r\n${host}`;
    const begun: Begun[] = [];
    for (let at = 0; at < limits.connections_items.value - 1; at += 1) begun.push(await server.begin(ping));
    // The last place is that of the one which `begin` asks with.
    const [last, beyond] = await Promise.all([
      server.send(show(acme.owner.token)),
      server.send(show(acme.owner.token)),
    ]);
    expect([last, beyond].filter(answers => answers.length === 0)).toHaveLength(1);
    for (const one of begun) one.end();
  });

  test('callers that are remembered: whoever was longest away is read again', async () => {
    const [first, second, third] = await Promise.all([person(app), person(app), person(app)]);
    const statements = async ({ token }: Person) =>
      (await app.statementsOf(() => app.get('account/details', token))).length;
    await statements(first!);
    const known = await statements(first!);
    for (const other of [second!, third!]) await statements(other);
    expect([await statements(first!), await statements(first!)]).toEqual([known + 1, known]);
  });
});
