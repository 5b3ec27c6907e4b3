/** Server-sent events: resumed without a gap, ended with the permission, bounded, and in nobody's way when the server stops. */
import { createConnection } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { TestApp } from '../../test/app.ts';
import { member, organization, type TestOrganization } from '../../test/builders/records.ts';
import { workspace } from '../../test/builders/workspace.ts';
import { useLimits } from '../../test/limits.ts';
import { openPair, type Pair } from '../../test/running/pair.ts';
import { limits } from '../core/limits.ts';

let pair: Pair;
let addresses: string[];
let acme: TestOrganization;
beforeAll(async () => {
  pair = await openPair();
  addresses = await Promise.all([pair.one, pair.two].map(({ app }) => app.listen({ host: '127.0.0.1', port: 0 })));
  acme = await organization(pair.one);
});
afterAll(async () => {
  // A client may have opened connections that it then had no use for.
  for (const { app } of [pair.one, pair.two]) app.server.closeAllConnections();
  await pair.close();
});

interface Event {
  id: string | undefined;
  event: string | undefined;
  data: string | undefined;
}

const open = new Set<AbortController>();
afterEach(() => {
  for (const connection of open) connection.abort();
  open.clear();
});

/** Opens a stream through one of the servers. */
async function connect(token: string, { server = 0, last }: { server?: number; last?: string } = {}) {
  const connection = new AbortController();
  open.add(connection);
  const response = await fetch(`${addresses[server]}/api/v2/organizations/${acme.name}/changes`, {
    headers: {
      authorization: `Bearer ${token}`,
      accept: 'text/event-stream',
      ...(last !== undefined && { 'last-event-id': last }),
    },
    signal: connection.signal,
  });
  return { response, events: eventsOf(response), close: () => connection.abort() };
}

async function* eventsOf(response: Response): AsyncGenerator<Event> {
  let text = '';
  for await (const piece of response.body!.pipeThrough(new TextDecoderStream())) {
    text += piece;
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1];
      const block = text.slice(0, end);
      text = text.slice(end + 2);
      yield { id: field('id'), event: field('event'), data: field('data') };
    }
  }
}

/** The next change of a workspace, and where to go on behind it. */
async function nextChange(events: AsyncGenerator<Event>): Promise<{ what: string; id: string }> {
  for (;;) {
    const { value, done } = await events.next();
    if (done) throw new Error('The stream has ended.');
    if (value.event !== 'change') continue;
    const { attributes } = JSON.parse(value.data!);
    if (attributes['resource-type'] !== 'workspaces') continue;
    return { what: `${attributes.change} ${attributes['resource-id']}`, id: value.id! };
  }
}

const touch = ({ store }: TestApp, id: string, description: string) =>
  store.read`update workspaces set description = ${description}, revision = default where workspaces.id = ${id}`;

test('a change made through another server is told, and a broken stream goes on where it broke off', async () => {
  const { response, events, close } = await connect(acme.owner.token);
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect((await events.next()).value).toMatchObject({ id: expect.any(String), event: undefined });
  const one = await workspace(pair.two, acme);
  const first = await nextChange(events);
  expect(first.what).toBe(`created ${one}`);
  close();
  await touch(pair.one, one, 'while nobody listens');
  const two = await workspace(pair.one, acme);
  const again = await connect(acme.owner.token, { server: 1, last: first.id });
  expect((await nextChange(again.events)).what).toBe(`updated ${one}`);
  expect((await nextChange(again.events)).what).toBe(`created ${two}`);
});

test('who may no more is told that, and nothing of what happened since', async () => {
  const leaver = await member(pair.one, acme);
  const { events } = await connect(leaver.token);
  await events.next();
  await pair.two.store.read`delete from tokens where tokens.user_id = ${leaver.id}`;
  await workspace(pair.two, acme);
  const rest: Event[] = [];
  for await (const event of events) rest.push(event);
  expect(rest).toMatchObject([{ event: 'end', data: '{"errors":[{"status":"401","title":"unauthorized"}]}' }]);
});

describe('with a short life', () => {
  useLimits({ streamTime_ms: 700, heartbeat_ms: 200 });

  test('a stream ends after its time, and whoever follows goes on behind what it was told', async () => {
    const events = eventsOf((await connect(acme.owner.token)).response);
    let last: Event | undefined;
    for await (const event of events) last = event;
    expect(last).toMatchObject({ id: expect.any(String) });
    expect((await connect(acme.owner.token, { last: last!.id! })).response.status).toBe(200);
  });
});

