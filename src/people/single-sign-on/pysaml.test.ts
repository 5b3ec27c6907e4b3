/** §1: people sign in by a real provider of SAML 2.0, whose XML and signatures are by pysaml2 and xmlsec1. */

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { openApp, type TestApp } from '../../../test/app.ts';
import { browserOf } from '../../../test/builders/browser.ts';
import { bodyOf, organization, randomName, team } from '../../../test/builders/records.ts';
import { type Pysaml, pysaml, pysamlPython, type Told } from '../../../test/running/pysaml.ts';
import { newKeys } from '../../../test/running/saml-provider.ts';
import { limits } from '../../core/limits.ts';

const site = 'http://127.0.0.1:8080';
const place = `${site}/sso/directory`;

describe.skipIf(!pysamlPython)('by pysaml2', () => {
  let provider: Pysaml;
  let app: TestApp;
  /** A site with a key of its own. */
  let keyed: TestApp;
  beforeAll(async () => {
    provider = await pysaml();
    const { issuer, signInUrl, keys } = provider;
    const shared = { kind: 'saml', issuer, 'sign-in-url': signInUrl, certificates: keys.certificate };
    const environment = {
      TERRANE_SIGN_IN_PROVIDERS: JSON.stringify([
        { ...shared, name: 'directory' },
        { ...shared, name: 'other' },
      ]),
    };
    const own = newKeys();
    app = await openApp(environment);
    keyed = await openApp({ ...environment, TERRANE_SAML_CERT: own.certificate, TERRANE_SAML_KEY: own.key });
  });
  beforeEach(async () => provider.learn(await metadataOf('directory')));
  afterAll(async () => {
    await app?.close();
    await keyed?.close();
    await provider?.close();
  });
  beforeEach(() => app.store.read`delete from sign_in_attempts`);
  afterEach(() => vi.useRealTimers());

  const metadataOf = async (name: string, on = app) =>
    (await on.app.inject({ method: 'GET', url: `/sso/${name}/metadata` })).payload;

  function someone(told: Partial<Told> = {}) {
    const name = randomName('sub');
    const email = `${name}@example.com`.toLowerCase();
    const attributes = { mail: [email], Username: [name] };
    provider.tell(name, { attributes, ...told });
    return { name, email, attributes };
  }

  /** Where the provider is asked, and by which browser. */
  async function begun(on = app) {
    const browser = browserOf(on, site);
    const { location } = await browser.follow(place, at => at.startsWith(provider.signInUrl));
    return { browser, location };
  }

  /** The form that the provider's page posts by itself. */
  async function saidBy(location: string, name: string): Promise<{ status: number; action: string; answer: string }> {
    const page = await fetch(`${location}&name=${name}`);
    const text = await page.text();
    const field = (pattern: RegExp) =>
      pattern.exec(text)?.[1]?.replaceAll('&#x3D;', '=').replaceAll('&amp;', '&') ?? '';
    return {
      status: page.status,
      action: field(/<form[^>]* action="([^"]+)"/),
      answer: field(/name="SAMLResponse"[^>]* value="([^"]+)"/),
    };
  }

  async function post(answer: string, to: string, on = app): Promise<string> {
    const { headers } = await on.app.inject({
      method: 'POST',
      url: new URL(to).pathname,
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: new URL(provider.issuer).origin },
      payload: new URLSearchParams({ SAMLResponse: answer }).toString(),
    });
    return new URL(String(headers['location']), site).href;
  }

  async function signIn(name: string, on = app) {
    const { browser, location } = await begun(on);
    const { action, answer } = await saidBy(location, name);
    expect(action).toBe(`${place}/assertions`);
    const next = await post(answer, action, on);
    const { location: end } = next.includes('/app/') ? { location: next } : await browser.follow(next);
    return { location: end.replace(site, ''), session: browser.session() };
  }

  const decoded = (answer: string) => Buffer.from(answer, 'base64').toString();
  const refused = (reason: string) => ({ location: `/app/~/sign-in?refused=${reason}`, session: null });
  /** What the audit of the site says of the last refusal. */
  const lastDetail = async (on = app) =>
    (
      await on.store.read<{ detail: string }[]>`
        select audit_events.changes ->> 'detail' as detail from audit_events
        where audit_events.action = 'sessions.refuse' order by audit_events.occurred_at desc, audit_events.id limit 1`
    )[0]!.detail;
  const account = async (session: string) => (await app.get('account/details', session)).data;

  test('§1 `MemberOf` → teams: joined at the first sign-in, left at the next one without it', async () => {
    const acme = await organization(app);
    const teamId = await team(app, acme);
    const mapped = bodyOf('teams', { 'sso-team-id': 'cn=platform,ou=groups' });
    expect((await app.patch(`teams/${teamId}`, acme.owner.token, mapped)).status).toBe(200);
    const { name, email, attributes } = someone();
    provider.tell(name, { attributes: { ...attributes, MemberOf: ['cn=other', 'cn=platform,ou=groups'] } });
    const first = await signIn(name);
    expect(first.location).toBe('/app/');
    const { id, attributes: shown } = await account(first.session!);
    expect(shown).toMatchObject({ username: name, email, 'is-sso-login': true });
    expect((await app.get(`organizations/${acme.name}`, first.session)).status).toBe(200);
    const onTeam = async () =>
      (await app.get(`teams/${teamId}?include=users`, acme.owner.token)).document.included?.map(
        (one: { id: string }) => one.id,
      ) ?? [];
    expect(await onTeam()).toEqual([id]);
    provider.tell(name, { attributes });
    const second = await signIn(name);
    expect((await account(second.session!)).id).toBe(id);
    expect(await onTeam()).toEqual([]);
    expect((await app.get(`organizations/${acme.name}`, second.session)).status).toBe(404);
  });

  test('§1 what was said once is not taken a second time, nor in another browser, nor by another door', async () => {
    const { browser, location } = await begun();
    const { action, answer } = await saidBy(location, someone().name);
    expect(await post(answer, action.replace('/directory/', '/other/'))).toMatch(/refused=provider-unusable$/);
    const next = await post(answer, action);
    expect(await post(answer, action)).toMatch(/refused=provider-unusable$/);
    expect((await browser.follow(next)).location).toBe('/app/');
    const [mine, theirs] = [await begun(), await begun()];
    const said = await saidBy(mine.location, someone().name);
    const { location: end } = await theirs.browser.follow(await post(said.answer, said.action));
    expect([end, theirs.browser.session()]).toEqual(['/app/~/sign-in?refused=not-begun-here', null]);
  });

  const sha1 = 'http://www.w3.org/2000/09/xmldsig#';
  const wrong: [string, Partial<Told>, RegExp][] = [
    ['meant for another audience', { audience: 'https://elsewhere.example/metadata' }, /audience/],
    ['unsigned', { isUnsigned: true }, /signature/],
    ['unsigned within an answer that is signed', { isUnsigned: true, isAnswerSigned: true }, /signature/],
    ['signed with SHA-1', { signature: `${sha1}rsa-sha1`, digest: `${sha1}sha1` }, /SHA-1/],
    ['about a name that changes', { isTransient: true }, /another one each time/],
  ];
  test.each(wrong)('§1 an assertion %s → nobody is signed in', async (_what, told, detail) => {
    const { name, email } = someone(told);
    expect(await signIn(name)).toEqual(refused('provider-unusable'));
    expect(await lastDetail()).toMatch(detail);
    expect(await app.store.read`select users.id from users where users.email = ${email}`).toEqual([]);
    // The same person without it is let in: nothing else was wrong.
    someone();
    provider.tell(name, { attributes: { mail: [email] } });
    expect((await signIn(name)).session).not.toBeNull();
  });

  test('§1 both signatures, of the assertion and of the answer around it, are fine', async () => {
    expect((await signIn(someone({ isAnswerSigned: true }).name)).session).not.toBeNull();
  });

  test('§1 clocks may differ by a minute and no more: an assertion begins now, and ends after five', async () => {
    const { name } = someone();
    const off = async (seconds: number) => {
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + seconds * 1000 });
      const arrived = await signIn(name);
      vi.useRealTimers();
      return arrived;
    };
    const skew = limits.clockSkew_s.value;
    expect((await off(10 - skew)).session).not.toBeNull();
    expect(await off(-15 - skew)).toEqual(refused('provider-unusable'));
    expect((await off(300 + skew - 10)).session).not.toBeNull();
    expect(await off(300 + skew + 5)).toEqual(refused('provider-unusable'));
  });

  test('§1 the provider reads the metadata of this site, and answers no other', async () => {
    const { location } = await begun();
    expect((await saidBy(location, someone().name)).status).toBe(200);
    provider.learn(await metadataOf('other'));
    expect((await saidBy(location, someone().name)).status).toBe(403);
  });

  describe('a site with a key of its own', () => {
    const [xmlenc, xmlenc11] = ['http://www.w3.org/2001/04/xmlenc#', 'http://www.w3.org/2009/xmlenc11#'];
    beforeEach(async () => {
      provider.learn(await metadataOf('directory', keyed));
      await keyed.store.read`delete from sign_in_attempts`;
    });

    test('§1 its requests are signed: a provider that wants it so answers it, and not one without a key', async () => {
      const { name } = someone({ wantsSignedRequest: true });
      const asked = (await begun(keyed)).location;
      expect(await saidBy(asked, name)).toMatchObject({ status: 200 });
      const changed = asked.replace(/Signature=./, given => (given.endsWith('A') ? 'Signature=B' : 'Signature=A'));
      expect(await saidBy(changed, name)).toMatchObject({ status: 403 });
      expect((await signIn(name, keyed)).session).not.toBeNull();
      provider.learn(await metadataOf('directory'));
      expect(await saidBy((await begun()).location, name)).toMatchObject({ status: 403 });
    });

    test.each([`${xmlenc11}aes256-gcm`, `${xmlenc11}aes128-gcm`, `${xmlenc}aes256-cbc`, `${xmlenc}aes128-cbc`])(
      '§1 an assertion encrypted to it by %s is read, also within an answer that is signed',
      async encryption => {
        const { location } = await begun(keyed);
        const { answer } = await saidBy(location, someone({ encryption }).name);
        const xml = decoded(answer);
        expect([xml.includes(encryption), xml.includes('example.com')]).toEqual([true, false]);
        expect((await signIn(someone({ encryption }).name, keyed)).session).not.toBeNull();
        expect((await signIn(someone({ encryption, isAnswerSigned: true }).name, keyed)).session).not.toBeNull();
      },
    );

    const aes = { encryption: `${xmlenc11}aes256-gcm` };
    const refusedSealed: [string, Partial<Told>, RegExp][] = [
      ['by triple DES', { encryption: `${xmlenc}tripledes-cbc` }, /can be broken/],
      ['and unsigned', { ...aes, isUnsigned: true }, /signature/],
      ['and unsigned within an answer that is signed', { ...aes, isUnsigned: true, isAnswerSigned: true }, /signature/],
      ['and signed with SHA-1', { ...aes, signature: `${sha1}rsa-sha1`, digest: `${sha1}sha1` }, /SHA-1/],
    ];
    test.each(refusedSealed)('§1 an assertion encrypted %s → nobody is signed in', async (_what, told, detail) => {
      expect(await signIn(someone(told).name, keyed)).toEqual(refused('provider-unusable'));
      expect(await lastDetail(keyed)).toMatch(detail);
    });

    test('§1 an assertion encrypted to another site, or beside one that is not → nobody is signed in', async () => {
      const { location } = await begun(keyed);
      const { answer, action } = await saidBy(location, someone(aes).name);
      expect(await post(answer, action)).toMatch(/refused=provider-unusable$/);
      expect(await lastDetail()).toMatch(/No decryption key/);
      const plain = await saidBy(location, someone({ signature: `${sha1}rsa-sha1`, digest: `${sha1}sha1` }).name);
      const [, sealed = ''] = /(<[^<]*EncryptedData.*EncryptedData>)/s.exec(decoded(answer)) ?? [];
      for (const beside of [sealed, '<!--EncryptedData-->']) {
        expect(beside).toContain('EncryptedData');
        const both = decoded(plain.answer).replace(/(<\/[^<>]*Response>)/, `${beside}$1`);
        expect(await post(Buffer.from(both).toString('base64'), action, keyed)).toMatch(/refused=provider-unusable$/);
        expect(await lastDetail(keyed)).toMatch(/an assertion beside it/);
      }
    });
  });
});
