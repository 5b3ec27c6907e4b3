/** §1: `terraform login`, step by step; e2e/login.test.ts has the command line itself. */
import { createHash, randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { type Document, useApp } from '../../../test/app.ts';
import { bodyOf, type Person, person, sessionOf } from '../../../test/builders/records.ts';

const app = useApp();
let someone: Person;
let session: string;
let verifier: string;
beforeEach(async () => {
  someone = await person(app);
  session = await sessionOf(app, someone);
  verifier = randomBytes(48).toString('base64url');
});

const address = 'http://localhost:10003/login';
const challengeOf = (text: string) => createHash('sha256').update(text).digest('base64url');
const authorize = (given: object = {}, shown = session) =>
  app.post(
    'account/login-authorizations',
    shown,
    bodyOf('login-authorizations', {
      'client-id': 'terraform-cli',
      'response-type': 'code',
      'redirect-uri': address,
      state: 'a state & more',
      'code-challenge': challengeOf(verifier),
      'code-challenge-method': 'S256',
      'is-allowed': true,
      ...given,
    }),
  );
const sentTo = ({ data }: { data: Document }) => new URL(data.attributes['redirect-to']);
const codeIn = (answer: { data: Document }) => sentTo(answer).searchParams.get('code')!;

async function exchange(given: Record<string, string>): Promise<{ status: number; document: Document }> {
  const form = {
    grant_type: 'authorization_code',
    client_id: 'terraform-cli',
    redirect_uri: address,
    code_verifier: verifier,
    ...given,
  };
  const answer = await app.app.inject({
    method: 'POST',
    url: '/oauth/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams(form).toString(),
  });
  expect(answer.headers['cache-control']).toBe('no-store');
  return { status: answer.statusCode, document: answer.json() };
}

describe('allowing', () => {
  test('§1 sends the browser to the command line with its state and a code, which it trades for a token with a name and an end', async () => {
    const allowed = await authorize();
    expect(allowed.status).toBe(201);
    expect(allowed.data.attributes['is-allowed']).toBe(true);
    expect(`${sentTo(allowed).origin}${sentTo(allowed).pathname}`).toBe(address);
    expect(sentTo(allowed).searchParams.get('state')).toBe('a state & more');
    const { status, document } = await exchange({ code: codeIn(allowed) });
    expect([status, document]).toEqual([
      200,
      { access_token: expect.stringMatching(/^terrane_/), token_type: 'bearer', expires_in: 90 * 86_400 },
    ]);
    expect((await app.get('account/details', document.access_token)).data.id).toBe(someone.id);
    const { data } = await app.get(`users/${someone.id}/authentication-tokens`, document.access_token);
    const made = data.find((one: Document) => one.attributes.description !== null);
    expect(made.attributes.description).toBe('terraform login from 127.0.0.1');
    const days = (Date.parse(made.attributes['expired-at']) - Date.now()) / 86_400_000;
    expect(Math.round(days)).toBe(90);
    expect(made.relationships['created-by'].data.id).toBe(someone.id);
  });

  test('§1 both steps are in the audit, without code and token', async () => {
    const administrator = await person(app, { isAdmin: true });
    const allowed = await authorize();
    const { document } = await exchange({ code: codeIn(allowed) });
    const events = await app.get('admin/audit-events', administrator.token);
    expect(events.data.slice(0, 2).map((one: Document) => [one.attributes.action, one.attributes['actor-id']])).toEqual(
      [
        ['authentication-tokens.create-by-login', someone.id],
        ['login-authorizations.create', someone.id],
      ],
    );
    expect(events.text).not.toContain(codeIn(allowed));
    expect(events.text).not.toContain(document.access_token);
  });

  test('§1 refusing sends the browser back with that, and makes nothing', async () => {
    const refused = await authorize({ 'is-allowed': false });
    expect([refused.status, sentTo(refused).search]).toEqual([201, '?state=a+state+%26+more&error=access_denied']);
    expect(await app.store.read`select from login_codes where login_codes.user_id = ${someone.id}`).toHaveLength(0);
  });

  test('§1 only a session can: a token makes no further ones this way', async () => {
    expect((await authorize({}, someone.token)).status).toBe(404);
  });

  test('§1 sends nobody anywhere but to the ports of the command line on the own machine', async () => {
    const elsewhere = [
      'http://localhost:9999/login',
      'http://localhost:10011/login',
      'http://localhost/login',
      'https://localhost:10000/login',
      'http://localhost.evil.example:10000/login',
      'http://evil.example:10000/login',
      'http://127.0.0.1.evil.example:10000/',
      'http://user@localhost:10000/login',
      'http://localhost:10000@evil.example:10000/login',
      'http://localhost:10000/login#part',
      'javascript:alert(1)',
      '//localhost:10000/login',
      '',
    ];
    for (const uri of elsewhere) {
      const answer = await authorize({ 'redirect-uri': uri });
      expect([uri, answer.status, answer.pointers]).toEqual([uri, 422, ['/data/attributes/redirect-uri']]);
    }
    for (const uri of ['http://127.0.0.1:10010/', 'http://[::1]:10000/login?from=here']) {
      expect([uri, (await authorize({ 'redirect-uri': uri })).status]).toEqual([uri, 201]);
    }
  });

  test('§1 needs the digest of a verifier, by the one method that hides it', async () => {
    for (const [name, value] of [
      ['code-challenge', verifier],
      ['code-challenge', ''],
      ['code-challenge-method', 'plain'],
      ['client-id', 'another'],
      ['response-type', 'token'],
    ] as const) {
      expect((await authorize({ [name]: value })).pointers).toEqual([`/data/attributes/${name}`]);
    }
  });
});

describe('the code', () => {
  const invalid = { status: 400, document: { error: 'invalid_grant' } };

  test('§1 serves once, also of five at the same moment', async () => {
    const code = codeIn(await authorize());
    const answers = await Promise.all(Array.from({ length: 5 }, () => exchange({ code })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400]);
  });

  test('§1 is void after a wrong verifier or another address, after a minute, and when its session has ended', async () => {
    for (const wrong of [{ code_verifier: 'x'.repeat(64) }, { redirect_uri: 'http://localhost:10004/login' }]) {
      const code = codeIn(await authorize());
      expect(await exchange({ code, ...wrong })).toEqual(invalid);
      expect(await exchange({ code })).toEqual(invalid);
    }
    const late = codeIn(await authorize());
    await app.store.read`
      update login_codes set expires_at = now() - interval '1 second' where login_codes.user_id = ${someone.id}`;
    expect(await exchange({ code: late })).toEqual(invalid);
    const orphan = codeIn(await authorize());
    await app.delete('account/session', session);
    expect(await exchange({ code: orphan })).toEqual(invalid);
    expect(await exchange({ code: 'never made' })).toEqual(invalid);
  });

  test('§1 a request that lacks something is told in the words of OAuth; other forms are refused', async () => {
    const errors = await Promise.all([
      exchange({ grant_type: 'password' }),
      exchange({ client_id: 'another' }),
      exchange({ code: '' }),
      exchange({ code: 'x', code_verifier: '' }),
    ]);
    expect(errors.map(({ document }) => document.error)).toEqual([
      'unsupported_grant_type',
      'invalid_client',
      'invalid_request',
      'invalid_request',
    ]);
    const post = (headers: Record<string, string>, payload: string) =>
      app.app.inject({ method: 'POST', url: '/oauth/token', headers, payload });
    expect((await post({ 'content-type': 'application/json' }, '{}')).statusCode).toBe(415);
    const long = await post({ 'content-type': 'application/x-www-form-urlencoded' }, `code=${'x'.repeat(9000)}`);
    expect(long.statusCode).toBe(413);
  });
});
