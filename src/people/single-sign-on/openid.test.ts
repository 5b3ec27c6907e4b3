/** §1: people sign in by a real provider of OpenID Connect. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openApp, type TestApp } from '../../../test/app.ts';
import { browserOf } from '../../../test/builders/browser.ts';
import { bodyOf, member, organization, type Person, person, randomName, team } from '../../../test/builders/records.ts';
import { useLimits } from '../../../test/limits.ts';
import { type Claims, type OpenIdProvider, openIdProvider } from '../../../test/running/openid-provider.ts';
import { limits } from '../../core/limits.ts';

const site = 'http://127.0.0.1:8080';
let provider: OpenIdProvider;
let app: TestApp;
let administrator: Person;
beforeAll(async () => {
  provider = await openIdProvider([`${site}/sso/company/callback`, `${site}/sso/second/callback`]);
  const { issuer, clientId, clientSecret } = provider;
  const shared = { kind: 'openid-connect', issuer, 'client-id': clientId, 'client-secret': clientSecret };
  app = await openApp({
    TERRANE_ALLOW_PRIVATE_ADDRESSES: '127.0.0.0/8',
    TERRANE_SIGN_IN_PROVIDERS: JSON.stringify({ ...shared, name: 'company', label: 'The company' }),
  });
  administrator = await person(app, { isAdmin: true });
  const second = bodyOf('sign-in-providers', {
    ...shared,
    name: 'second',
    'address-domains': ['example.com'],
    'creates-accounts': false,
  });
  expect((await app.post('admin/sign-in-providers', administrator.token, second)).status).toBe(201);
});
afterAll(async () => {
  await app.close();
  await provider.close();
});
beforeEach(() => app.store.read`delete from sign_in_attempts`);

/** Somebody of the company, by a name there. */
function someone(claims: Claims = {}): { name: string; claims: Claims } {
  const name = randomName('sub');
  const told = {
    email: `${name}@example.com`.toLowerCase(),
    email_verified: true,
    preferred_username: name,
    ...claims,
  };
  provider.people.set(name, told);
  return { name, claims: told };
}

/** Goes the whole way in a browser of its own; `session` where somebody is signed in at its end. */
async function signIn(name: string, by = 'company', to = '') {
  provider.atBrowser = name;
  const browser = browserOf(app, site);
  const { location } = await browser.follow(`${site}/sso/${by}${to && `?to=${encodeURIComponent(to)}`}`);
  return { location, session: browser.session() };
}

/** Up to where the provider sends the browser back, which has not been there yet. */
async function comingBack(name: string) {
  provider.atBrowser = name;
  const browser = browserOf(app, site);
  const { location } = await browser.follow(`${site}/sso/company`, at => at.includes('/callback'));
  return { browser, address: location };
}

const account = async (session: string) => (await app.get('account/details', session)).data;
/** The last event of a kind, of the site and of every organization. */
const lastEvent = async (action: string) =>
  (
    await app.store.read`
      select audit_events.* from audit_events where audit_events.action = ${action}
      order by audit_events.occurred_at desc, audit_events.id limit 1`
  )[0];

