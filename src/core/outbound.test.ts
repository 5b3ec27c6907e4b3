/** Requests to the outside, to real servers on addresses of this machine. */

import dns from 'node:dns';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { useLimits } from '../../test/limits.ts';
import { limits } from './limits.ts';
import { fetchOutside, type OutboundError, type OutboundRequest } from './outbound.ts';
import { newTrace, traceparent, within } from './trace.ts';

/** What names stand for, one answer after the other: who owns a name may change it between two look-ups. */
const names = new Map<string, string[][]>();
const real = dns.lookup;
beforeAll(() => {
  type Done = (error: Error | null, found?: { address: string; family: number }[]) => void;
  vi.spyOn(dns, 'lookup').mockImplementation(((host: string, options: object, done: Done) => {
    const answers = names.get(host);
    if (!answers) return real(host, options, done as never);
    const found = answers.length > 1 ? answers.shift()! : answers[0]!;
    return done(
      null,
      found.map(address => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  }) as never);
});
afterAll(() => void vi.restoreAllMocks());

const servers: Server[] = [];
afterEach(() => {
  names.clear();
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** A server that was asked `requests`, on an address of this machine. */
async function listening(answer: RequestListener, address = '127.0.0.1') {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    answer(request, response);
  });
  await new Promise<void>(done => server.listen(0, address, done));
  servers.push(server);
  return { port: (server.address() as AddressInfo).port, requests };
}

const hello: RequestListener = (_request, response) => response.end('hello');
const loopback = { allowPrivateAddresses: ['127.0.0.0/8'] };

async function failureOf(address: string, allowed: object = {}, request?: OutboundRequest) {
  const outcome = fetchOutside(allowed, address, request).then(answer => answer.text());
  return outcome.then(
    () => 'none',
    (error: OutboundError) => error.failure,
  );
}

describe('what is not reached', () => {
  const everyForm = [
    '127.0.0.1',
    '2130706433',
    '0x7f.1',
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '169.254.169.254',
    '172.31.255.255',
    '192.168.0.1',
    '192.0.2.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '[::]',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:a9fe:a9fe]',
    '[::127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[64:ff9b:1::1]',
    '[2002:7f00:1::]',
    '[2001:0:7f00:1::]',
    '[2001:db8::1]',
    '[fc00::1]',
    '[fd00:ec2::254]',
    '[fe80::1]',
    '[fec0::1]',
    '[ff02::1]',
    '[4000::1]',
  ];
  test('the environment: no address of a private or special network, however it is spelled', async () => {
    for (const host of everyForm) expect([host, await failureOf(`https://${host}/`)]).toEqual([host, 'refused']);
  });

  test('the environment: no name that stands for one of them, among others or alone', async () => {
    const { port, requests } = await listening(hello);
    names.set('two.example', [['192.0.66.1', '127.0.0.1']]);
    for (const host of ['localhost', 'two.example']) {
      expect(await failureOf(`https://${host}:${port}/`)).toBe('refused');
      expect(await failureOf(`http://${host}:${port}/`)).toBe('refused');
    }
    expect(requests).toEqual([]);
  });

  test('the environment: no plain http where nothing was allowed', async () => {
    names.set('public.example', [['192.0.66.1']]);
    for (const host of ['192.0.66.1', 'public.example']) {
      await expect(fetchOutside({}, `http://${host}/`)).rejects.toThrow(`${host} is reached by https only.`);
    }
  });

  test('the environment: no other scheme, and no name and password in an address', async () => {
    for (const address of [
      'file:///etc/passwd',
      'ftp://example.com/',
      'data:,x',
      'example.com',
      'https://a:b@example.com/',
    ])
      expect([address, await failureOf(address)]).toEqual([address, 'unusable']);
  });

  test('the environment: what is allowed is reached, and its neighbour is not', async () => {
    const { port } = await listening(hello, '127.0.0.2');
    const only = { allowPrivateAddresses: ['127.0.0.2', '::1/128'] };
    expect(await (await fetchOutside(only, `http://127.0.0.2:${port}/`)).text()).toBe('hello');
    expect(await (await fetchOutside({ allowPrivateAddresses: ['all'] }, `http://127.0.0.2:${port}/`)).text()).toBe(
      'hello',
    );
    expect(await failureOf(`http://127.0.0.1:${port}/`, only)).toBe('refused');
    expect(await failureOf(`http://[::ffff:127.0.0.1]:${port}/`, only)).toBe('refused');
  });
});

describe('what is connected to', () => {
  test('the environment: the address that was judged, although the name means another one by now', async () => {
    const allowed = await listening(hello, '127.0.0.2');
    names.set('moving.example', [['127.0.0.2'], ['127.0.0.1']]);
    const answer = await fetchOutside(
      { allowPrivateAddresses: ['127.0.0.2'] },
      `http://moving.example:${allowed.port}/`,
    );
    expect(await answer.text()).toBe('hello');
    expect(allowed.requests.map(one => one.headers.host)).toEqual([`moving.example:${allowed.port}`]);
    // The next request asks anew, and no connection of the one before is used.
    const now = { allowPrivateAddresses: ['127.0.0.2'] };
    expect(await failureOf(`http://moving.example:${allowed.port}/`, now)).toBe('refused');
    expect(allowed.requests).toHaveLength(1);
  });

  test('traces: it is told which trace it belongs to, if to any', async () => {
    const { port, requests } = await listening(hello);
    const trace = newTrace();
    const ask = () => fetchOutside(loopback, `http://127.0.0.1:${port}/`, { headers: { 'x-own': 'yes' } });
    await ask();
    await within(trace, ask);
    expect(requests.map(({ headers }) => [headers['x-own'], headers['traceparent']])).toEqual([
      ['yes', undefined],
      ['yes', traceparent(trace)],
    ]);
  });

  test('the environment: a redirect is an answer, and is not followed', async () => {
    const secret = await listening(hello, '127.0.0.3');
    const target = `http://127.0.0.3:${secret.port}/`;
    const { port } = await listening((_request, response) => response.writeHead(302, { location: target }).end());
    const answer = await fetchOutside({ allowPrivateAddresses: ['all'] }, `http://127.0.0.1:${port}/`);
    expect([answer.status, answer.headers.get('location')]).toEqual([302, target]);
    expect(secret.requests).toEqual([]);
  });

  test('the environment: method, headers and body arrive, and the answer comes back as it was', async () => {
    const { port, requests } = await listening(async (request, response) => {
      response.writeHead(418, { 'content-type': 'text/plain', 'x-own': 'yes' });
      for await (const piece of request) response.write(piece);
      response.end();
    });
    const request = { method: 'POST', headers: { 'x-key': 'value' }, body: 'sent' };
    const answer = await fetchOutside(loopback, `http://127.0.0.1:${port}/path?query=1`, request);
    expect([answer.status, answer.headers.get('x-own'), await answer.text()]).toEqual([418, 'yes', 'sent']);
    expect(requests[0]).toMatchObject({ method: 'POST', url: '/path?query=1', headers: { 'x-key': 'value' } });
    const empty = await listening((_request, response) => response.writeHead(204).end());
    expect((await fetchOutside(loopback, `http://127.0.0.1:${empty.port}/`)).status).toBe(204);
  });
});

describe('who answers badly', () => {
  const at = (port: number) => `http://127.0.0.1:${port}/`;

  test('the environment: nobody there, something else than http, a break in the middle → unreachable', async () => {
    const { port } = await listening((_request, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('begun', () => response.destroy());
    });
    expect(await failureOf(at(1), loopback)).toBe('unreachable');
    expect(await failureOf(`https://127.0.0.1:${port}/`, loopback)).toBe('unreachable');
    expect(await failureOf(at(port), loopback)).toBe('unreachable');
    expect(await failureOf('https://name.invalid/')).toBe('unreachable');
  });

  test('the environment: no answer, or one that drips, ends in time', async () => {
    const silent = await listening(() => undefined);
    const dripping = await listening((_request, response) => {
      const drip = setInterval(() => response.write('.'), 20);
      response.on('close', () => clearInterval(drip));
    });
    expect(await failureOf(at(silent.port), loopback, { time_ms: 200 })).toBe('too-slow');
    expect(await failureOf(at(dripping.port), loopback, { time_ms: 200 })).toBe('too-slow');
  });

  describe('where nobody says otherwise', () => {
    useLimits({ outbound_ms: 300, outboundAnswer_bytes: 1000 });

    test('the environment: an answer has the time and the length that all have', async () => {
      const silent = await listening(() => undefined);
      expect(await failureOf(at(silent.port), loopback)).toBe('too-slow');
      const long = (bytes: number) => listening((_request, response) => response.end(Buffer.alloc(bytes)));
      const most = limits.outboundAnswer_bytes.value;
      expect(await failureOf(at((await long(most + 1)).port), loopback)).toBe('too-large');
      expect(await failureOf(at((await long(most)).port), loopback)).toBe('none');
    });
  });

  test('the environment: an answer that is too long breaks off, also one that was compressed', async () => {
    const { port } = await listening((request, response) => {
      const bytes = Buffer.alloc(100_000);
      if (request.url !== '/zip') return response.end(bytes);
      return response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(bytes));
    });
    for (const path of ['', 'zip']) {
      expect(await failureOf(at(port) + path, loopback, { most_bytes: 99_999 })).toBe('too-large');
      const whole = await fetchOutside(loopback, at(port) + path, { most_bytes: 100_000 });
      expect((await whole.arrayBuffer()).byteLength).toBe(100_000);
    }
  });
});
