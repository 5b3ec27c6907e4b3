import { beforeAll, describe, expect, test } from 'vitest';
import { type Answer, openApp, useApp } from '../../../test/app.ts';
import {
  bodyOf,
  member,
  organization,
  person,
  serviceTokenOf,
  type TestOrganization,
  team,
} from '../../../test/builders/records.ts';
import { accessKeys } from '../../access/organization-access.ts';

const app = useApp();
let acme: TestOrganization;
beforeAll(async () => {
  acme = await organization(app);
});

const update = (id: string, attributes: object, token = acme.owner.token): Promise<Answer> =>
  app.patch(`teams/${id}`, token, bodyOf('teams', attributes));

test('§7 team-update/200 what is given changes, and what is left out keeps its value', async () => {
  const id = await team(app, acme, { name: 'before', access: { 'manage-policies': true } });
  const renamed = await update(id, { name: 'after' });
  expect(renamed.status).toBe(200);
  expect(renamed.data.attributes).toMatchObject({
    name: 'after',
    visibility: 'secret',
    'organization-access': { 'manage-policies': true },
  });
  const opened = await update(id, { visibility: 'organization', 'sso-team-id': 'saml' });
  expect(opened.data.attributes).toMatchObject({ name: 'after', visibility: 'organization', 'sso-team-id': 'saml' });
  const granted = await update(id, { 'organization-access': { 'manage-modules': true } });
  expect(granted.data.attributes['organization-access']).toMatchObject({
    'manage-policies': true,
    'manage-modules': true,
  });
  expect(granted.data.attributes['sso-team-id']).toBe('saml');
});

test('§4.1 sso-team-id is cleared by null and by an empty string', async () => {
  const id = await team(app, acme);
  for (const cleared of [null, '']) {
    await update(id, { 'sso-team-id': 'saml' });
    expect((await update(id, { 'sso-team-id': cleared })).data.attributes['sso-team-id']).toBeNull();
  }
});

test('§4.1 each spelling of token management is read, and both are returned', async () => {
  const id = await team(app, acme);
  for (const spelling of ['allow-team-token-management', 'allow-member-token-management']) {
    for (const value of [false, true]) {
      const answer = await update(id, { [spelling]: value });
      expect(answer.data.attributes['allow-team-token-management']).toBe(value);
      expect(answer.data.attributes['allow-member-token-management']).toBe(value);
    }
  }
  const both = await update(id, { 'allow-team-token-management': true, 'allow-member-token-management': false });
  expect(both.status).toBe(422);
});

test('§2.1 the access rules hold against what the team has already', async () => {
  const id = await team(app, acme, { access: { 'manage-workspaces': true, 'manage-projects': true } });
  const refused = await update(id, { 'organization-access': { 'manage-workspaces': false } });
  expect(refused.status).toBe(422);
  expect(refused.pointers).toEqual(['/data/attributes/organization-access/manage-workspaces']);
  const both = { 'manage-workspaces': false, 'manage-projects': false };
  expect((await update(id, { 'organization-access': both })).data.attributes['organization-access']).toMatchObject(
    both,
  );
});

test('§7 team-update/422 every fault at once, and nothing changes', async () => {
  const id = await team(app, acme, { name: 'steady' });
  const before = await app.get(`teams/${id}`, acme.owner.token);
  const answer = await update(id, {
    name: 'not a name',
    visibility: 3,
    'organization-access': { 'read-projects': true },
  });
  expect(answer.status).toBe(422);
  expect(new Set(answer.pointers)).toEqual(
    new Set([
      '/data/attributes/name',
      '/data/attributes/visibility',
      '/data/attributes/organization-access/read-projects',
    ]),
  );
  expect((await app.patch(`teams/${id}`, acme.owner.token, bodyOf('team', { name: 'x' }))).pointers).toEqual([
    '/data/type',
  ]);
  expect((await app.get(`teams/${id}`, acme.owner.token)).data).toEqual(before.data);
});

