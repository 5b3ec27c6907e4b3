/** Requests to the outside through a proxy, which is a real one on this machine. */
import { execFile } from 'node:child_process';
import dns from 'node:dns';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { selfSigned } from '../../test/running/certificate.ts';
import { fetchOutside, type OutboundError } from './outbound.ts';
import { proxyFor } from './outbound-proxy.ts';

/** What the proxy was asked for, and with which credentials. */
const asked: { target: string | undefined; credentials: string | undefined }[] = [];
let behaviour: 'open' | 'refuse' | 'silent' | 'answer' = 'open';
const sockets = new Set<Socket>();
const proxy = createServer((_request, response) => response.end('I am no proxy.'));
proxy.on('connect', (request: IncomingMessage, socket: Socket) => {
  asked.push({ target: request.url, credentials: request.headers['proxy-authorization'] });
  sockets.add(socket.on('error', () => socket.destroy()));
  if (behaviour === 'silent') return;
  if (behaviour === 'refuse') return void socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
  const { port } = new URL(`http://${request.url}`);
  const onward = connect(Number(port), '127.0.0.1', () => {
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
    socket.pipe(onward).pipe(socket);
  });
  sockets.add(onward.on('error', () => socket.destroy()));
});
const certified = selfSigned('DNS:localhost');
const target = createTlsServer(
  { key: readFileSync(certified.key), cert: readFileSync(certified.certificate) },
  (request, response) => response.end(`hello ${request.headers.host}`),
);

let httpsProxy: string;
let targetPort: number;
beforeAll(async () => {
  for (const server of [proxy, target]) await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  httpsProxy = `http://terrane:p%40ss@127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  targetPort = (target.address() as AddressInfo).port;
});
afterAll(() => {
  vi.restoreAllMocks();
  for (const socket of sockets) socket.destroy();
  for (const server of [proxy, target]) server.close();
});
beforeEach(() => {
  asked.length = 0;
  behaviour = 'open';
});

const failureOf = (address: string, config: object = {}, time_ms?: number) =>
  fetchOutside({ httpsProxy, ...config }, address, { ...(time_ms && { time_ms }) }).then(
    () => 'none',
    ({ failure, message }: OutboundError) => `${failure}: ${message}`,
  );

/** By a program of its own, which trusts the certificate of the target. */
const saidTo = (address: string, config: object) =>
  new Promise<string>(done => {
    const script = `import { fetchOutside } from './src/core/outbound.ts';
      const said = fetchOutside(${JSON.stringify(config)}, '${address}').then(answer => answer.text(), error => error.failure);
      console.log(await said);`;
    const environment = { ...process.env, NODE_EXTRA_CA_CERTS: certified.certificate };
    const root = new URL('../../', import.meta.url);
    execFile(
      process.execPath,
      ['--import', 'tsx', '--input-type=module', '-e', script],
      { cwd: root, env: environment },
      (_error, output) => done(output.trim()),
    );
  });

describe('through the proxy', () => {
  test('the environment: TLS is spoken with the name, and the proxy is asked for the address that was judged', async () => {
    const config = { httpsProxy, allowPrivateAddresses: ['127.0.0.0/8', '::1'] };
    expect(await saidTo(`https://localhost:${targetPort}/`, config)).toBe(`hello localhost:${targetPort}`);
    const credentials = `Basic ${Buffer.from('terrane:p@ss').toString('base64')}`;
    expect(asked).toEqual([
      { target: expect.stringMatching(`^(127\\.0\\.0\\.1|\\[::1\\]):${targetPort}$`), credentials },
    ]);
    // The certificate is for localhost, and the proxy cannot make it one for somebody else.
    expect(await saidTo(`https://127.0.0.1:${targetPort}/`, config)).toBe('unreachable');
    expect(asked).toHaveLength(2);
  });

  test('the environment: a name of a private network is refused before the proxy hears of it, and a public one goes by its address', async () => {
    vi.spyOn(dns, 'lookup').mockImplementation(((host: string, _options: object, done: (...found: unknown[]) => void) =>
      done(null, [{ address: host === 'inside.example' ? '10.0.0.1' : '192.0.66.1', family: 4 }])) as never);
    behaviour = 'refuse';
    for (const address of ['https://inside.example/', 'https://10.0.0.1/', 'http://outside.example/']) {
      expect(await failureOf(address)).toMatch(/^refused: /);
    }
    expect(asked).toEqual([]);
    expect(await failureOf('https://outside.example/')).toBe(
      'unreachable: The proxy of this site lets nobody out to 192.0.66.1:443: it answers 403.',
    );
    expect(asked.map(({ target }) => target)).toEqual(['192.0.66.1:443']);
    vi.restoreAllMocks();
  });

  test('the environment: where names are passed on, the proxy looks them up; addresses are judged here all the same', async () => {
    const config = { proxyNames: 'passed-on' };
    behaviour = 'refuse';
    expect(await failureOf('https://only.the.proxy.knows.invalid:8443/', config)).toMatch(/^unreachable: The proxy/);
    expect(asked.map(({ target }) => target)).toEqual(['only.the.proxy.knows.invalid:8443']);
    for (const host of ['127.0.0.1', '[::1]', '169.254.169.254', '2130706433']) {
      expect(await failureOf(`https://${host}/`, config)).toMatch(/^refused: /);
    }
    expect(asked).toHaveLength(1);
  });

  test('the environment: a proxy that is silent, not there or none at all ends in time, with a word about the proxy', async () => {
    const allowed = { allowPrivateAddresses: ['127.0.0.1'] };
    behaviour = 'silent';
    expect(await failureOf(`https://127.0.0.1:${targetPort}/`, allowed, 300)).toMatch(/^too-slow: /);
    const nobody = await failureOf('https://127.0.0.1/', { ...allowed, httpsProxy: 'http://127.0.0.1:1' });
    expect(nobody).toBe('unreachable: The proxy of this site cannot be reached.');
    const web = createServer((_request, response) => response.end()).on('connect', (_request, socket) =>
      socket.end('HTTP/1.1 405 Method Not Allowed\r\ncontent-length: 0\r\n\r\n'),
    );
    await new Promise<void>(done => web.listen(0, '127.0.0.1', done));
    const none = { ...allowed, httpsProxy: `http://127.0.0.1:${(web.address() as AddressInfo).port}` };
    expect(await failureOf('https://127.0.0.1/', none)).toMatch(/it answers 405\.$/);
    web.close();
  });
});

test('the environment: NO_PROXY names hosts and all below them, with a port or without, or everything', () => {
  const isProxied = (address: string, noProxy: string[]) =>
    proxyFor(new URL(address), { httpsProxy: 'http://proxy.example:3128', noProxy }) !== undefined;
  const noProxy = ['example.com', '.corp.example', '*.lab.example', '192.0.2.7', 'ports.example:8443'];
  for (const host of [
    'example.com',
    'a.example.com',
    'corp.example',
    'x.lab.example',
    '192.0.2.7',
    'ports.example:8443',
  ])
    expect([host, isProxied(`https://${host}/`, noProxy)]).toEqual([host, false]);
  for (const host of ['notexample.com', 'example.com.evil.example', '192.0.2.70', 'ports.example'])
    expect([host, isProxied(`https://${host}/`, noProxy)]).toEqual([host, true]);
  expect([isProxied('https://a.example/', ['*']), isProxied('http://a.example/', [])]).toEqual([false, false]);
  expect(proxyFor(new URL('https://a.example/'), {})).toBeUndefined();
});
