/** §1: what a caller sends has a size, a number and a time; past them it is refused, and everybody else is served. */
import { connect } from 'node:net';
import { beforeAll, describe, expect, test } from 'vitest';
import { mediaType, useApp } from '../../test/app.ts';
import { organization, person, type TestOrganization, tokenOf } from '../../test/builders/records.ts';
import { useLimits } from '../../test/limits.ts';
import { collect, type RawAnswer, useListening } from '../../test/running/sockets.ts';
import { limits } from '../core/limits.ts';
import { placesForLongBodies } from './bounds.ts';

useLimits({
  headersTime_ms: 500,
  bodyTime_ms: 1500,
  callerRequests_items: 4,
  callerBodies_bytes: 3000,
  bodies_bytes: 5000,
});
const app = useApp({ TERRANE_TRUST_PROXY: '127.0.0.1' });
const server = useListening(app);
let acme: TestOrganization;
beforeAll(async () => {
  acme = await organization(app);
});

const host = 'host: localhost\r\n';
const create = (token: string, length: number) =>
  `POST /api/v2/organizations/${acme.name}/teams HTTP/1.1\r\n${host}authorization: Bearer ${token}\r\n` +
  `content-type: ${mediaType}\r\ncontent-length: ${length}\r\n\r\n`;
const show = (token: string) =>
  `GET /api/v2/account/details HTTP/1.1\r\n${host}authorization: Bearer ${token}\r\nconnection: close\r\n\r\n`;

const titles = (answer: RawAnswer | undefined) => [answer?.status, answer?.document?.errors?.[0].title];

describe('a request that does not come', () => {
  test('headers that take too long → 408, and the connection ends', async () => {
    const slow = await server.begin(`GET /api/v2/ping HTTP/1.1\r\n${host}`);
    const answer = await slow.answer;
    expect(titles(answer)).toEqual([408, 'request timeout']);
    expect(answer!.headers['connection']).toBe('close');
  });

  test('a body that takes too long → 408, and nothing is made', async () => {
    const slow = await server.begin(create(acme.owner.token, 100));
    slow.write('{"data":');
    const answer = await slow.answer;
    expect(titles(answer)).toEqual([408, 'request timeout']);
    expect(answer!.headers['connection']).toBe('close');
  });

  test('more headers than the limit → 431, since the rest could not be seen', async () => {
    const many = Array.from({ length: limits.headers_items.value }, (_, index) => `x-${index}: 1\r\n`).join('');
    const answer = await server.ask(`GET /api/v2/ping HTTP/1.1\r\n${host}${many}`);
    expect(answer.status).toBe(431);
  });
});

describe('what is under way at once', () => {
  test('more requests of one caller than the limit → 429 with Retry-After, while others are served', async () => {
    const other = await person(app);
    const slow = await Promise.all(Array.from({ length: 4 }, () => server.begin(create(acme.owner.token, 100))));
    const [refused] = await server.send(show(acme.owner.token));
    expect(titles(refused)).toEqual([429, 'Too many requests']);
    expect(refused!.headers['retry-after']).toBe('1');
    expect((await server.send(show(other.token)))[0]!.status).toBe(200);
    for (const one of slow) one.end();
    await expect.poll(async () => (await server.send(show(acme.owner.token)))[0]!.status).toBe(200);
  });

  test('more bytes of bodies of one caller than the limit → 429; of all callers → 503; both with Retry-After', async () => {
    const [first, second] = [await person(app), await person(app)];
    // Whoever is known already is counted as soon as the headers are read.
    for (const { token } of [first, second, acme.owner]) await server.send(show(token));
    const slow = [await server.begin(create(first.token, 2500)), await server.begin(create(second.token, 2000))];
    expect(await (await server.begin(create(first.token, 1000))).answer).toMatchObject({
      status: 429,
      headers: { 'retry-after': '1' },
    });
    const refused = await server.begin(create(acme.owner.token, 2500));
    const busy = await refused.answer;
    expect(titles(busy)).toEqual([503, 'service unavailable']);
    expect(busy!.headers['retry-after']).toBe('1');
    // Requests without a body need no room for one.
    expect((await server.send(show(acme.owner.token)))[0]!.status).toBe(200);
    // What was refused may still come, so that its sender sees the answer; but not for ever.
    await refused.ended;
    for (const one of slow) one.end();
    const body = JSON.stringify({ data: { type: 'teams', attributes: { name: 'platform' } } });
    const made = async () => server.ask(`${create(acme.owner.token, body.length).trimEnd()}\r\n`, body);
    await expect.poll(async () => (await made()).status).toBe(200);
  });

  test('requests that were sent one behind the other are over when their connection is', async () => {
    const other = await person(app);
    const behind = show(other.token).replace('connection: close\r\n', '');
    for (let round = 0; round < 4; round += 1) {
      const several = await server.begin(behind.repeat(3));
      several.end();
      await several.ended;
    }
    // The server hears of the end of a connection a little later than whoever ended it.
    const both = async () => {
      const answers = await Promise.all([show(other.token), show(other.token)].map(one => server.send(one)));
      return answers.flat().map(({ status }) => status);
    };
    await expect.poll(both).toEqual([200, 200]);
  });

  test('room for a body is given back, also where its sender left before anybody knew who it is', async () => {
    const other = await person(app);
    for (let round = 0; round < 3; round += 1) {
      const unknown = await tokenOf(app, { kind: 'user', user_id: other.id });
      const socket = connect(server.port, '127.0.0.1');
      const ended = collect(socket);
      await new Promise(resolve => socket.write(create(unknown, 2000), resolve));
      socket.destroy();
      await ended;
      await server.ask(`GET /readyz HTTP/1.1\r\n${host}`);
    }
    const path = `organizations/${acme.name}/teams`;
    const ask = async () => (await app.call('POST', path, { token: other.token, raw: ' '.repeat(2000) })).status;
    await expect.poll(ask).not.toBe(429);
  });

  test('balancers are told how the server is, however many requests of their address are under way', async () => {
    const slow = await Promise.all(
      Array.from({ length: 5 }, () => server.begin(`PUT /_blobs/none HTTP/1.1\r\n${host}content-length: 5\r\n\r\n`)),
    );
    for (const path of ['/healthz', '/readyz'])
      expect((await server.ask(`GET ${path} HTTP/1.1\r\n${host}`)).status).toBe(200);
    for (const one of slow) one.end();
  });
});

