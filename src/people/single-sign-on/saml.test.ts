/** §1: people sign in by SAML 2.0. */

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openApp, openAppOn, type TestApp } from '../../../test/app.ts';
import { browserOf } from '../../../test/builders/browser.ts';
import { organization, person, randomName, team } from '../../../test/builders/records.ts';
import { createDatabase, type TestDatabase } from '../../../test/running/database.ts';
import { newKeys, type SamlProvider, type Saying, samlProvider } from '../../../test/running/saml-provider.ts';
import { limits } from '../../core/limits.ts';
import { sweepArrivals } from './arrivals.ts';

const site = 'http://127.0.0.1:8080';
const place = `${site}/sso/directory`;
let provider: SamlProvider;
let database: TestDatabase;
let app: TestApp;
let second: TestApp;
beforeAll(async () => {
  provider = await samlProvider({ audience: `${place}/metadata`, recipient: `${place}/assertions` });
  const { issuer, signInUrl, keys } = provider;
  const known = {
    name: 'directory',
    kind: 'saml',
    issuer,
    'sign-in-url': signInUrl,
    // The next certificate stands beside the one in use.
    certificates: `${newKeys().certificate}\n${keys.certificate}`,
  };
  const environment = { TERRANE_SIGN_IN_PROVIDERS: JSON.stringify([known, { ...known, name: 'other' }]) };
  database = await createDatabase();
  app = await openAppOn(database, environment);
  second = await openAppOn(database, environment);
});
afterAll(async () => {
  await app.close();
  await second.close();
  await database.drop();
  await provider.close();
});
beforeEach(() => app.store.read`delete from sign_in_attempts`);

const someone = () => {
  const subject = randomName('sub');
  return { subject, attributes: { email: [`${subject}@example.com`.toLowerCase()], Username: [subject] } };
};

/** What the provider's page has a browser post. */
async function posted(answer: string, on: TestApp = app, to = '/sso/directory/assertions') {
  const response = await on.app.inject({
    method: 'POST',
    url: to,
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'http://provider.example' },
    payload: new URLSearchParams({ SAMLResponse: answer, RelayState: 'ignored' }).toString(),
  });
  return { status: response.statusCode, location: String(response.headers['location']) };
}

/** Goes the whole way with an assertion that says `saying`. */
async function signIn(saying: Saying, to = '') {
  const browser = browserOf(app, site);
  const { location } = await browser.follow(`${place}${to}`, at => at.startsWith(provider.signInUrl));
  const { location: next } = await posted(provider.answerTo(location, saying));
  if (next.startsWith('/app/')) return { location: next, session: null };
  const { location: end } = await browser.follow(new URL(next, site).href);
  return { location: end, session: browser.session() };
}

const refused = (reason: string) => ({ location: `/app/~/sign-in?refused=${reason}`, session: null });
const account = async (session: string) => (await app.get('account/details', session)).data;

describe('signing in', () => {
  test('§1 by a signed assertion: an account at first, then the same; `MemberOf` is its groups', async () => {
    const acme = await organization(app);
    const teamId = await team(app, acme);
    await app.store.read`update teams set sso_team_id = 'cn=platform' where teams.id = ${teamId}`;
    const { subject, attributes } = someone();
    const first = await signIn(
      { subject, attributes: { ...attributes, MemberOf: ['cn=platform', 'x'] } },
      '?to=/app/acme',
    );
    expect(first.location).toBe('/app/acme');
    const { id, attributes: shown } = await account(first.session!);
    expect(shown).toMatchObject({ username: subject, email: attributes.email[0], 'is-sso-login': true });
    const onTeam = () => app.store.read`
      select team_memberships.mapped_by from team_memberships where team_memberships.team_id = ${teamId}`;
    expect(await onTeam()).toEqual([{ mapped_by: provider.issuer }]);
    expect((await account((await signIn({ subject, attributes })).session!)).id).toBe(id);
    expect(await onTeam()).toEqual([]);
  });

  test('§1 clocks may differ by a minute; the address may be the name of the person', async () => {
    const { subject } = someone();
    const asAddress = { subject: `${subject}@example.com` };
    expect((await signIn({ ...asAddress, from_s: 50 })).session).not.toBeNull();
    expect((await signIn({ ...asAddress, from_s: -100, until_s: -50 })).session).not.toBeNull();
  });

  test('§1 what the provider is told of this site', async () => {
    const { payload, headers } = await app.app.inject({ method: 'GET', url: '/sso/directory/metadata' });
    expect(headers['content-type']).toBe('application/samlmetadata+xml');
    expect(payload).toContain(`entityID="${place}/metadata"`);
    expect(payload).toContain(`Location="${place}/assertions"`);
    expect(payload).toContain('WantAssertionsSigned="true"');
  });
});

