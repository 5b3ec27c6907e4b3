import { beforeAll, describe, expect, test, vi } from 'vitest';
import { type Document, openApp, pepper, useApp } from '../../../test/app.ts';
import {
  bodyOf,
  member,
  organization,
  type Person,
  person,
  randomName,
  secondFactorOf,
  type TestOrganization,
  team,
} from '../../../test/builders/records.ts';
import { holdTransaction } from '../../../test/running/held.ts';
import { authenticate } from '../callers/authenticate.ts';
import { tokenHash } from '../tokens/secret.ts';
import { avatarUrl } from '../users/avatar.ts';

const app = useApp();
let acme: TestOrganization;
let other: TestOrganization;
let administrator: Person;
beforeAll(async () => {
  acme = await organization(app);
  other = await organization(app);
  administrator = await person(app, { isAdmin: true });
});

const path = (of: TestOrganization) => `organizations/${of.name}/organization-memberships`;
const teamLinks = (...ids: string[]) => ({ teams: { data: ids.map(id => ({ type: 'teams', id })) } });
const invitation = (email: string, ...teamIds: string[]) =>
  bodyOf('organization-memberships', { email }, teamIds.length > 0 ? teamLinks(...teamIds) : undefined);
const newEmail = () => `${randomName('guest')}@example.com`;
const account = (username: string, email: string) => bodyOf('users', { username, email });

async function manager(of: TestOrganization): Promise<Person> {
  return member(app, of, await team(app, of, { visibility: 'organization', access: { 'manage-membership': true } }));
}