describe('signing in by a provider', () => {
  test('§1 the first time makes an account of a proven address, then the same account again, whatever its address is by then', async () => {
    const { name, claims } = someone();
    const { session, location } = await signIn(name, 'company', '/app/acme/workspaces');
    expect(location).toBe('/app/acme/workspaces');
    const first = await account(session!);
    expect(first.attributes).toMatchObject({
      username: name,
      email: claims.email,
      'is-sso-login': true,
      'auth-method': 'single-sign-on',
    });
    expect((await app.get('account/session', session!)).data.attributes.method).toBe('single-sign-on');
    provider.people.set(name, { email: 'elsewhere@example.com', email_verified: false });
    expect((await account((await signIn(name)).session!)).id).toBe(first.id);
  });

  test('§1 an account that is there is linked by an address that is proven, and by no other', async () => {
    const bob = await person(app);
    const unproven = someone({ email: bob.email, email_verified: false });
    const silent = someone({ email: bob.email.toUpperCase() });
    provider.people.set(silent.name, { email: bob.email });
    for (const { name } of [unproven, silent]) {
      const { location, session } = await signIn(name);
      expect([location, session]).toEqual(['/app/~/sign-in?refused=address-unverified', null]);
    }
    const proven = someone({ email: bob.email.toUpperCase() });
    expect((await account((await signIn(proven.name)).session!)).id).toBe(bob.id);
    // The address is another person's at the company by now: what bob has stays bob's.
    const heir = someone({ email: bob.email });
    expect(await signIn(heir.name)).toEqual({ location: '/app/~/sign-in?refused=account-taken', session: null });
    const unlink = `admin/users/${bob.id}/actions/unlink_single_sign_on`;
    expect((await app.post(unlink, administrator.token)).data.attributes['is-sso-login']).toBe(false);
    expect((await account((await signIn(heir.name)).session!)).id).toBe(bob.id);
  });

  test('§1 whoever was invited becomes a member by it; names that are taken are varied', async () => {
    const acme = await organization(app);
    const email = `${randomName('guest')}@example.com`.toLowerCase();
    await app.post(
      `organizations/${acme.name}/organization-memberships`,
      acme.owner.token,
      bodyOf('organization-memberships', { email }),
    );
    const { name } = someone({ email, preferred_username: `${acme.owner.username}@corp` });
    const { session } = await signIn(name);
    expect((await app.get(`organizations/${acme.name}`, session!)).status).toBe(200);
    expect((await account(session!)).attributes.username).toBe(`${acme.owner.username}-2`);
    for (const [given, made] of [
      ['api-org-x', 'person-api-org-x'],
      ['Zoë Müller', 'Zo-M-ller'],
    ] as const) {
      const { name } = someone({ preferred_username: given });
      expect((await account((await signIn(name)).session!)).attributes.username).toBe(made);
    }
  });

  test('§1 no address, one of another domain, no account where none is made → a page that says so, and nothing is left', async () => {
    const before = await app.store.read`select count(*) as count from users`;
    const refused: [Claims, string, string][] = [
      [{ email: undefined as never }, 'company', 'address-missing'],
      [{ email: 'someone@elsewhere.test' }, 'second', 'address-foreign'],
      [{}, 'second', 'account-missing'],
    ];
    for (const [claims, by, reason] of refused) {
      const { name } = someone(claims);
      expect(await signIn(name, by)).toEqual({ location: `/app/~/sign-in?refused=${reason}`, session: null });
    }
    expect(await app.store.read`select count(*) as count from users`).toEqual(before);
    expect(await lastEvent('sessions.refuse')).toMatchObject({
      actor_type: 'visitor',
      changes: { provider: 'second', reason: 'account-missing' },
    });
  });

  test('§1 two browsers of a new person at once → one account', async () => {
    const { name } = someone();
    provider.atBrowser = name;
    const ways = Array.from({ length: 4 }, () => browserOf(app, site));
    await Promise.all(ways.map(way => way.follow(`${site}/sso/company`)));
    const ids = await Promise.all(ways.map(async way => (await account(way.session()!)).id));
    expect(new Set(ids).size).toBe(1);
  });

  test('§1 the page for signing in is told of the providers, and of nothing that they keep', async () => {
    const answer = await app.get('sign-in-options', null);
    expect(answer.data.attributes.providers).toEqual([
      { label: 'The company', address: '/sso/company' },
      { label: 'second', address: '/sso/second' },
    ]);
  });

  test('§1 a provider that is not there → the page says so', async () => {
    const browser = browserOf(app, site);
    expect(await browser.follow(`${site}/sso/nobody`)).toMatchObject({
      location: '/app/~/sign-in?refused=provider-unknown',
    });
  });

  test('§1 the address to go on at is a screen of this site, or the first of them', async () => {
    const { name } = someone();
    for (const to of [
      'https://evil.example/',
      '//evil.example',
      '/app/../api/v2/ping',
      '/app/\\evil',
      '/api/v2/ping',
    ]) {
      expect((await signIn(name, 'company', to)).location).toBe('/app/');
    }
  });
});

