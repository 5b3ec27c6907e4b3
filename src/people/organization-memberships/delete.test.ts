import { beforeAll, describe, expect, test } from 'vitest';
import { useApp } from '../../../test/app.ts';
import {
  bodyOf,
  member,
  organization,
  type Person,
  randomName,
  serviceTokenOf,
  type TestOrganization,
  team,
} from '../../../test/builders/records.ts';

const app = useApp();
let acme: TestOrganization;
beforeAll(async () => {
  acme = await organization(app);
});

const path = (of: TestOrganization) => `organizations/${of.name}/organization-memberships`;
const teamLinks = (...ids: string[]) => ({ teams: { data: ids.map(id => ({ type: 'teams', id })) } });
const invitation = (email: string, ...teamIds: string[]) =>
  bodyOf('organization-memberships', { email }, teamIds.length > 0 ? teamLinks(...teamIds) : undefined);
const newEmail = () => `${randomName('guest')}@example.com`;
const missing = async () => (await app.get('organization-memberships/ou-0', acme.owner.token)).text;

async function membershipOf(of: TestOrganization, someone: Person): Promise<string> {
  const [found] = await app.store.read`
    select organization_memberships.id from organization_memberships
    where organization_memberships.user_id = ${someone.id} and organization_memberships.organization_id = ${of.key}`;
  return found?.['id'];
}

async function manager(of: TestOrganization): Promise<Person> {
  return member(app, of, await team(app, of, { visibility: 'organization', access: { 'manage-membership': true } }));
}

describe('remove', () => {
  test('§1 owners remove members with 204, and the member is off every team', async () => {
    const teamId = await team(app, acme, { visibility: 'organization' });
    const someone = await member(app, acme, teamId);
    const id = await membershipOf(acme, someone);
    expect((await app.delete(`organization-memberships/${id}`, acme.owner.token)).status).toBe(204);
    expect((await app.get(`organization-memberships/${id}`, acme.owner.token)).text).toBe(await missing());
    expect((await app.get(`teams/${teamId}`, acme.owner.token)).data.attributes['users-count']).toBe(0);
    expect((await app.get(`organizations/${acme.name}`, someone.token)).status).toBe(404);
    expect((await app.get('account/details', someone.token)).status).toBe(200);
  });

  test('§1 a withdrawn invitation leaves nothing behind, and can be sent again', async () => {
    const email = newEmail();
    const { data } = await app.post(path(acme), acme.owner.token, invitation(email));
    await app.delete(`organization-memberships/${data.id}`, acme.owner.token);
    expect(await app.store.read`select users.id from users where users.email = ${email}`).toHaveLength(0);
    expect((await app.post(path(acme), acme.owner.token, invitation(email))).status).toBe(201);
  });

  test('§5 a member may leave; an owner may not remove the own membership: 403', async () => {
    const someone = await member(app, acme);
    const id = await membershipOf(acme, someone);
    expect((await app.delete(`organization-memberships/${id}`, someone.token)).status).toBe(204);
    const own = await membershipOf(acme, acme.owner);
    await member(app, acme, acme.ownersTeamId);
    expect((await app.delete(`organization-memberships/${own}`, acme.owner.token)).status).toBe(403);
    expect(await membershipOf(acme, acme.owner)).toBe(own);
  });

  test('§5 the last owner stays: 403 to the token of the organization', async () => {
    const one = await organization(app);
    const id = await membershipOf(one, one.owner);
    const token = await serviceTokenOf(app, one);
    await app.post(path(one), one.owner.token, invitation(newEmail(), one.ownersTeamId));
    const refused = await app.delete(`organization-memberships/${id}`, token);
    expect([refused.status, refused.problems]).toEqual([403, ['The owners team must keep at least one member.']]);
    await member(app, one, one.ownersTeamId);
    expect((await app.delete(`organization-memberships/${id}`, token)).status).toBe(204);
  });

  test('§5 two owners who remove each other at once: one stays', async () => {
    for (let round = 0; round < 8; round += 1) {
      const one = await organization(app);
      const second = await member(app, one, one.ownersTeamId);
      const [first, last] = [await membershipOf(one, one.owner), await membershipOf(one, second)];
      const answers = await Promise.all([
        app.delete(`organization-memberships/${first}`, second.token),
        app.delete(`organization-memberships/${last}`, one.owner.token),
      ]);
      expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
      expect([await membershipOf(one, one.owner), await membershipOf(one, second)].filter(Boolean)).toHaveLength(1);
    }
  });

  test('§5 managers of membership remove members but no owner; members remove nobody else', async () => {
    const { token } = await manager(acme);
    const reader = await member(app, acme);
    const someone = await membershipOf(acme, await member(app, acme));
    const owner = await membershipOf(acme, acme.owner);
    const text = await missing();
    expect((await app.delete(`organization-memberships/${someone}`, reader.token)).text).toBe(text);
    expect((await app.delete(`organization-memberships/${owner}`, token)).text).toBe(text);
    expect((await app.delete(`organization-memberships/${someone}`, token)).status).toBe(204);
  });
});
