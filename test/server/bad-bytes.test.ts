/** §1: bytes that no well-behaved client sends, over a connection: answered in the API's own form, and nothing is written. */

import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { limits } from '../../src/core/limits.ts';
import { mediaType, useApp } from '../app.ts';
import { bodyOf, randomName } from '../builders/records.ts';
import { expectRefusal, useUnchanged } from '../nets/refusals.ts';
import { useListening } from '../running/sockets.ts';

const app = useApp();
const owned = useUnchanged(app);
const server = useListening(app);

const host = 'host: localhost\r\n';
const bearer = () => `authorization: Bearer ${owned.token}\r\n`;
const show = (path = `/api/v2/teams/${owned.teamId}`) => `GET ${path} HTTP/1.1\r\n`;
const create = () =>
  `POST /api/v2/organizations/${owned.acme.name}/teams HTTP/1.1\r\n${host}${bearer()}content-type: ${mediaType}\r\n`;

describe('who is asked', () => {
  test('exactly one Host header is needed, save in HTTP/1.0', async () => {
    expect((await server.ask(`${show()}${host}${bearer()}`)).status).toBe(200);
    expectRefusal(await server.ask(`${show()}${host}${bearer()}${host}`), 400, 'Host');
    expectRefusal(await server.ask(`${show()}${host}${bearer()}Host: other\r\n`), 400, 'Host');
    expectRefusal(await server.ask(`${show()}${bearer()}`), 400, 'Host');
    expect((await server.ask(`${show().replace('1.1', '1.0')}${bearer()}`)).status).toBe(200);
  });

  test('§5 an absolute address needs the token too, and its pages link to the public address', async () => {
    const path = `http://elsewhere/api/v2/organizations/${owned.acme.name}/teams`;
    expect((await server.ask(`${show(path)}${host}`)).status).toBe(401);
    const { status, document } = await server.ask(`${show(path)}${host}${bearer()}`);
    expect(status).toBe(200);
    const self = `http://127.0.0.1:${server.port}/api/v2/organizations/${owned.acme.name}/teams`;
    expect(document.links.self).toBe(`${self}?page%5Bnumber%5D=1&page%5Bsize%5D=20`);
  });
});

describe('what is not HTTP', () => {
  test('garbage is answered with 400 and the connection ends', async () => {
    for (const bytes of [
      'garbage\r\n\r\n',
      '\0\x01\x02\r\n\r\n',
      'GET\r\n\r\n',
      '{"a":1}\r\n\r\n',
      'GET / HTTP/9.9\r\n\r\n',
    ]) {
      const [answer] = await server.send(bytes);
      expect([bytes, answer?.status, answer?.headers['content-type']]).toEqual([bytes, 400, mediaType]);
      expect(answer?.document.errors).toHaveLength(1);
    }
  });

  test('forbidden characters in a path or a header are answered with 400', async () => {
    for (const head of [
      show('/api/v2/teams/a b'),
      show('/api/v2/teams/\0'),
      `${show()}x-a: \0\r\n`,
      `${show()}x a: b\r\n`,
    ]) {
      const [answer] = await server.send(`${head}${host}${bearer()}\r\n`);
      expect([head, answer?.status, answer?.document.errors.length]).toEqual([head, 400, 1]);
    }
    const raw = await server.ask(`${show('/api/v2/teams/\xff')}${host}${bearer()}`);
    expect([400, 404]).toContain(raw.status);
  });

  test('headers past 64 KiB are answered with 431, an address past it too', async () => {
    const many = `x-long: ${'a'.repeat(1000)}\r\n`.repeat(limits.headers_bytes.value / 1000 + 10);
    const [long] = await server.send(`${show()}${host}${many}\r\n`);
    expect([long?.status, long?.document.errors[0].title]).toEqual([431, 'request header fields too large']);
    const [address] = await server.send(`${show(`/api/v2/teams/${'a'.repeat(70_000)}`)}${host}\r\n`);
    expect(address?.status).toBe(431);
    const longest = show(`/api/v2/teams/${'a'.repeat(50_000)}`);
    expect((await server.ask(`${longest}${host}${bearer()}`)).status).toBe(404);
  });

  test('a method that nobody knows is 404 or not HTTP', async () => {
    for (const method of ['PROPFIND', 'TRACE', 'PURGE', 'QUERY', 'BREW', 'get']) {
      const [answer] = await server.send(
        `${show().replace('GET', method)}${host}${bearer()}content-type: ${mediaType}\r\nconnection: close\r\n\r\n`,
      );
      expect([method, [400, 404].includes(answer?.status ?? 0), answer?.document.errors.length]).toEqual([
        method,
        true,
        1,
      ]);
    }
  });
});