test('§4.1 a name that is taken → 422; its own name → no change', async () => {
  const id = await team(app, acme, { name: 'mine' });
  await team(app, acme, { name: 'theirs' });
  expect((await update(id, { name: 'theirs' })).problems).toEqual(['Name has already been taken']);
  expect((await update(id, { name: 'mine' })).status).toBe(200);
});

test('§7 team-update/400 an unknown include → 400, and nothing changes', async () => {
  const id = await team(app, acme, { name: 'unincluded' });
  const answer = await app.patch(`teams/${id}?include=members`, acme.owner.token, bodyOf('teams', { name: 'other' }));
  expect(answer.status).toBe(400);
  expect(answer.text).toContain('include parameter');
  expect((await app.get(`teams/${id}`, acme.owner.token)).data.attributes.name).toBe('unincluded');
});

test('§7 team-update/404 who may not update reads the bytes of a team that does not exist', async () => {
  const missing = await app.patch('teams/team-0000000000000000', acme.owner.token, bodyOf('teams', {}));
  expect(missing.status).toBe(404);
  const id = await team(app, acme, {
    visibility: 'organization',
    access: { 'manage-membership': true, 'manage-teams': true, 'manage-organization-access': true },
  });
  const callers = [
    (await member(app, acme)).token,
    (await member(app, acme, id)).token,
    await serviceTokenOf(app, acme, id),
    (await organization(app)).owner.token,
    (await person(app, { isAdmin: true })).token,
  ];
  for (const token of callers) {
    expect((await update(id, { name: 'taken-over' }, token)).text).toBe(missing.text);
    expect((await update(id, { name: 3 }, token)).text).toBe(missing.text);
  }
});

test('§5.2 the organization token and the owners team token update teams', async () => {
  const id = await team(app, acme);
  for (const token of [await serviceTokenOf(app, acme), await serviceTokenOf(app, acme, acme.ownersTeamId)]) {
    expect((await update(id, { visibility: 'organization' }, token)).status).toBe(200);
  }
});

test('§2.1 every attribute sent back altered changes nothing but what may be written', async () => {
  const id = await team(app, acme, { name: 'echo' });
  const before = (await app.get(`teams/${id}`, acme.owner.token)).data;
  const writable = [
    'name',
    'sso-team-id',
    'visibility',
    'allow-member-token-management',
    'allow-team-token-management',
    'organization-access',
  ];
  for (const [name, value] of Object.entries(before.attributes)) {
    if (writable.includes(name)) continue;
    const answer = await update(id, { [name]: altered(value) });
    expect(answer.status).toBe(200);
    expect(answer.data).toEqual(before);
  }
  const relationships = { users: { data: [{ type: 'users', id: acme.owner.id }] } };
  const linked = await app.patch(`teams/${id}`, acme.owner.token, bodyOf('teams', {}, relationships));
  expect(linked.data).toEqual(before);
  expect((await update(id, before.attributes)).data).toEqual(before);
});

function altered(value: unknown): unknown {
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, altered(inner)]));
  }
  return `${value}-altered`;
}

test('§6 an update writes what changed, by whom', async () => {
  const id = await team(app, acme, { name: 'was' });
  await update(id, { name: 'is' });
  const events = await app.store.read`
    select audit_events.action, audit_events.actor_name, audit_events.changes
    from audit_events where audit_events.resource_id = ${id}`;
  expect(events).toEqual([
    { action: 'teams.update', actor_name: acme.owner.username, changes: { name: ['was', 'is'] } },
  ]);
});