describe('behind a proxy', () => {
  test('the address that a trusted proxy gives is recorded; of several, the last that no trusted proxy has', async () => {
    const name = 'from-afar';
    const body = JSON.stringify({ data: { type: 'teams', attributes: { name } } });
    const answer = await app.call('POST', `organizations/${acme.name}/teams`, {
      token: acme.owner.token,
      raw: body,
      headers: { 'x-forwarded-for': '198.51.100.9, 203.0.113.7' },
    });
    expect(answer.status).toBe(200);
    const [event] = await app.store.read`
      select remote_address from audit_events where resource_id = ${answer.data.id} order by id desc limit 1`;
    expect(event!['remote_address']).toBe('203.0.113.7');
  });
});

describe('the description of the API', () => {
  test('is sent to an address one after the other, and to the next one when the one before has left', async () => {
    const ask = `GET /api/v2/openapi.json HTTP/1.1\r\n${host}`;
    const several = await server.begin(`${ask}\r\n`.repeat(3));
    several.end();
    await several.ended;
    const answers = await Promise.all([server.ask(ask), server.ask(ask), server.ask(ask)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  test('travels compressed to those who take that', async () => {
    const sent = async (accepted: string) => {
      const request = { url: '/api/v2/openapi.json', headers: { 'accept-encoding': accepted } };
      const { headers, rawPayload } = await app.app.inject(request);
      return { form: headers['content-encoding'], bytes: rawPayload.length };
    };
    const plain = await sent('identity');
    for (const form of ['gzip', 'br']) {
      const small = await sent(form);
      expect([small.form, small.bytes < plain.bytes / 5]).toEqual([form, true]);
    }
  });

  test('§1 has an ETag, and is not sent to who has it already', async () => {
    const first = await app.call('GET', '/api/v2/openapi.json');
    expect(first.status).toBe(200);
    const again = await app.app.inject({
      url: '/api/v2/openapi.json',
      headers: { 'if-none-match': first.headers['etag']! },
    });
    expect([again.statusCode, again.body]).toEqual([304, '']);
  });
});

describe('places for long bodies', () => {
  const [own, all] = [limits.callerLongBodies_items.value, limits.longBodies_items.value];

  test('one caller has so many, and gets them back', () => {
    const places = placesForLongBodies();
    const taken = Array.from({ length: own }, () => places('one'));
    expect(() => places('one')).toThrow('too-many-requests');
    places('other')();
    taken[0]!();
    expect(() => places('one')).not.toThrow();
  });

  test('all together have so many, and who is refused for them loses none of its own', () => {
    const places = placesForLongBodies();
    const taken = Array.from({ length: all }, (_, index) => places(String(index % (all / own))));
    for (let again = 0; again < 2 * own; again += 1) expect(() => places('late')).toThrow('server-busy');
    taken[0]!();
    expect(() => places('late')).not.toThrow();
  });
});
