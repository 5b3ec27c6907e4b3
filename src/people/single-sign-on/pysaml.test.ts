/** §1: people sign in by a real provider of SAML 2.0, whose XML and signatures are by pysaml2 and xmlsec1. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { openApp, type TestApp } from '../../../test/app.ts';
import { browserOf } from '../../../test/builders/browser.ts';
import { bodyOf, organization, randomName, team } from '../../../test/builders/records.ts';
import { type Pysaml, pysaml, pysamlPython, type Told } from '../../../test/running/pysaml.ts';

const site = 'http://127.0.0.1:8080';
const place = `${site}/sso/directory`;

describe.skipIf(!pysamlPython)('by pysaml2', () => {
  let provider: Pysaml;
  let app: TestApp;
  beforeAll(async () => {
    provider = await pysaml();
    const { issuer, signInUrl, keys } = provider;
    const shared = { kind: 'saml', issuer, 'sign-in-url': signInUrl, certificates: keys.certificate };
    app = await openApp({
      TERRANE_SIGN_IN_PROVIDERS: JSON.stringify([
        { ...shared, name: 'directory' },
        { ...shared, name: 'other' },
      ]),
    });
    provider.learn(await metadataOf('directory'));
  });
  afterAll(async () => {
    await app?.close();
    await provider?.close();
  });
  beforeEach(() => app.store.read`delete from sign_in_attempts`);
  afterEach(() => vi.useRealTimers());

  const metadataOf = async (name: string) =>
    (await app.app.inject({ method: 'GET', url: `/sso/${name}/metadata` })).payload;

  function someone(told: Partial<Told> = {}) {
    const name = randomName('sub');
    const email = `${name}@example.com`.toLowerCase();
    const attributes = { mail: [email], Username: [name] };
    provider.tell(name, { attributes, ...told });
    return { name, email, attributes };
  }

  /** Where the provider is asked, and by which browser. */
  async function begun() {
    const browser = browserOf(app, site);
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

  async function post(answer: string, to: string): Promise<string> {
    const { headers } = await app.app.inject({
      method: 'POST',
      url: new URL(to).pathname,
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: new URL(provider.issuer).origin },
      payload: new URLSearchParams({ SAMLResponse: answer }).toString(),
    });
    return new URL(String(headers['location']), site).href;
  }

  async function signIn(name: string) {
    const { browser, location } = await begun();
    const { action, answer } = await saidBy(location, name);
    expect(action).toBe(`${place}/assertions`);
    const next = await post(answer, action);
    const { location: end } = next.includes('/app/') ? { location: next } : await browser.follow(next);
    return { location: end.replace(site, ''), session: browser.session() };
  }

  const refused = (reason: string) => ({ location: `/app/~/sign-in?refused=${reason}`, session: null });
  /** What the audit of the site says of the last refusal. */
  const lastDetail = async () =>
    (
      await app.store.read<{ detail: string }[]>`
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
    expect((await off(-50)).session).not.toBeNull();
    expect(await off(-75)).toEqual(refused('provider-unusable'));
    expect((await off(300 + 50)).session).not.toBeNull();
    expect(await off(300 + 65)).toEqual(refused('provider-unusable'));
  });

  test('§1 the provider reads the metadata of this site, and answers no other', async () => {
    const { location } = await begun();
    expect((await saidBy(location, someone().name)).status).toBe(200);
    provider.learn(await metadataOf('other'));
    expect((await saidBy(location, someone().name)).status).toBe(403);
    provider.learn(await metadataOf('directory'));
  });
});
