/** §1: providers of OpenID Connect that are down, slow, or say what is not so. */
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { openApp, type TestApp } from '../../../test/app.ts';
import { browserOf } from '../../../test/builders/browser.ts';
import { limits } from '../../core/limits.ts';

const site = 'http://127.0.0.1:8080';
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const other = generateKeyPairSync('rsa', { modulusLength: 2048 });

/** How the provider of the test misbehaves. */
interface Mood {
  claims?: Record<string, unknown>;
  key?: KeyObject | null;
  metadata?: Record<string, unknown>;
  token?: (request: IncomingMessage, response: ServerResponse) => unknown;
  discovery?: (request: IncomingMessage, response: ServerResponse) => unknown;
}

let mood: Mood = {};
let asked: string[] = [];
let server: Server;
let issuer: string;
let app: TestApp;
beforeAll(async () => {
  server = createServer((request, response) => void answer(request, response));
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const names = Array.from({ length: 20 }, (_, at) => `p${at}`);
  const shared = { kind: 'openid-connect', 'client-secret': 'shared', scopes: 'openid email' };
  // What is known of a provider is kept for each client of it.
  const providers = names.map(name => ({ ...shared, name, 'client-id': name, issuer }));
  app = await openApp({
    TERRANE_ALLOW_PRIVATE_ADDRESSES: '127.0.0.0/8',
    TERRANE_SIGN_IN_PROVIDERS: JSON.stringify(providers),
  });
});
afterAll(async () => {
  await app.close();
  server.closeAllConnections();
  server.close();
});
beforeEach(async () => {
  mood = {};
  asked = [];
  await app.store.read`delete from sign_in_attempts`;
});

async function answer(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
  const { pathname } = new URL(request.url!, issuer);
  asked.push(pathname);
  const send = (value: object) => response.setHeader('content-type', 'application/json').end(JSON.stringify(value));
  if (pathname === '/.well-known/openid-configuration') {
    if (mood.discovery) return mood.discovery(request, response);
    return send({
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
      response_types_supported: ['code'],
      ...mood.metadata,
    });
  }
  if (pathname === '/keys')
    return send({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'RS256' }] });
  if (pathname !== '/token') return response.writeHead(404).end();
  if (mood.token) return mood.token(request, response);
  return send({ access_token: 'x', token_type: 'Bearer', expires_in: 60, id_token: idToken() });
}

let nonce = '';
let client = '';
function idToken(): string {
  const now = Math.floor(Date.now() / 1000);
  const honest = { iss: issuer, sub: `of ${client}`, aud: client, iat: now, exp: now + 60, nonce };
  const claims = { ...honest, email: `${client}@example.com`, email_verified: true, ...mood.claims };
  const key = mood.key === undefined ? privateKey : mood.key;
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const signed = `${part({ alg: key ? 'RS256' : 'none', kid: 'one' })}.${part(claims)}`;
  return `${signed}.${key ? sign('sha256', Buffer.from(signed), key).toString('base64url') : ''}`;
}

/** Begins, and comes back as if the provider had sent the browser. */
async function signIn(name: string): Promise<string> {
  client = name;
  const browser = browserOf(app, site);
  const { location } = await browser.follow(`${site}/sso/${name}`, () => true);
  if (location.startsWith('/app/')) return location;
  const begun = new URL(location).searchParams;
  nonce = begun.get('nonce')!;
  const back = `${site}/sso/${name}/callback?code=x&state=${begun.get('state')}`;
  return (await browser.follow(back)).location;
}

const refused = (reason: string) => `/app/~/sign-in?refused=${reason}`;

test('§1 an honest answer signs in, whatever the clocks differ within a minute', async () => {
  const now = Math.floor(Date.now() / 1000);
  expect(await signIn('p0')).toBe('/app/');
  mood = { claims: { iat: now + 50, nbf: now + 50 } };
  expect(await signIn('p0')).toBe('/app/');
  mood = { claims: { exp: now - 50 } };
  expect(await signIn('p0')).toBe('/app/');
});

