import { beforeAll, expect, test } from 'vitest';
import { useApp } from '../../../test/app.ts';
import {
  invite,
  member,
  organization,
  person,
  serviceTokenOf,
  type TestOrganization,
  team,
} from '../../../test/builders/records.ts';

const app = useApp();
let acme: TestOrganization;
beforeAll(async () => {
  acme = await organization(app);
});

test('§5.3 a secret team is shown to its members, the owners and the tokens that act as one', async () => {
  const id = await team(app, acme);
  const callers = [
    acme.owner.token,
    (await member(app, acme, id)).token,
    await serviceTokenOf(app, acme, id),
    await serviceTokenOf(app, acme),
    await serviceTokenOf(app, acme, acme.ownersTeamId),
  ];
  for (const token of callers) expect((await app.get(`teams/${id}`, token)).status).toBe(200);
});

test('§5.5 everybody else reads the very bytes of a team that does not exist', async () => {
  const missing = await app.get('teams/team-0000000000000000', acme.owner.token);
  expect(missing.status).toBe(404);
  const id = await team(app, acme);
  const neighbour = await team(app, acme, { access: { 'access-secret-teams': true, 'manage-membership': true } });
  const other = await organization(app);
  const callers = [
    (await member(app, acme)).token,
    (await member(app, acme, neighbour)).token,
    await serviceTokenOf(app, acme, neighbour),
    await serviceTokenOf(app, other),
    other.owner.token,
    (await person(app)).token,
    (await person(app, { isAdmin: true })).token,
  ];
  for (const token of callers) {
    const answer = await app.get(`teams/${id}`, token);
    expect(answer.status).toBe(404);
    expect(answer.text).toBe(missing.text);
  }
});

test('§5.3 an organization team is shown to every member, and to nobody outside', async () => {
  const id = await team(app, acme, { visibility: 'organization' });
  const shown = await app.get(`teams/${id}`, (await member(app, acme)).token);
  expect(shown.status).toBe(200);
  expect(shown.data.attributes.permissions).toEqual({
    'can-update-membership': false,
    'can-destroy': false,
    'can-update-organization-access': false,
    'can-update-api-token': false,
    'can-update-visibility': false,
  });
  expect((await app.get(`teams/${id}`, (await organization(app)).owner.token)).status).toBe(404);
});

test('§2.1 can-update-membership is true for who manages membership, can-update-api-token for who makes tokens', async () => {
  const id = await team(app, acme, { visibility: 'organization', access: { 'manage-membership': true } });
  const { data } = await app.get(`teams/${id}`, (await member(app, acme, id)).token);
  expect(data.attributes.permissions).toMatchObject({
    'can-update-membership': true,
    'can-update-api-token': true,
    'can-destroy': false,
  });
  const closed = await team(app, acme, { isTokenManagedByMembers: false });
  const seen = await app.get(`teams/${closed}`, (await member(app, acme, closed)).token);
  expect(seen.data.attributes.permissions['can-update-api-token']).toBe(false);
});

test('§4.1 include=users brings the record of each member once, and none of who is only invited', async () => {
  const id = await team(app, acme);
  const people = [await member(app, acme, id), await member(app, acme, id)];
  const guest = await invite(app, acme, id);
  const { document } = await app.get(`teams/${id}?include=users`, acme.owner.token);
  const included = document.included.map((one: { type: string; id: string }) => one.id).sort();
  expect(included).toEqual(people.map(one => one.id).sort());
  expect(document.data.attributes['users-count']).toBe(2);
  expect(JSON.stringify(document.data.relationships.users)).not.toContain(guest.userId);
});

test('§4.1 include=organization-memberships brings each membership, invited ones too', async () => {
  const id = await team(app, acme);
  await member(app, acme, id);
  const guest = await invite(app, acme, id);
  const { document } = await app.get(`teams/${id}?include=organization-memberships,users`, acme.owner.token);
  const types = document.included.map((one: { type: string }) => one.type).sort();
  expect(types).toEqual(['organization-memberships', 'organization-memberships', 'users']);
  expect(JSON.stringify(document.included)).toContain(guest.membershipId);
});

test('§4.1 an unknown include → 400 that names the include parameter', async () => {
  const id = await team(app, acme);
  const answer = await app.get(`teams/${id}?include=owner`, acme.owner.token);
  expect(answer.status).toBe(400);
  expect(answer.text).toContain('include parameter');
  expect(answer.pointers).toEqual(['include']);
});

test('§8 showing a team takes one statement, authentication included', async () => {
  const id = await team(app, acme);
  expect(await app.statementsOf(() => app.get(`teams/${id}`, acme.owner.token))).toHaveLength(1);
});