describe('who else could come back', () => {
  /** The address that the provider sends the browser to, which has not gone there yet. */
  const notHere = { location: '/app/~/sign-in?refused=not-begun-here' };

  test('§1 another browser than the one that began, another provider, a second time, or too late → nobody is signed in', async () => {
    const { name } = someone();
    const { browser, address } = await comingBack(name);
    const stranger = browserOf(app, site);
    expect(await stranger.follow(address)).toMatchObject(notHere);
    expect(await browser.follow(address.replace('/sso/company/', '/sso/second/'))).toMatchObject(notHere);
    const other = await comingBack(name);
    expect(await other.browser.follow(address)).toMatchObject({ location: '/app/~/sign-in?refused=provider-unusable' });
    expect((await browser.follow(address)).location).toBe('/app/');
    expect(await browser.follow(address)).toMatchObject(notHere);
    const late = await comingBack(name);
    const now = Date.now;
    Date.now = () => now() + limits.signInTime_ms.value + 1;
    try {
      expect(await late.browser.follow(late.address)).toMatchObject(notHere);
    } finally {
      Date.now = now;
    }
  });

  test('§1 a person who says no there → the page says so', async () => {
    const { browser, address } = await comingBack(someone().name);
    const { searchParams } = new URL(address);
    const no = `${site}/sso/company/callback?error=access_denied&state=${searchParams.get('state')}&iss=${searchParams.get('iss')}`;
    expect(await browser.follow(no)).toMatchObject({ location: '/app/~/sign-in?refused=provider-refused' });
  });

  test('§1 who comes back too often from one address waits', async () => {
    const most = limits.addressAttempts_items.value;
    const { name } = someone();
    const { browser } = await comingBack(name);
    const garbage = `${site}/sso/company/callback?code=x&state=y`;
    for (let time = 0; time < most; time += 1) {
      expect((await browser.follow(garbage)).location).toMatch(/provider-unusable/);
    }
    expect((await browser.follow(garbage)).location).toMatch(/too-many-attempts/);
    await app.store.read`delete from sign_in_attempts`;
    for (let time = 0; time < most + 1; time += 1) expect((await signIn(name)).session).not.toBeNull();
  });
});