describe('with a quick heart', () => {
  useLimits({ heartbeat_ms: 1000 });

  test('a stream without changes keeps its connection alive, and ends with the permission all the same', {
    timeout: 60_000,
  }, async () => {
    const quiet = await organization(pair.one);
    const [stays, leaves] = [quiet.owner, await member(pair.one, quiet)];
    const connectTo = (token: string) =>
      fetch(`${addresses[0]}/api/v2/organizations/${quiet.name}/changes`, {
        headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream' },
      });
    const [staying, leaving] = [eventsOf(await connectTo(stays.token)), eventsOf(await connectTo(leaves.token))];
    // What was made just before may still be told of.
    const pastChanges = async (events: typeof staying) => {
      for (;;) {
        const { value } = await events.next();
        if (value?.event !== 'change') return value;
      }
    };
    await Promise.all([pastChanges(staying), pastChanges(leaving)]);
    await pair.one.store.read`delete from tokens where tokens.user_id = ${leaves.id}`;
    const [beat, end] = await Promise.all([pastChanges(staying), pastChanges(leaving)]);
    expect(beat).toEqual({ id: expect.any(String), event: undefined, data: undefined });
    expect(end).toMatchObject({ event: 'end' });
    await staying.return(undefined);
  });
});

test('a stream that may not begin is refused like any request', async () => {
  const stranger = await organization(pair.one);
  const hidden = await connect(stranger.owner.token);
  expect([hidden.response.status, hidden.response.headers.get('content-type')?.split(';')[0]]).toEqual([
    404,
    'application/vnd.api+json',
  ]);
  const malformed = await connect(acme.owner.token, { last: 'nothing' });
  expect(malformed.response.status).toBe(400);
  expect(await malformed.response.json()).toMatchObject({ errors: [{ source: { header: 'Last-Event-ID' } }] });
  const old = await connect(acme.owner.token, { last: '1-0-1' });
  expect(old.response.status).toBe(410);
});

test('one caller has a few streams at once; one that closes makes room', async () => {
  const { token } = await member(pair.one, acme);
  const streams = await Promise.all(Array.from({ length: limits.callerStreams_items.value }, () => connect(token)));
  expect(streams.map(({ response }) => response.status)).toEqual(Array(limits.callerStreams_items.value).fill(200));
  expect((await connect(token)).response.status).toBe(429);
  expect((await connect(token, { server: 1 })).response.status).toBe(200);
  streams[0]!.close();
  await expect.poll(async () => (await connect(token)).response.status, { timeout: 10_000 }).toBe(200);
});

describe('with little time for bodies', () => {
  useLimits({ bodyTime_ms: 500 });

  test.each([
    ['never comes', ''],
    ['came', 'hello'],
  ])('a stream whose request has a body that %s goes on when the time for bodies is over', async (_when, body) => {
    const socket = createConnection(Number(new URL(addresses[0]!).port), '127.0.0.1');
    const head = `GET /api/v2/organizations/${acme.name}/changes HTTP/1.1\r\nhost: localhost\r\naccept: text/event-stream\r\n`;
    socket.write(`${head}authorization: Bearer ${acme.owner.token}\r\ncontent-length: 5\r\n\r\n${body}`);
    let text = '';
    socket.setEncoding('utf8').on('data', piece => {
      text += piece;
    });
    await vi.waitFor(() => expect(text).toMatch(/^HTTP\/1.1 200 .*\nid: /s), { timeout: 10_000 });
    // A fault that nobody catches fails this run, and would have ended a server.
    await sleep(2 * limits.bodyTime_ms.value);
    expect(socket.closed).toBe(false);
    socket.destroy();
  });
});

test('HEAD does not begin a stream', async () => {
  const response = await fetch(`${addresses[0]}/api/v2/organizations/${acme.name}/changes`, {
    method: 'HEAD',
    headers: { authorization: `Bearer ${acme.owner.token}`, accept: 'text/event-stream' },
  });
  expect([response.status, response.headers.get('content-type')?.split(';')[0]]).toEqual([
    200,
    'application/vnd.api+json',
  ]);
});

test('a server that stops ends its streams at once', async () => {
  const third = await openPair();
  const hall = await organization(third.one);
  const address = await third.one.app.listen({ host: '127.0.0.1', port: 0 });
  const response = await fetch(`${address}/api/v2/organizations/${hall.name}/changes`, {
    headers: { authorization: `Bearer ${hall.owner.token}`, accept: 'text/event-stream' },
  });
  const events = eventsOf(response);
  await events.next();
  const ended = events.next();
  await third.close();
  expect((await ended).done).toBe(true);
});
