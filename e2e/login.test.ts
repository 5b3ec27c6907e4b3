// `terraform login` and `logout`, unmodified, over TLS: a script plays the browser of a person who is signed in.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { selfSigned } from '../test/running/certificate.ts';
import { createDirectory } from '../test/running/database.ts';
import { commandLines, type Server, startServer } from './command-line.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });
const found = commandLines();

let server: Server;
let authority: string;
let host: string;
beforeAll(async () => {
  const { key, certificate } = selfSigned();
  authority = certificate;
  const settings = { TERRANE_TLS_CERT_FILE: certificate, TERRANE_TLS_KEY_FILE: key };
  server = await startServer({ ...settings, HOST: '127.0.0.1' });
  host = `localhost:${new URL(server.address).port}`;
});
afterAll(() => server.stop());

interface Told {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  // biome-ignore lint/suspicious/noExplicitAny: documents of every shape.
  document: any;
}

/** As a page of the site asks, by the session of its cookie, or with a token. */
async function ask(method: string, path: string, headers: Record<string, string>, attributes?: object): Promise<Told> {
  const sent = request(`https://${host}/api/v2/${path}`, {
    method,
    ca: readFileSync(authority),
    headers: { 'content-type': 'application/vnd.api+json', 'sec-fetch-site': 'same-origin', ...headers },
  });
  sent.end(attributes && JSON.stringify({ data: { type: typeOf(path), attributes } }));
  const [response] = await once(sent, 'response');
  let text = '';
  for await (const piece of response) text += piece;
  return { status: response.statusCode, headers: response.headers, document: text && JSON.parse(text) };
}

const typeOf = (path: string) => ({ 'account/password': 'passwords' })[path] ?? path.split('/').at(-1)!;

/** Signs the administrator in; returns what the browser keeps. */
async function signIn(): Promise<string> {
  const password = 'four words of my own';
  const authorization = `Bearer ${server.token}`;
  const set = await ask('PATCH', 'account/password', { authorization }, { password });
  expect([204, 422]).toContain(set.status);
  const { status, headers } = await ask('POST', 'sessions', {}, { name: 'admin', password });
  expect(status).toBe(201);
  return headers['set-cookie']![0]!.split(';')[0]!;
}

/** What the page of the web interface does with the address that the command line opens. */
async function decide(cookie: string, address: string, isAllowed: boolean): Promise<Response> {
  expect(address).toMatch(new RegExp(`^https://${host}/oauth/authorize\\?`));
  const asked = Object.fromEntries(
    [...new URL(address).searchParams].map(([name, value]) => [name.replaceAll('_', '-'), value]),
  );
  const given = { ...asked, 'is-allowed': isAllowed };
  const { status, document } = await ask('POST', 'account/login-authorizations', { cookie }, given);
  expect([status, document]).toMatchObject([201, { data: { attributes: { 'is-allowed': isAllowed } } }]);
  return fetch(document.data.attributes['redirect-to']);
}

function start(binary: string, home: string, ...given: string[]) {
  const child = spawn(binary, given, {
    cwd: home,
    env: {
      PATH: process.env['PATH'],
      HOME: home,
      SSL_CERT_FILE: authority,
      CHECKPOINT_DISABLE: '1',
      BROWSER: '/bin/false',
    },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => (output += chunk));
  child.stdin.write('yes\n');
  const ended = once(child, 'close').then(([status]) => status as number);
  return { child, output: () => output, ended };
}

describe.skipIf(found.length === 0)('without one of the command lines', () => {
  describe.each(found)('%s', binary => {
    test('§1 login: discovered, allowed in the browser, and the token works; logout forgets it', async () => {
      const home = createDirectory();
      mkdirSync(join(home, '.terraform.d'), { recursive: true });
      const cookie = await signIn();
      expect(cookie).toMatch(/^__Host-terrane-session=/);
      const login = start(binary, home, 'login', '-no-color', host);
      const address = await vi.waitFor(() => /^\s*(https:\/\/\S+)$/m.exec(login.output())![1]!, { timeout: 30_000 });
      const shown = await decide(cookie, address, true);
      expect(shown.status).toBe(200);
      expect([await login.ended, login.output()]).toEqual([
        0,
        expect.stringContaining('obtained and saved an API token'),
      ]);

      const kept = JSON.parse(readFileSync(join(home, '.terraform.d', 'credentials.tfrc.json'), 'utf8'));
      const authorization = `Bearer ${kept.credentials[host].token}`;
      const { document } = await ask('GET', 'account/details', { authorization });
      expect(document.data.attributes.username).toBe('admin');

      const logout = start(binary, home, 'logout', '-no-color', host);
      expect([await logout.ended, logout.output()]).toEqual([0, expect.stringContaining('Success')]);
      const left = JSON.parse(readFileSync(join(home, '.terraform.d', 'credentials.tfrc.json'), 'utf8'));
      expect(left.credentials[host]).toBeUndefined();
    });

    test('§1 login: refused in the browser, the command line gets no code, and its token is never made', async () => {
      const home = createDirectory();
      mkdirSync(join(home, '.terraform.d'), { recursive: true });
      const cookie = await signIn();
      const login = start(binary, home, 'login', '-no-color', host);
      const address = await vi.waitFor(() => /^\s*(https:\/\/\S+)$/m.exec(login.output())![1]!, { timeout: 30_000 });
      // It tells the browser that no code came, and waits on until somebody stops it.
      expect((await decide(cookie, address, false)).status).toBe(400);
      login.child.kill('SIGKILL');
      await login.ended;
      expect(existsSync(join(home, '.terraform.d', 'credentials.tfrc.json'))).toBe(false);
    });
  });
});
