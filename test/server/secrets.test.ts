/** What people sign in with is nowhere to be found: not in the database, its audit included, and not in the log. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStore, type Store } from '../../src/core/store/store.ts';
import { authenticator } from '../../src/people/second-factor/codes.ts';
import type { Document } from '../app.ts';
import { createEmptyDatabase, reachableUrl } from '../running/database.ts';
import { newKeys } from '../running/saml-provider.ts';
import { operatorToken, type Server, startServer } from '../running/server.ts';
import { signInByProviders } from './provider-secrets.ts';

const smtpPassword = 'the-secret-of-the-mail-server';
const proxyPassword = 'the-secret-of-the-proxy';
const siteKeys = newKeys();
let server: Server;
let store: Store;
const closers: (() => unknown)[] = [];
beforeAll(async () => {
  const database = await createEmptyDatabase();
  const { url, close } = await reachableUrl(database.connection);
  server = await startServer({
    DATABASE_URL: url,
    TERRANE_TOKEN_PEPPER: 'the pepper of this test',
    TERRANE_ENCRYPTION_KEY: 'the encryption key of this test',
    TERRANE_LOG_LEVEL: 'trace',
    TERRANE_ALLOW_PRIVATE_ADDRESSES: '127.0.0.0/8',
    // Nobody is there, so what is said of it when it fails is in the log and in the audit.
    HTTPS_PROXY: `http://terrane:${proxyPassword}@127.0.0.1:9`,
    TERRANE_SAML_CERT: siteKeys.certificate,
    TERRANE_SAML_KEY: siteKeys.key,
    TERRANE_SMTP_URL: `smtp://terrane:${smtpPassword}@127.0.0.1:9`,
  });
  store = openStore(database.connection);
  closers.push(
    () => server.end(),
    () => store.close(),
    close,
    () => database.drop(),
  );
});
afterAll(async () => {
  for (const close of closers) await close();
});

interface Told {
  status: number;
  cookie: string | undefined;
  document: Document;
}

async function ask(method: string, path: string, shown: Record<string, string>, attributes?: object): Promise<Told> {
  const type = path.split('/').at(-1);
  const answer = await fetch(`${server.address}/api/v2/${path}`, {
    method,
    headers: { 'content-type': 'application/vnd.api+json', origin: server.address, ...shown },
    ...(attributes && { body: JSON.stringify({ data: { type, attributes } }) }),
  });
  const text = await answer.text();
  const cookie = /^terrane-session=(\w+)/.exec(answer.headers.get('set-cookie') ?? '')?.[1];
  return { status: answer.status, cookie, document: text && JSON.parse(text) };
}

/** Goes through everything that has a secret, failing on the way too. Returns the secrets by what they are. */
async function signInEveryWay(): Promise<Record<string, string>> {
  const administrator = { authorization: `Bearer ${operatorToken}` };
  const [first, second, wrong] = [
    'The first of my passwords',
    'The second of my passwords',
    'A password that is wrong',
  ];
  const known = { name: 'bob', email: 'bob@example.com' };
  const made = await fetch(`${server.address}/api/v2/admin/users`, {
    method: 'POST',
    headers: { ...administrator, 'content-type': 'application/vnd.api+json' },
    body: JSON.stringify({ data: { type: 'users', attributes: { username: known.name, email: known.email } } }),
  });
  const { id } = ((await made.json()) as Document).data;
  const links = await ask('POST', `admin/users/${id}/password-links`, administrator);
  const link = new URLSearchParams(new URL(links.document.data.attributes.url).hash.slice(1)).get('link')!;
  const begun = await ask('POST', 'passwords', {}, { link, password: first });
  const withBegun = { cookie: `terrane-session=${begun.cookie}` };
  await ask('POST', 'sessions', {}, { name: wrong, password: wrong });
  await ask('POST', 'sessions', {}, { name: known.name, password: wrong });
  await ask('PATCH', 'account/password', withBegun, { password: second, 'current-password': wrong });
  const changed = { type: 'passwords', attributes: { password: second, 'current-password': first } };
  await fetch(`${server.address}/api/v2/account/password`, {
    method: 'PATCH',
    headers: { ...withBegun, origin: server.address, 'content-type': 'application/vnd.api+json' },
    body: JSON.stringify({ data: changed }),
  });
  const factor = await fetch(`${server.address}/api/v2/account/second-factor`, {
    method: 'POST',
    headers: { ...withBegun, origin: server.address, 'content-type': 'application/vnd.api+json' },
    body: JSON.stringify({ data: { type: 'second-factors', attributes: { 'current-password': second } } }),
  });
  const { secret } = ((await factor.json()) as Document).data.attributes;
  const confirmed = await fetch(`${server.address}/api/v2/account/second-factor/actions/confirm`, {
    method: 'POST',
    headers: { ...withBegun, origin: server.address, 'content-type': 'application/vnd.api+json' },
    body: JSON.stringify({
      data: { type: 'second-factors', attributes: { code: authenticator(secret).generate() } },
    }),
  });
  const codes: string[] = ((await confirmed.json()) as Document).data.attributes['recovery-codes'];
  const signedIn = await ask('POST', 'sessions', {}, { name: known.name, password: second, code: codes[0] });
  expect(signedIn.status).toBe(201);
  const login = await allowLogin({ cookie: `terrane-session=${signedIn.cookie}` });
  await ask('POST', 'password-links', {}, { name: known.email });
  return {
    'the first password': first,
    'the second password': second,
    'a wrong password': wrong,
    'the link': link,
    'the session by the link': begun.cookie!,
    'the session by the password': signedIn.cookie!,
    'the secret of the app': secret,
    'a recovery code that was used': codes[0]!.replaceAll('-', ''),
    'a recovery code': codes[1]!.replaceAll('-', ''),
    'a recovery code as it is shown': codes[1]!,
    'the password of the mail server': smtpPassword,
    'the password of the proxy': proxyPassword,
    'the same as the proxy is told it': Buffer.from(`terrane:${proxyPassword}`).toString('base64'),
    'a line of the key of the site': siteKeys.key.split('\n')[5]!,
    ...login,
    ...(await signInByProviders(server.address, operatorToken)),
  };
}

