// Pages of other sites in a real browser that carries somebody's session: whatever they try, nothing changes.
import { execFile, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { useApp } from '../test/app.ts';
import { organization, sessionOf, type TestOrganization } from '../test/builders/records.ts';
import { fingerprint } from '../test/nets/rows.ts';
import { createDirectory } from '../test/running/database.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });
const browser = ['chromium', 'chromium-browser', 'google-chrome'].find(isInstalled);
if (!browser) console.log('e2e: no Chromium on this machine: skipped');

function isInstalled(name: string): boolean {
  try {
    execFileSync(name, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const app = useApp();
let acme: TestOrganization;
let target: string;
let page: Server;
let port: number;
let secret: string;
const profile = () => `${createDirectory()}/profile`;
/** Requests that reached the server with the session: the method, where the browser said it came from, and the answer. */
const arrived: { method: string; site: string | undefined; status: number }[] = [];

beforeAll(async () => {
  app.app.server.on('request', (request, response) => {
    if (!request.headers.cookie?.includes('terrane-session=')) return;
    const site = request.headers['sec-fetch-site'] as string | undefined;
    response.once('close', () => arrived.push({ method: request.method!, site, status: response.statusCode }));
  });
  await app.app.listen({ host: '127.0.0.1', port: 0 });
  target = `http://127.0.0.1:${(app.app.server.address() as AddressInfo).port}/api/v2`;
  acme = await organization(app);
  secret = (await sessionOf(app, acme.owner)).replace('session ', '');
  // Cookies know no ports: a page of this host gives the browser the session as signing in would.
  page = createServer((request, response) => {
    const isSignIn = request.url === '/sign-in';
    response.setHeader('content-type', 'text/html');
    if (isSignIn)
      response.setHeader('set-cookie', `terrane-session=${secret}; Path=/; Max-Age=3600; HttpOnly; SameSite=Lax`);
    response.end(isSignIn ? 'signed in' : attacks(target, acme.name));
  }).listen(0);
  await once(page, 'listening');
  port = (page.address() as AddressInfo).port;
});
afterAll(() => page?.close());

/** Twenty ways to have a browser ask for a change, or to read what it is shown. */
function attacks(api: string, organizationName: string): string {
  const teams = `${api}/organizations/${organizationName}/teams`;
  const body = JSON.stringify({ data: { type: 'teams', attributes: { name: 'made-elsewhere' } } });
  return `<body><script>
    const api = ${JSON.stringify(api)}, teams = ${JSON.stringify(teams)}, body = ${JSON.stringify(body)};
    const jsonApi = { 'content-type': 'application/vnd.api+json' };
    const asks = (url, options) => fetch(url, { credentials: 'include', ...options }).then(r => r.text()).catch(() => '');
    const form = (method, enctype, action) => {
      const frame = document.createElement('iframe');
      frame.name = 'frame' + Math.random();
      const made = Object.assign(document.createElement('form'), { method, enctype, action, target: frame.name });
      made.append(Object.assign(document.createElement('input'), { name: body, value: '' }));
      document.body.append(frame, made);
      made.submit();
    };
    const element = (name, attributes) => document.body.append(Object.assign(document.createElement(name), attributes));
    const attempts = [
      () => asks(teams, { method: 'POST', headers: jsonApi, body }),
      () => asks(teams, { method: 'POST', mode: 'no-cors', body }),
      () => asks(teams, { method: 'POST', mode: 'no-cors', body: new Blob([body], { type: 'text/plain' }) }),
      () => asks(teams, { method: 'POST', mode: 'no-cors', body: new URLSearchParams({ a: body }) }),
      () => asks(teams, { method: 'POST', body: new FormData() }),
      () => asks(api + '/account/session', { method: 'DELETE', headers: jsonApi }),
      () => asks(api + '/account/sessions', { method: 'DELETE' }),
      () => asks(api + '/account/password', { method: 'PATCH', headers: jsonApi, body: '{}' }),
      () => asks(api + '/account/details'),
      () => asks(api + '/account/details', { mode: 'no-cors' }),
      () => asks(api + '/account/details', { referrerPolicy: 'no-referrer' }),
      () => form('post', 'application/x-www-form-urlencoded', teams),
      () => form('post', 'text/plain', teams),
      () => form('post', 'multipart/form-data', teams),
      () => form('get', '', api + '/account/details'),
      () => element('img', { src: api + '/account/details' }),
      () => element('script', { src: api + '/account/details' }),
      () => element('iframe', { src: api + '/account/details' }),
      () => navigator.sendBeacon(teams, new Blob([body], { type: 'text/plain' })),
      () => new Promise(done => {
        const asked = new XMLHttpRequest();
        asked.open('POST', teams);
        asked.withCredentials = true;
        asked.onloadend = () => done(asked.responseText);
        asked.send(body);
      }),
    ];
    Promise.all(attempts.map(one => one())).then(texts => {
      const read = texts.filter(text => typeof text === 'string' && text.includes('username')).length;
      setTimeout(() => { document.title = 'tried ' + attempts.length + ', read ' + read; }, 2000);
    });
  </script></body>`;
}

/** Opens the address in a browser of that profile; returns the document as it is in the end. */
function open(directory: string, address: string): Promise<string> {
  const options = ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run'];
  const patience = ['--virtual-time-budget=8000', '--dump-dom', `--user-data-dir=${directory}`];
  return new Promise((resolve, reject) => {
    execFile(browser!, [...options, ...patience, address], { timeout: 60_000 }, (error, output) =>
      error ? reject(error) : resolve(output),
    );
  });
}

describe.skipIf(!browser)('without a browser', () => {
  test.each([
    ['another site', 'localhost', 'cross-site'],
    ['another port of this host, which the cookie is sent to', '127.0.0.1', 'same-site'],
  ])('§5 twenty attempts of %s change nothing and read nothing', async (_name, host, site) => {
    const directory = profile();
    expect(await open(directory, `http://127.0.0.1:${port}/sign-in`)).toContain('signed in');
    arrived.length = 0;
    const before = await fingerprint(app.store);
    expect(await open(directory, `http://${host}:${port}/attack`)).toContain('<title>tried 20, read 0</title>');
    expect(await fingerprint(app.store)).toEqual(before);
    expect(arrived.filter(({ status }) => status < 400)).toEqual([]);
    expect(arrived.filter(one => one.site !== site)).toEqual([]);
    // From the same host the session does come along: what refuses it is the server.
    if (site === 'same-site') expect(arrived.length).toBeGreaterThan(8);
    expect((await app.get('account/session', `session ${secret}`)).status).toBe(200);
  });
});