describe('bodies in transit', () => {
  const chunked = (parts: readonly string[]) =>
    [...parts.map(part => `${Buffer.byteLength(part).toString(16)}\r\n${part}\r\n`), '0\r\n\r\n'].join('');

  test('a chunked body is read, and refused with 413 past 1 MiB', async () => {
    const body = JSON.stringify(bodyOf('teams', { name: 'a b' }));
    const head = `${create()}transfer-encoding: chunked\r\n`;
    expectRefusal(await server.ask(head, chunked([body.slice(0, 7), body.slice(7)])), 422, '/data/attributes/name');
    expectRefusal(
      await server.ask(head, chunked(Array.from({ length: 17 }, () => 'x'.repeat(limits.body_bytes.value / 16)))),
      413,
      '',
    );
  });

  test('a body that says it is too large is refused with 413 before it comes', async () => {
    expectRefusal(await server.ask(`${create()}content-length: ${limits.body_bytes.value + 1}\r\n`), 413, '');
  });

  test('a length that is no number, two lengths, or a length and chunks → 400', async () => {
    const lengths = [
      'content-length: x\r\n',
      'content-length: -1\r\n',
      'content-length: 1\r\ncontent-length: 2\r\n',
      'content-length: 5\r\ntransfer-encoding: chunked\r\n',
    ];
    for (const length of lengths) {
      const [answer] = await server.send(`${create()}${length}\r\n0\r\n\r\n`);
      expect([length, answer?.status, answer?.document.errors.length]).toEqual([length, 400, 1]);
    }
  });

  test('a body that never comes to its end changes nothing', async () => {
    const body = JSON.stringify(bodyOf('teams', { name: randomName('team') }));
    const socket = connect(server.port, '127.0.0.1');
    await new Promise<void>(resolve =>
      socket.write(`${create()}content-length: ${body.length + 1}\r\n\r\n${body}`, () => resolve()),
    );
    socket.destroy();
    expect((await server.ask(`${show()}${host}${bearer()}`)).status).toBe(200);
  });

  test('a body on GET is passed over, and the next request of the connection is read', async () => {
    const answers = await server.send(
      `${show()}${host}${bearer()}content-length: 9\r\n\r\n{"data":1${show()}${host}${bearer()}connection: close\r\n\r\n`,
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  });

  test('a JSON body with a byte order mark is read as JSON', async () => {
    const body = Buffer.concat([
      Buffer.from([0xef, 0xbb, 0xbf]),
      Buffer.from(JSON.stringify(bodyOf('teams', { name: 'a b' }))),
    ]);
    expectRefusal(
      await server.ask(`${create()}content-length: ${body.length}\r\n`, body),
      422,
      '/data/attributes/name',
    );
  });
});

describe('the token', () => {
  const withHeader = async (...values: string[]) =>
    (await server.ask(`${show()}${host}${values.map(value => `authorization: ${value}\r\n`).join('')}`)).status;

  test('§5 the scheme may be in any case, with space around the token', async () => {
    for (const value of ['Bearer TOKEN', 'bearer TOKEN', 'BEARER   TOKEN', 'Bearer TOKEN  ', ' \tBearer TOKEN']) {
      expect([value, await withHeader(value.replace('TOKEN', owned.token))]).toEqual([value, 200]);
    }
  });

  test('§5 any other shape → 401', async () => {
    const values = [
      '',
      'Bearer',
      'Bearer ',
      'Bearer Bearer TOKEN',
      'TOKEN',
      'BearerTOKEN',
      'Basic TOKEN',
      'Token TOKEN',
      'Bearer TOKEN,',
      'Bearer TOKEN TOKEN',
      'Bearer "TOKEN"',
      'Bearer tökén',
      'Bearer \xff\xfe',
    ];
    for (const value of values) {
      const status = await withHeader(value.replaceAll('TOKEN', owned.token));
      expect([value, status]).toEqual([value, 401]);
    }
    expect(await withHeader('Bearer no-such-token', `Bearer ${owned.token}`)).toBe(401);
  });
});