describe('what is not believed', () => {
  const strange = newKeys();
  const wrong: [string, Saying][] = [
    ['no signature', { keys: null }],
    ['another key', { keys: strange }],
    ['a word changed after it was signed', { tampered: xml => xml.replace('email', 'e-mail') }],
    ['signed with SHA-1', { isSha1: true }],
    ['another issuer', { issuer: 'urn:example:elsewhere' }],
    ['another audience', { audience: `${site}/sso/other/metadata` }],
    ['no audience', { audience: null }],
    ['another recipient', { recipient: `${site}/sso/other/assertions` }],
    ['over since more than a minute', { from_s: -200, until_s: -70 }],
    ['not yet for more than a minute', { from_s: 70 }],
    ['without an end', { until_s: null }],
    ['issued long ago', { from_s: -3600, until_s: 3600 }],
    ['a name that changes', { format: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient' }],
    ['no name', { subject: '' }],
    ['definitions of its own', { tampered: xml => `<!DOCTYPE x [<!ENTITY e "x">]>${xml}` }],
    [
      'a second assertion, unsigned, before the signed one',
      {
        tampered: xml => {
          const [assertion = ''] = /<saml:Assertion.*<\/saml:Assertion>/s.exec(xml) ?? [];
          const forged = assertion.replace(/<Signature.*<\/Signature>/s, '').replace(/ID="[^"]+"/, 'ID="_forged"');
          return xml.replace('<saml:Assertion', `${forged}<saml:Assertion`);
        },
      },
    ],
    [
      'the signed assertion wrapped into another',
      {
        tampered: xml => {
          const [assertion = ''] = /<saml:Assertion.*<\/saml:Assertion>/s.exec(xml) ?? [];
          const forged = assertion.replace(/<Signature.*<\/Signature>/s, '').replace(/ID="[^"]+"/, 'ID="_forged"');
          const holding = forged.replace('</saml:Subject>', `</saml:Subject><x>${assertion}</x>`);
          return xml.replace(assertion, holding);
        },
      },
    ],
  ];

  test.each(wrong)('§1 %s → nobody is signed in', async (_what, saying) => {
    const one = someone();
    expect(await signIn({ ...one, ...saying })).toEqual(refused('provider-unusable'));
    const email = one.attributes.email[0]!;
    expect(await app.store.read`select users.id from users where users.email = ${email}`).toEqual([]);
  });

  test('§1 an answer that is none, or says no → a page; one that is too long is not read', async () => {
    for (const answer of ['', 'x', Buffer.from('<Response/>').toString('base64')]) {
      expect((await posted(answer)).location).toMatch(/refused=provider-unusable$/);
    }
    const no = `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol"><samlp:Status><samlp:StatusCode
      Value="urn:oasis:names:tc:SAML:2.0:status:Requester"/></samlp:Status></samlp:Response>`;
    expect((await posted(Buffer.from(no).toString('base64'))).location).toMatch(/refused=provider-refused$/);
    expect((await posted('A'.repeat(limits.samlAnswer_bytes.value))).status).toBe(413);
  });
});

describe('once, and in the browser that asked', () => {
  async function begun(saying: Saying = someone()) {
    const browser = browserOf(app, site);
    const { location } = await browser.follow(place, at => at.startsWith(provider.signInUrl));
    return { browser, asked: location, answer: provider.answerTo(location, saying) };
  }

  test('§1 an assertion is taken once, by whichever of several servers, also at the same time', async () => {
    const { answer } = await begun();
    const outcomes = await Promise.all([
      posted(answer),
      posted(answer, second),
      posted(answer),
      posted(answer, second),
    ]);
    const taken = outcomes.filter(({ location }) => location.startsWith('/sso/directory/finish?'));
    expect(taken).toHaveLength(1);
    expect((await posted(answer, second)).location).toMatch(/refused=provider-unusable$/);
    await sweepArrivals(app.store.read);
    expect((await posted(answer)).location).toMatch(/refused=provider-unusable$/);
  });

  test('§1 who did not begin it arrives nowhere, and then neither does the person', async () => {
    const { browser, answer } = await begun();
    const { location } = await posted(answer);
    const stranger = browserOf(app, site);
    await stranger.follow(place, at => at.startsWith(provider.signInUrl));
    expect(await stranger.follow(`${site}${location}`)).toMatchObject({ location: refused('not-begun-here').location });
    expect(await browser.follow(`${site}${location}`)).toMatchObject({ location: refused('not-begun-here').location });
    expect([stranger.session(), browser.session()]).toEqual([null, null]);
  });

  test('§1 an answer that nobody asked for, or to another provider of the site, is refused', async () => {
    const { answer, asked } = await begun();
    expect((await posted(answer, app, '/sso/other/assertions')).location).toMatch(/refused=provider-unusable$/);
    const { browser } = await begun();
    const unasked = await posted(provider.answerTo(asked, { ...someone(), inResponseTo: '_nothing' }));
    expect(await browser.follow(`${site}${unasked.location}`)).toMatchObject({
      location: refused('not-begun-here').location,
    });
  });

  test('§1 who posts too much from one address waits, before anything is read', async () => {
    for (let time = 0; time < 20; time += 1) await posted('x');
    const { answer } = await begun();
    expect((await posted(answer)).location).toMatch(/refused=too-many-attempts$/);
  });

  test('§1 an account that is there is linked by its address, which a directory vouches for', async () => {
    const bob = await person(app);
    const { session } = await signIn({ subject: randomName('sub'), attributes: { mail: [bob.email] } });
    expect((await account(session!)).id).toBe(bob.id);
  });
});

test('§1 a site that does not trust the addresses of a directory makes no account of them', async () => {
  const { issuer, signInUrl, keys } = provider;
  const careful = {
    ...{ name: 'directory', kind: 'saml', issuer, 'sign-in-url': signInUrl, certificates: keys.certificate },
    'trusts-addresses': false,
  };
  const other = await openApp({ TERRANE_SIGN_IN_PROVIDERS: JSON.stringify(careful) });
  try {
    const browser = browserOf(other, site);
    const { location } = await browser.follow(place, at => at.startsWith(signInUrl));
    const next = await posted(provider.answerTo(location, someone()), other);
    expect((await browser.follow(new URL(next.location, site).href)).location).toMatch(/refused=address-unverified$/);
  } finally {
    await other.close();
  }
});