/** `terraform login`, without the command line. */
async function allowLogin(shown: Record<string, string>): Promise<Record<string, string>> {
  const verifier = 'a verifier of the command line that nobody else knows';
  const redirect = 'http://localhost:10000/login';
  const allowed = await ask('POST', 'account/login-authorizations', shown, {
    'client-id': 'terraform-cli',
    'response-type': 'code',
    'redirect-uri': redirect,
    'code-challenge': createHash('sha256').update(verifier).digest('base64url'),
    'code-challenge-method': 'S256',
    'is-allowed': true,
  });
  const code = new URL(allowed.document.data.attributes['redirect-to']).searchParams.get('code')!;
  const traded = await fetch(`${server.address}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: 'terraform-cli',
      code,
      redirect_uri: redirect,
      code_verifier: verifier,
    }),
  });
  const { access_token: token } = (await traded.json()) as { access_token: string };
  return { 'the code of the command line': code, 'its verifier': verifier, 'its token': token };
}

test('§5 no secret of anybody who signed in is in a table, in the audit or in the log, in whatever form', {
  timeout: 60_000,
}, async () => {
  const secrets = await signInEveryWay();
  expect(Object.values(secrets).every(secret => secret && secret.length > 12)).toBe(true);
  const tables = await store.read<{ name: string }[]>`
    select tables.table_name::text as name from information_schema.tables where tables.table_schema = 'public' order by 1`;
  const places = new Map<string, string>([
    ['the log', server.output()],
    ['what the operator reads', server.errors()],
  ]);
  for (const { name } of tables) {
    const [row] = await store.read.unsafe<{ text: string }[]>(
      `select coalesce(string_agg(rows::text, ' '), '') as text from ${name} as rows`,
    );
    places.set(name, row!.text);
  }
  // Else the places that were searched would be empty, and the search worth nothing.
  for (const name of [
    'audit_events',
    'passwords',
    'sessions',
    'second_factors',
    'recovery_codes',
    'tokens',
    'sign_in_providers',
    'sign_in_identities',
    'the log',
  ]) {
    expect([name, places.get(name)!.length > 100]).toEqual([name, true]);
  }
  const found = [...places].flatMap(([place, text]) =>
    Object.entries(secrets).flatMap(([what, secret]) =>
      formsOf(secret).some(form => text.includes(form)) ? [`${what} is in ${place}`] : [],
    ),
  );
  expect(found).toEqual([]);
});

/** As it is, as bytes in PostgreSQL's form, and in base 64 where it does not depend on what stands beside it. */
function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  return [secret, bytes.toString('hex'), bytes.toString('base64').slice(0, -4), encodeURIComponent(secret)];
}