describe('the owners team', () => {
  test('§4.1 has every key, and cannot be destroyed, renamed, shown or given less', async () => {
    const { data } = await app.get(`teams/${acme.ownersTeamId}`, acme.owner.token);
    expect(data.attributes['organization-access']).toEqual(Object.fromEntries(accessKeys.map(key => [key, true])));
    expect(data.attributes.permissions).toEqual({
      'can-update-membership': true,
      'can-destroy': false,
      'can-update-organization-access': false,
      'can-update-api-token': true,
      'can-update-visibility': false,
    });
    for (const attributes of [
      { name: 'bosses' },
      { visibility: 'organization' },
      { 'organization-access': { 'manage-workspaces': false } },
    ]) {
      const answer = await update(acme.ownersTeamId, attributes);
      expect(answer.status).toBe(403);
      expect(answer.problems[0]).toMatch(/^The owners team cannot be/);
    }
    expect((await app.get(`teams/${acme.ownersTeamId}`, acme.owner.token)).data).toEqual(data);
  });

  test('§4.1 its whole document sent back changes nothing', async () => {
    const { data } = await app.get(`teams/${acme.ownersTeamId}`, acme.owner.token);
    const answer = await update(acme.ownersTeamId, data.attributes);
    expect(answer.status).toBe(200);
    expect(answer.data).toEqual(data);
  });

  test('§4.1 takes an sso-team-id', async () => {
    const answer = await update(acme.ownersTeamId, { 'sso-team-id': 'bosses' });
    expect(answer.data.attributes['sso-team-id']).toBe('bosses');
  });
});

describe('editions, releases and profiles', () => {
  test.each([
    ['self-hosted', '202203-1', false],
    ['self-hosted', '202204-1', true],
    ['self-hosted', '202611-1', true],
    ['hosted', '202203-1', true],
  ])('§9.2 sso-team-id, %s %s: known %s', async (edition, release, isKnown) => {
    const other = await openApp({ TERRANE_EDITION: edition, TERRANE_RELEASE: release });
    try {
      const of = await organization(other);
      const id = await team(other, of);
      const answer = await other.patch(`teams/${id}`, of.owner.token, bodyOf('teams', { 'sso-team-id': 'saml' }));
      expect(answer.status).toBe(200);
      expect(answer.data.attributes['sso-team-id']).toBe(isKnown ? 'saml' : undefined);
      const [stored] = await other.store.read`select teams.sso_team_id from teams where teams.id = ${id}`;
      expect(stored!['sso_team_id']).toBe(isKnown ? 'saml' : null);
    } finally {
      await other.close();
    }
  });

  test.each([
    ['self-hosted', '202407-9', false],
    ['self-hosted', '202408-1', true],
    ['hosted', '202203-1', true],
  ])('§9.2 allow-member-token-management, %s %s: may be true %s', async (edition, release, mayBe) => {
    const other = await openApp({ TERRANE_EDITION: edition, TERRANE_RELEASE: release });
    try {
      const of = await organization(other);
      const id = await team(other, of);
      const body = bodyOf('teams', { 'allow-member-token-management': true });
      const answer = await other.patch(`teams/${id}`, of.owner.token, body);
      expect(answer.data.attributes['allow-member-token-management']).toBe(mayBe);
      expect(answer.data.attributes['allow-team-token-management']).toBe(mayBe);
      const someone = await member(other, of, id);
      const seen = await other.get(`teams/${id}`, someone.token);
      expect(seen.data.attributes.permissions['can-update-api-token']).toBe(mayBe);
    } finally {
      await other.close();
    }
  });

  test('§2.1 a name from before the profile changed may be sent back', async () => {
    const id = await team(app, acme, { name: 'from vendor days' });
    expect((await update(id, { name: 'from vendor days', visibility: 'organization' })).status).toBe(200);
    expect((await update(id, { name: 'also vendor' })).status).toBe(422);
  });

  test('§2.1 the vendor profile takes any printable name', async () => {
    const vendor = await openApp({ TERRANE_PROFILE: 'vendor' });
    try {
      const of = await organization(vendor);
      const id = await team(vendor, of);
      const answer = await vendor.patch(`teams/${id}`, of.owner.token, bodyOf('teams', { name: 'team/with slashes' }));
      expect(answer.data.attributes.name).toBe('team/with slashes');
    } finally {
      await vendor.close();
    }
  });
});