describe('teams by groups', () => {
  const teamsIn = async (session: string, organizationName: string) => {
    const { data } = await app.get(`organizations/${organizationName}/organization-memberships?include=teams`, session);
    const { id } = await account(session);
    const own = data?.find(
      (one: { relationships: { user: { data: { id: string } } } }) => one.relationships.user.data.id === id,
    );
    return own?.relationships.teams.data.map((one: { id: string }) => one.id).sort() ?? null;
  };
  const named = async (ownerToken: string, teamId: string, group: string | null) =>
    expect((await app.patch(`teams/${teamId}`, ownerToken, bodyOf('teams', { 'sso-team-id': group }))).status).toBe(
      200,
    );

  describe('with few teams for one person', () => {
    useLimits({ mappedTeams_items: 2 });

    test('§2.1 `sso-team-id`: groups bring into so many teams, and the sign-in is good', async () => {
      const acme = await organization(app);
      const teams = await Promise.all(Array.from({ length: 4 }, () => team(app, acme)));
      for (const id of teams) await named(acme.owner.token, id, 'group-of-all');
      const { name } = someone({ groups: ['group-of-all'] });
      const found = await teamsIn((await signIn(name)).session!, acme.name);
      expect(found).toEqual(teams.sort().slice(0, limits.mappedTeams_items.value));
    });
  });

  test('§2.1 `sso-team-id`: groups bring into a team and its organization, and take out again; what was given by hand stays', async () => {
    const acme = await organization(app);
    const [mapped, second, byHand] = [await team(app, acme), await team(app, acme), await team(app, acme)];
    await named(acme.owner.token, mapped, 'group-1');
    await named(acme.owner.token, second, 'group-2');
    const { name, claims } = someone({ groups: ['group-1', 'unknown'] });
    const first = (await signIn(name)).session!;
    expect(await teamsIn(first, acme.name)).toEqual([mapped]);
    const { id } = await account(first);
    expect(await lastEvent('sessions.create')).toMatchObject({ actor_id: id, changes: { provider: 'company' } });
    expect(await lastEvent('users.create-by-single-sign-on')).toMatchObject({ actor_id: id, resource_id: id });
    expect(await lastEvent('organization-memberships.map-groups')).toMatchObject({
      organization_id: acme.key,
      actor_id: id,
      changes: { joined: [mapped], left: [], provider: 'company' },
    });
    await app.post(`teams/${byHand}/relationships/users`, acme.owner.token, {
      data: [{ type: 'users', id }],
    });
    provider.people.set(name, { ...claims, groups: ['group-2'] });
    expect(await teamsIn((await signIn(name)).session!, acme.name)).toEqual([byHand, second].sort());
    provider.people.set(name, { ...claims, groups: [] });
    expect(await teamsIn((await signIn(name)).session!, acme.name)).toEqual([byHand]);
    await app.delete(`teams/${byHand}/relationships/users`, acme.owner.token, { data: [{ type: 'users', id }] });
    // Nothing of what the groups gave is left, and people have taken away what they gave; the organization is for people to end.
    expect(await teamsIn((await signIn(name)).session!, acme.name)).toEqual([]);
  });

  test('§2.1 an invitation that waits for an account is accepted by the groups; it was made by hand, and stays when they go', async () => {
    const acme = await organization(app);
    const mapped = await team(app, acme);
    await named(acme.owner.token, mapped, 'group-6');
    const bob = await person(app);
    const invited = bodyOf('organization-memberships', { email: bob.email });
    const path = `organizations/${acme.name}/organization-memberships`;
    const { id } = (await app.post(path, acme.owner.token, invited)).data;
    const status = async () =>
      (await app.get(`organization-memberships/${id}`, acme.owner.token)).data.attributes.status;
    const { name, claims } = someone({ email: bob.email, groups: [] });
    await signIn(name);
    expect(await status()).toBe('invited');
    provider.people.set(name, { ...claims, groups: ['group-6'] });
    expect(await teamsIn((await signIn(name)).session!, acme.name)).toEqual([mapped]);
    expect(await status()).toBe('active');
    provider.people.set(name, claims);
    expect(await teamsIn((await signIn(name)).session!, acme.name)).toEqual([]);
  });

  test('§2.1 a membership that the groups made ends with the last of its teams; a member by hand stays one', async () => {
    const acme = await organization(app);
    const mapped = await team(app, acme);
    await named(acme.owner.token, mapped, 'group-3');
    const visitor = someone({ groups: ['group-3'] });
    const hand = await member(app, acme, mapped);
    const colleague = someone({ email: hand.email, groups: ['group-3'] });
    for (const one of [visitor, colleague]) {
      expect(await teamsIn((await signIn(one.name)).session!, acme.name)).toEqual([mapped]);
      provider.people.set(one.name, { ...one.claims, groups: [] });
    }
    expect(await teamsIn((await signIn(visitor.name)).session!, acme.name)).toBeNull();
    expect(await teamsIn((await signIn(colleague.name)).session!, acme.name)).toEqual([mapped]);
  });

  test('§2.1 owners come by groups only where their team names one, and the last of them stays', async () => {
    const acme = await organization(app);
    const { name, claims } = someone({ groups: ['owners', 'chiefs'] });
    expect(await teamsIn((await signIn(name)).session!, acme.name)).toBeNull();
    await named(acme.owner.token, acme.ownersTeamId, 'chiefs');
    const session = (await signIn(name)).session!;
    expect(await teamsIn(session, acme.name)).toEqual([acme.ownersTeamId]);
    const { id } = await account(session);
    const gone = { data: [{ type: 'users', id: acme.owner.id }] };
    expect((await app.delete(`teams/${acme.ownersTeamId}/relationships/users`, session, gone)).status).toBe(204);
    provider.people.set(name, { ...claims, groups: [] });
    expect(await teamsIn((await signIn(name)).session!, acme.name)).toEqual([acme.ownersTeamId]);
    expect(await lastEvent('organization-memberships.map-groups')).toMatchObject({
      changes: { kept: [acme.ownersTeamId], left: [] },
    });
    await app
      .post(`teams/${acme.ownersTeamId}/relationships/users`, session, gone)
      .then(({ status }) => expect(status).toBe(204));
    expect(await teamsIn((await signIn(name)).session!, acme.name)).toBeNull();
    expect(await app.get(`users/${id}`, administrator.token)).toMatchObject({ status: 200 });
  });

  test('§2.1 of two owners who lose their groups and sign in at the same time one stays an owner', async () => {
    const acme = await organization(app);
    await named(acme.owner.token, acme.ownersTeamId, 'founders');
    const both = [someone(), someone()];
    const say = (groups: string[]) => {
      for (const { name, claims } of both) provider.people.set(name, { ...claims, groups });
    };
    const ownersNow = () =>
      app.store.read`
        select team_memberships.organization_membership_id from team_memberships
        where team_memberships.team_id = ${acme.ownersTeamId} order by team_memberships.organization_membership_id`;
    for (let round = 1; round <= 5; round += 1) {
      say(['founders']);
      const sessions = [(await signIn(both[0]!.name)).session!, (await signIn(both[1]!.name)).session!];
      if (round === 1) {
        const founder = { data: [{ type: 'users', id: acme.owner.id }] };
        const path = `teams/${acme.ownersTeamId}/relationships/users`;
        expect((await app.delete(path, sessions[0]!, founder)).status).toBe(204);
      }
      expect(await ownersNow()).toHaveLength(2);
      say([]);
      const ways = [await comingBack(both[0]!.name), await comingBack(both[1]!.name)];
      const arrived = await Promise.all(ways.map(({ browser, address }) => browser.follow(address)));
      expect(arrived.map(({ location }) => location)).toEqual(['/app/', '/app/']);
      expect(await ownersNow()).toHaveLength(1);
    }
  });

  test('§2.1 a group that is lost at the provider is lost here at the next sign-in; ending the session makes it the next one', async () => {
    const acme = await organization(app);
    const mapped = await team(app, acme);
    await named(acme.owner.token, mapped, 'group-5');
    const { name, claims } = someone({ groups: ['group-5'] });
    const session = (await signIn(name)).session!;
    provider.people.set(name, { ...claims, groups: [] });
    expect(await teamsIn(session, acme.name)).toEqual([mapped]);
    const { id } = await account(session);
    expect((await app.delete(`admin/users/${id}/sessions`, administrator.token)).status).toBe(204);
    expect((await app.get(`organizations/${acme.name}`, session)).status).toBe(401);
    expect(await teamsIn((await signIn(name)).session!, acme.name)).toBeNull();
  });

  test('§2.1 a group of another claim counts where that is the one that is configured, in the organizations that are', async () => {
    const [acme, rival] = [await organization(app), await organization(app)];
    const [here, there] = [await team(app, acme), await team(app, rival)];
    await named(acme.owner.token, here, 'group-4');
    await named(rival.owner.token, there, 'group-4');
    const bob = await person(app);
    const { name } = someone({ email: bob.email, groups: [], department: ['group-4'] });
    const [second] = (await app.get('admin/sign-in-providers', administrator.token)).data;
    const change = (attributes: object) =>
      app.patch(`admin/sign-in-providers/${second.id}`, administrator.token, bodyOf('sign-in-providers', attributes));
    expect((await change({ 'groups-claim': 'department', organizations: [acme.name] })).status).toBe(200);
    const { session } = await signIn(name, 'second');
    expect([await teamsIn(session!, acme.name), await teamsIn(session!, rival.name)]).toEqual([[here], null]);
    await change({ 'groups-claim': 'groups', organizations: [] });
  });

  test('§5 nobody else sees the providers or changes them, and their secret is shown to nobody', async () => {
    const acme = await organization(app);
    const [second] = (await app.get('admin/sign-in-providers', administrator.token)).data;
    expect((await app.get(`admin/sign-in-providers/${second.id}`, acme.owner.token)).status).toBe(404);
    const shown = await app.get(`admin/sign-in-providers/${second.id}`, administrator.token);
    expect(shown.data.attributes).toMatchObject({
      'has-client-secret': true,
      'callback-url': `${site}/sso/second/callback`,
      'metadata-url': null,
    });
    expect(shown.text).not.toContain(provider.clientSecret);
  });
});