test('§1 another key, no signature, another audience, issuer or nonce, a token of yesterday or tomorrow → nobody', async () => {
  const now = Math.floor(Date.now() / 1000);
  const moods: Mood[] = [
    { key: other.privateKey },
    { key: null },
    { claims: { aud: 'another client' } },
    { claims: { aud: ['p1', 'another client'], azp: 'another client' } },
    { claims: { iss: 'http://127.0.0.1:1' } },
    { claims: { nonce: 'another' } },
    { claims: { nonce: undefined } },
    { claims: { exp: now - 3600 } },
    { claims: { nbf: now + 3600 } },
    { claims: { sub: undefined } },
    { claims: { sub: 'x'.repeat(limits.claimText_characters.value + 1) } },
    { claims: { groups: Array.from({ length: limits.claimGroups_items.value + 1 }, (_, at) => `group ${at}`) } },
    { token: (_request, response) => response.setHeader('content-type', 'application/json').end('{"access_token":') },
    { token: (_request, response) => response.writeHead(500).end() },
  ];
  for (const one of moods) {
    mood = one;
    expect([JSON.stringify(one).slice(0, 80), await signIn('p1')]).toEqual([
      expect.anything(),
      refused('provider-unusable'),
    ]);
  }
  expect(await app.store.read`select users.id from users where users.email = 'p1@example.com'`).toEqual([]);
});

test('§1 an answer without an end, one that never comes, and redirects → a page, and no request is followed', async () => {
  const endless = (_request: IncomingMessage, response: ServerResponse) => {
    response.setHeader('content-type', 'application/json');
    response.on('error', () => undefined);
    const more = () => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536, 0x20)));
      if (!response.destroyed) response.once('drain', more);
    };
    more();
  };
  mood = { token: endless };
  expect(await signIn('p2')).toBe(refused('provider-unreachable'));
  mood = { discovery: endless };
  expect(await signIn('p3')).toBe(refused('provider-unreachable'));
  mood = { discovery: (_request, response) => response.writeHead(302, { location: `${issuer}/loop` }).end() };
  expect(await signIn('p4')).toBe(refused('provider-unusable'));
  mood = { token: (_request, response) => response.writeHead(307, { location: `${issuer}/loop` }).end() };
  expect(await signIn('p5')).toBe(refused('provider-unusable'));
  expect(asked).not.toContain('/loop');
});

test('§1 all that one request asks together ends in time', async () => {
  const timeouts: number[] = [];
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation(time_ms => {
    timeouts.push(time_ms);
    return AbortSignal.abort(new DOMException('over', 'TimeoutError'));
  });
  try {
    expect(await signIn('p6')).toBe(refused('provider-unreachable'));
  } finally {
    timeout.mockRestore();
  }
  expect(Math.max(...timeouts)).toBe(10_000);
});

test('§1 many people at once ask a provider that does not answer once, and one that answers is asked no more', async () => {
  let hold: (() => void)[] = [];
  mood = { discovery: (_request, response) => void hold.push(() => response.writeHead(503).end()) };
  const many = Array.from({ length: 20 }, () => browserOf(app, site).follow(`${site}/sso/p7`, () => true));
  await vi.waitFor(() => expect(hold.length).toBe(1));
  hold[0]!();
  hold = [];
  for (const { location } of await Promise.all(many)) expect(location).toBe(refused('provider-unusable'));
  mood = {};
  asked = [];
  expect([await signIn('p7'), await signIn('p7')]).toEqual(['/app/', '/app/']);
  expect(asked).toEqual(['/.well-known/openid-configuration', '/token', '/keys', '/token']);
});

test('§1 a provider that says it is another, or sends people to no web page, or asks within the network → a page', async () => {
  mood = { metadata: { issuer: 'http://127.0.0.1:1' } };
  expect(await signIn('p8')).toBe(refused('provider-unusable'));
  mood = { metadata: { authorization_endpoint: 'javascript:alert(1)' } };
  expect(await signIn('p9')).toBe(refused('provider-unusable'));
  mood = { metadata: { token_endpoint: 'http://169.254.169.254/token' } };
  expect(await signIn('p10')).toBe(refused('provider-unreachable'));
  mood = { metadata: { jwks_uri: 'http://10.0.0.1/keys' } };
  expect(await signIn('p11')).toBe(refused('provider-unreachable'));
});

test('§1 groups that a provider does not say in the token leave everything as it is', async () => {
  const acme = await import('../../../test/builders/records.ts').then(async ({ organization, team }) => {
    const made = await organization(app);
    const teamId = await team(app, made);
    await app.store.read`update teams set sso_team_id = 'group of p12' where teams.id = ${teamId}`;
    return made;
  });
  const members = () => app.store.read`
    select users.email from organization_memberships join users on users.id = organization_memberships.user_id
    where organization_memberships.organization_id = ${acme.key} and users.email = 'p12@example.com'`;
  mood = { claims: { groups: 'group of p12' } };
  await signIn('p12');
  expect(await members()).toHaveLength(1);
  mood = { claims: { _claim_names: { groups: 'src1' }, _claim_sources: { src1: { endpoint: 'https://elsewhere' } } } };
  expect(await signIn('p12')).toBe('/app/');
  expect(await members()).toHaveLength(1);
  mood = {};
  await signIn('p12');
  expect(await members()).toEqual([]);
});