describe('invite', () => {
  test('§1 an unknown address is invited with 201, its user included, with that address and without a username', async () => {
    const email = newEmail();
    const answer = await app.post(path(acme), acme.owner.token, invitation(email));
    expect(answer.problems).toEqual([]);
    expect(answer.status).toBe(201);
    const { id } = answer.data;
    const userId = answer.data.relationships.user.data.id;
    expect(id).toMatch(/^ou-[A-Za-z0-9]{16}$/);
    expect(answer.data.attributes).toMatchObject({ email, status: 'invited', 'is-org-two-factor-required': false });
    expect(answer.data.relationships.teams.data).toEqual([]);
    expect(answer.data.relationships.organization.data).toEqual({ type: 'organizations', id: acme.name });
    expect(answer.document.included).toHaveLength(1);
    expect(answer.document.included[0]).toMatchObject({
      type: 'users',
      id: userId,
      attributes: { username: null, email },
    });
    expect((await app.get(`users/${userId}`, other.owner.token)).status).toBe(404);
    const shown = await app.get(`organization-memberships/${id}?include=user`, acme.owner.token);
    expect(shown.document).toEqual(answer.document);
    const listed = await app.get(`${path(acme)}?filter[email]=${email}`, acme.owner.token);
    expect(listed.data).toEqual([answer.data]);
  });

  test('§1 whoever has an account with the address is asked, whatever the capitals, and is a member when accepting', async () => {
    const someone = await person(app);
    const teamId = await team(app, acme);
    const answer = await app.post(
      path(acme),
      acme.owner.token,
      invitation(someone.email.toUpperCase(), teamId, teamId),
    );
    expect(answer.data.attributes.status).toBe('invited');
    expect(answer.data.relationships.user.data.id).toBe(someone.id);
    expect((await app.get(`organizations/${acme.name}`, someone.token)).status).toBe(404);

    const own = await app.get('organization-memberships', someone.token);
    expect(own.data.map((one: Document) => [one.id, one.attributes.status])).toEqual([[answer.data.id, 'invited']]);
    expect(own.data[0].relationships.organization.data.id).toBe(acme.name);
    const accept = `organization-memberships/${answer.data.id}/actions/accept`;
    const owner = await app.post(accept, acme.owner.token);
    const stranger = await app.post(accept, other.owner.token);
    expect([owner.status, stranger.status]).toEqual([404, 404]);
    const accepted = await app.post(accept, someone.token);
    expect([accepted.status, accepted.data.attributes.status]).toEqual([200, 'active']);
    expect((await app.post(accept, someone.token)).status).toBe(404);

    expect((await app.get(`organizations/${acme.name}`, someone.token)).status).toBe(200);
    const shown = await app.get(`teams/${teamId}?include=users`, someone.token);
    expect(shown.data.attributes['users-count']).toBe(1);
    expect(shown.document.included).toEqual([expect.objectContaining({ type: 'users', id: someone.id })]);
  });

  test('§5 whoever invites learns no more of an address that has an account than of one that has none', async () => {
    const someone = await person(app);
    await secondFactorOf(app, someone);
    const renamed = bodyOf('users', { username: randomName('zoe') });
    const { username } = (await app.patch('account/update', someone.token, renamed)).data.attributes;
    const made = [];
    for (const email of [newEmail(), someone.email.toUpperCase()]) {
      const { status, data, document } = await app.post(path(acme), acme.owner.token, invitation(email));
      const [user] = document.included;
      const shown = await app.get(`users/${user.id}`, acme.owner.token);
      expect([status, shown.data]).toEqual([201, user]);
      const { 'avatar-url': picture, ...attributes } = user.attributes;
      expect(picture).toBe(avatarUrl(user.id));
      const said = JSON.stringify([data, { ...user, attributes }])
        .replaceAll(data.id, 'ID')
        .replaceAll(user.id, 'USER');
      made.push(said.replaceAll(email, 'ADDRESS').replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME'));
      expect(Date.now() - Date.parse(user.attributes['created-at'])).toBeLessThan(60_000);
    }
    expect(made[1]).toBe(made[0]);
    const byName = await app.get(`${path(acme)}?q=${username}`, acme.owner.token);
    expect(byName.data).toEqual([]);
    const own = await app.get(`users/${someone.id}`, someone.token);
    expect(own.data.attributes).toMatchObject({ username, 'two-factor': { enabled: true } });
  });

  test('§1 who is asked may decline, and then is nobody there; a withdrawn invitation cannot be accepted', async () => {
    const someone = await person(app);
    const ask = async () => (await app.post(path(acme), acme.owner.token, invitation(someone.email))).data.id;
    const declined = await ask();
    expect((await app.delete(`organization-memberships/${declined}`, someone.token)).status).toBe(204);
    const withdrawn = await ask();
    expect((await app.delete(`organization-memberships/${withdrawn}`, acme.owner.token)).status).toBe(204);
    expect((await app.post(`organization-memberships/${withdrawn}/actions/accept`, someone.token)).status).toBe(404);
    expect((await app.get('organization-memberships', someone.token)).data).toEqual([]);
  });

  test('§1 an invitation to 200 teams costs its person nothing until it is accepted', async () => {
    const someone = await person(app);
    const before = await app.get('account/details', someone.token);
    const teamIds: string[] = [];
    for (let count = 0; count < 200; count += 1) teamIds.push(await team(app, acme));
    await app.post(path(acme), acme.owner.token, invitation(someone.email, ...teamIds));
    const actor = await authenticate(app.store.read, { kind: 'token', hash: tokenHash(pepper, someone.token) });
    expect(actor!.teamIds).toEqual([]);
    expect((await app.get('account/details', someone.token)).data).toEqual(before.data);
  });

  test('§1 where the site says so, and under the profile of the vendor, whoever has an account is a member at once', async () => {
    for (const environment of [{ TERRANE_INVITATIONS: 'immediate' }, { TERRANE_PROFILE: 'vendor' }]) {
      const immediate = await openApp(environment as Record<string, string>);
      const home = await organization(immediate);
      const someone = await person(immediate);
      const answer = await immediate.post(path(home), home.owner.token, invitation(someone.email));
      expect(answer.data.attributes.status).toBe('active');
      expect((await immediate.get(`organizations/${home.name}`, someone.token)).status).toBe(200);
      await immediate.close();
    }
  });

  test('§1 a new account with an invited address takes over its memberships, in every organization', async () => {
    const email = newEmail();
    const teamId = await team(app, acme);
    const invited = await app.post(path(acme), acme.owner.token, invitation(email, teamId));
    await app.post(path(other), other.owner.token, invitation(email.toUpperCase()));
    const before = await app.get(`teams/${teamId}`, acme.owner.token);
    expect(before.data.relationships.users.data).toEqual([]);
    const username = randomName('guest');
    const created = await app.post('admin/users', administrator.token, account(username, email.toUpperCase()));
    expect(created.status).toBe(201);
    expect(created.data.id).toBe(invited.data.relationships.user.data.id);
    const after = await app.get(`organization-memberships/${invited.data.id}?include=user`, acme.owner.token);
    expect(after.data.attributes.status).toBe('active');
    expect(after.document.included[0].attributes.username).toBe(username);
    const joined = await app.get(`teams/${teamId}`, acme.owner.token);
    expect(joined.data.relationships.users.data).toEqual([{ type: 'users', id: created.data.id }]);
    const elsewhere = await app.get(`${path(other)}?q=${username}`, other.owner.token);
    expect(elsewhere.data[0].attributes.status).toBe('active');
  });

  test('§7 a member, a person invited already and a malformed address are refused with 422', async () => {
    const email = newEmail();
    await app.post(path(acme), acme.owner.token, invitation(email));
    for (const taken of [email, email.toUpperCase(), acme.owner.email]) {
      const answer = await app.post(path(acme), acme.owner.token, invitation(taken));
      expect(answer.status).toBe(422);
      expect(answer.pointers).toEqual(['/data/attributes/email']);
    }
    for (const malformed of ['nobody', 'a b@example.com', '@example.com', '', `${'a'.repeat(250)}@example.com`, 7]) {
      const answer = await app.post(path(acme), acme.owner.token, invitation(malformed as string));
      expect(answer.status).toBe(422);
      expect(answer.pointers).toEqual(['/data/attributes/email']);
    }
    expect((await app.post(path(acme), acme.owner.token, bodyOf('organization-memberships', {}))).problems).toEqual([
      "Email can't be blank",
    ]);
  });

  test('§5 teams of other organizations are refused as those that do not exist; nobody is invited', async () => {
    const foreign = await team(app, other, { visibility: 'organization' });
    const email = newEmail();
    for (const teamId of [foreign, 'team-0000000000000000']) {
      const answer = await app.post(path(acme), acme.owner.token, invitation(email, teamId));
      expect(answer.status).toBe(422);
      expect(answer.pointers).toEqual(['/data/relationships/teams']);
      expect(answer.problems).toEqual([`Team ${teamId} does not exist in the organization`]);
    }
    expect(await app.store.read`select users.id from users where users.email = ${email}`).toHaveLength(0);
  });

  test('§5 nor may an owner of two organizations take a team of one into the other', async () => {
    const second = await organization(app, { owner: acme.owner });
    const answer = await app.post(path(second), acme.owner.token, invitation(newEmail(), acme.ownersTeamId));
    expect(answer.problems).toEqual([`Team ${acme.ownersTeamId} does not exist in the organization`]);
  });

  test('§5.3 managers of membership invite to the teams they see, but only owners to the owners team', async () => {
    const { token } = await manager(acme);
    const seen = await team(app, acme, { visibility: 'organization' });
    const hidden = await team(app, acme, { visibility: 'secret' });
    expect((await app.post(path(acme), token, invitation(newEmail(), seen))).status).toBe(201);
    expect((await app.post(path(acme), token, invitation(newEmail(), hidden))).status).toBe(422);
    const toOwners = await app.post(path(acme), token, invitation(newEmail(), acme.ownersTeamId));
    expect(toOwners.status).toBe(422);
    expect((await app.post(path(acme), acme.owner.token, invitation(newEmail(), acme.ownersTeamId))).status).toBe(201);
  });

  test('§5 members without the power, and everybody outside, get the 404 of a missing organization', async () => {
    const text = (await app.get('organizations/nowhere', acme.owner.token)).text;
    const reader = await member(app, acme);
    for (const { token } of [reader, other.owner, administrator]) {
      expect((await app.post(path(acme), token, invitation(newEmail()))).text).toBe(text);
    }
  });
});

describe('at the same moment', () => {
  // Each order holds who comes first at a table that the other does not reach before it has to wait for the first.
  test.each([
    ['an invitation, then its account', false],
    ['an account, then its invitation', true],
  ])(
    '§1 %s: the second waits, and whoever has an account is a member at once where the site says so',
    async (_what, isAccountFirst) => {
      const vendors = await openApp({ TERRANE_INVITATIONS: 'immediate' });
      try {
        const [here, elsewhere] = [await organization(vendors), await organization(vendors)];
        const { token } = await person(vendors, { isAdmin: true });
        const email = newEmail();
        // Who was invited elsewhere has a row already, which both find.
        expect((await vendors.post(path(elsewhere), elsewhere.owner.token, invitation(email))).status).toBe(201);
        const waiting = (least: number) =>
          vi.waitFor(async () => {
            const [{ count }] = await vendors.store.read<[{ count: number }]>`
            select count(*)::int as count from pg_stat_activity
            where pg_stat_activity.datname = current_database() and pg_stat_activity.wait_event_type = 'Lock'`;
            expect(count).toBeGreaterThanOrEqual(least);
          });
        const held = await holdTransaction(vendors.store);
        await (isAccountFirst
          ? held.sql`lock table organization_memberships in share mode`
          : held.sql`lock table team_memberships in share mode`);
        const steps = [
          () => vendors.post(path(here), here.owner.token, invitation(email)),
          () => vendors.post('admin/users', token, account(randomName('guest'), email)),
        ] as const;
        const [first, second] = isAccountFirst ? [steps[1], steps[0]] : steps;
        const answers = [first()];
        await waiting(1);
        answers.push(second());
        await Promise.race([waiting(2), answers[1]]).finally(held.release);
        const [one, two] = await Promise.all(answers);
        expect([one!.status, two!.status]).toEqual([201, 201]);
        const [invited, created] = isAccountFirst ? [two!, one!] : [one!, two!];
        const { data } = await vendors.get(`organization-memberships/${invited.data.id}`, here.owner.token);
        expect([data.attributes.status, data.relationships.user.data.id]).toEqual(['active', created.data.id]);
      } finally {
        await vendors.close();
      }
    },
  );

  test('§1 two invitations of one address: one 201, one 422', async () => {
    const email = newEmail();
    const invite = () => app.post(path(acme), acme.owner.token, invitation(email));
    const answers = await Promise.all([invite(), invite(), invite()]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 422, 422]);
  });
});
