import { beforeAll, expect, test } from 'vitest';
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
import { accessKeys, documentedAccessKeys } from '../../access/organization-access.ts';

const app = useApp();
let acme: TestOrganization;
beforeAll(async () => {
  acme = await organization(app);
});

const create = (attributes: object, token = acme.owner.token): Promise<Answer> =>
  app.post(`organizations/${acme.name}/teams`, token, bodyOf('teams', attributes));

test('§4.1 a team with a name alone is created with 200, secret, without access and without members', async () => {
  const answer = await create({ name: 'platform' });
  expect(answer.status).toBe(200);
  expect(answer.data.id).toMatch(/^team-[A-Za-z0-9]{16}$/);
  expect(answer.data.links.self).toBe(`/api/v2/teams/${answer.data.id}`);
  const { 'organization-access': access, permissions, ...attributes } = answer.data.attributes;
  expect(attributes).toEqual({
    name: 'platform',
    'sso-team-id': null,
    'users-count': 0,
    visibility: 'secret',
    'allow-member-token-management': true,
    'allow-team-token-management': true,
    'is-unified': false,
  });
  expect(access).toEqual(Object.fromEntries(accessKeys.map(key => [key, false])));
  expect(permissions).toEqual({
    'can-update-membership': true,
    'can-destroy': true,
    'can-update-organization-access': true,
    'can-update-api-token': true,
    'can-update-visibility': true,
  });
  expect(answer.data.relationships.users.data).toEqual([]);
  expect(answer.data.relationships['authentication-token'].meta).toEqual({});
});

test('§7 team-create/200 create, show and update answer the same document, with all fourteen keys', async () => {
  const created = await create({ name: 'all-keys', visibility: 'organization', 'sso-team-id': 'saml-group' });
  const shown = await app.get(`teams/${created.data.id}`, acme.owner.token);
  const updated = await app.patch(`teams/${created.data.id}`, acme.owner.token, bodyOf('teams', {}));
  expect(shown.data).toEqual(created.data);
  expect(updated.data).toEqual(created.data);
  expect(Object.keys(created.data.attributes['organization-access'])).toEqual(
    expect.arrayContaining([...documentedAccessKeys]),
  );
});

test('§4.1 an empty sso-team-id is none', async () => {
  expect((await create({ name: 'no-saml', 'sso-team-id': '' })).data.attributes['sso-team-id']).toBeNull();
});

test('§2.1 rule 1: manage-projects without manage-workspaces → 422 at the key', async () => {
  const answer = await create({ name: 'rule-1', 'organization-access': { 'manage-projects': true } });
  expect(answer.status).toBe(422);
  expect(answer.pointers).toEqual(['/data/attributes/organization-access/manage-projects']);
  expect(answer.problems).toEqual(['manage-projects requires manage-workspaces']);
});

test('§2.1 rule 2: read-projects without read-workspaces → 422 at the key', async () => {
  const answer = await create({ name: 'rule-2', 'organization-access': { 'read-projects': true } });
  expect(answer.status).toBe(422);
  expect(answer.pointers).toEqual(['/data/attributes/organization-access/read-projects']);
});

test('§2.1 rule 3: manage-workspaces comes back with read-workspaces, even against a false', async () => {
  const alone = await create({ name: 'rule-3', 'organization-access': { 'manage-workspaces': true } });
  expect(alone.data.attributes['organization-access']).toMatchObject({
    'manage-workspaces': true,
    'read-workspaces': true,
    'read-projects': false,
  });
  const against = await create({
    name: 'rule-3-b',
    'organization-access': { 'manage-workspaces': true, 'read-workspaces': false },
  });
  expect(against.data.attributes['organization-access']['read-workspaces']).toBe(true);
});

test('§2.1 each of the fourteen keys, and two more, is stored when it may be', async () => {
  const everything = Object.fromEntries(accessKeys.map(key => [key, true]));
  const answer = await create({ name: 'everything', 'organization-access': everything });
  expect(answer.data.attributes['organization-access']).toEqual(everything);
});

test('§4.1 each spelling of token management is read on create; two that differ → 422', async () => {
  const one = await create({ name: 'spelled-one', 'allow-team-token-management': false });
  const other = await create({ name: 'spelled-other', 'allow-member-token-management': false });
  for (const answer of [one, other]) {
    expect(answer.data.attributes['allow-member-token-management']).toBe(false);
    expect(answer.data.attributes['allow-team-token-management']).toBe(false);
  }
  const both = { 'allow-team-token-management': false, 'allow-member-token-management': true };
  expect((await create({ name: 'spelled-both', ...both })).pointers).toEqual([
    '/data/attributes/allow-team-token-management',
  ]);
});

test('§7 team-create/422 every fault of one body is told at once, and nothing is made', async () => {
  const answer = await create({
    name: 'a b',
    visibility: 'public',
    'sso-team-id': 3,
    'allow-member-token-management': 'yes',
    'organization-access': { 'manage-projects': true, 'manage-teams': true },
  });
  expect(answer.status).toBe(422);
  expect(new Set(answer.pointers)).toEqual(
    new Set([
      '/data/attributes/visibility',
      '/data/attributes/sso-team-id',
      '/data/attributes/allow-member-token-management',
      '/data/attributes/name',
      '/data/attributes/organization-access/manage-projects',
      '/data/attributes/organization-access/manage-teams',
    ]),
  );
  const list = await app.get(`organizations/${acme.name}/teams?filter[names]=a%20b`, acme.owner.token);
  expect(list.document.meta.pagination['total-count']).toBe(0);
});

test.each([
  ['no name', bodyOf('teams', {}), '/data/attributes/name'],
  ['a blank name', bodyOf('teams', { name: ' ' }), '/data/attributes/name'],
  ['a name of null', bodyOf('teams', { name: null }), '/data/attributes/name'],
  ['a name of 91 characters', bodyOf('teams', { name: 'a'.repeat(91) }), '/data/attributes/name'],
  ['a name of 10,000 characters', bodyOf('teams', { name: 'a'.repeat(10_000) }), '/data/attributes/name'],
  ['a name with an accent', bodyOf('teams', { name: 'équipe' }), '/data/attributes/name'],
  ['a name with a line break', bodyOf('teams', { name: 'team\n' }), '/data/attributes/name'],
  ['another type', bodyOf('workspaces', { name: 'typed' }), '/data/type'],
  ['no type', { data: { attributes: { name: 'untyped' } } }, '/data/type'],
  ['no data', {}, '/data'],
  [
    'a key that is not a boolean',
    bodyOf('teams', { name: 'k', 'organization-access': { 'manage-teams': 1 } }),
    '/data/attributes/organization-access/manage-teams',
  ],
  [
    'access that is a list',
    bodyOf('teams', { name: 'k', 'organization-access': [] }),
    '/data/attributes/organization-access',
  ],
])('§4.1 %s → 422', async (_what, body, pointer) => {
  const answer = await app.post(`organizations/${acme.name}/teams`, acme.owner.token, body);
  expect(answer.status).toBe(422);
  expect(answer.pointers).toEqual([pointer]);
});

test('§4.1 a name is one of a kind in its organization, with case, and free in another', async () => {
  const other = await organization(app);
  expect((await create({ name: 'once' })).status).toBe(200);
  const again = await create({ name: 'once' });
  expect(again.status).toBe(422);
  expect(again.problems).toEqual(['Name has already been taken']);
  expect(again.pointers).toEqual(['/data/attributes/name']);
  expect((await create({ name: 'Once' })).status).toBe(200);
  const elsewhere = await app.post(
    `organizations/${other.name}/teams`,
    other.owner.token,
    bodyOf('teams', { name: 'once' }),
  );
  expect(elsewhere.status).toBe(200);
});

test('§4.1 creating the same name at once from ten callers → one team', async () => {
  const answers = await Promise.all(Array.from({ length: 10 }, () => create({ name: 'raced' })));
  expect(answers.map(answer => answer.status).sort()).toEqual([200, ...Array(9).fill(422)]);
});

test('§1 unknown attributes are ignored and not stored', async () => {
  const answer = await create({ name: 'plain', 'users-count': 9, id: 'team-x', 'is-owners': true, is_owners: true });
  expect(answer.status).toBe(200);
  expect(answer.data.attributes['users-count']).toBe(0);
  expect(answer.data.attributes.permissions['can-destroy']).toBe(true);
  expect(answer.text).not.toContain('"team-x"');
});

test('§7 team-create/400 an unknown include → 400, and no team', async () => {
  const path = `organizations/${acme.name}/teams?include=user`;
  const answer = await app.post(path, acme.owner.token, bodyOf('teams', { name: 'included' }));
  expect(answer.status).toBe(400);
  expect(answer.text).toContain('include parameter');
  expect(answer.pointers).toEqual(['include']);
  const list = await app.get(`organizations/${acme.name}/teams?filter[names]=included`, acme.owner.token);
  expect(list.data).toEqual([]);
});

test('§7 team-create/404 who may not create reads the bytes of an organization that does not exist', async () => {
  const missing = await app.post('organizations/nowhere/teams', acme.owner.token, bodyOf('teams', { name: 'x' }));
  expect(missing.status).toBe(404);
  const manager = await team(app, acme, {
    access: { 'manage-membership': true, 'manage-teams': true, 'manage-organization-access': true },
  });
  const stranger = (await organization(app)).owner;
  const admin = await person(app, { isAdmin: true });
  for (const caller of [await member(app, acme), await member(app, acme, manager), stranger, admin]) {
    const refused = await create({ name: 'refused' }, caller.token);
    expect(refused.status).toBe(404);
    expect(refused.text).toBe(missing.text);
    expect((await create({ name: 3 }, caller.token)).text).toBe(missing.text);
  }
});

test('§5.2 the organization token and the owners team token create teams', async () => {
  for (const token of [await serviceTokenOf(app, acme), await serviceTokenOf(app, acme, acme.ownersTeamId)]) {
    expect((await create({ name: `by-token-${token.slice(-8)}` }, token)).status).toBe(200);
  }
});

test('§6 a creation writes one audit event, in its own transaction', async () => {
  const { data } = await create({ name: 'audited' });
  const events = await app.store.read`
    select audit_events.action, audit_events.actor_id, audit_events.organization_id, audit_events.resource_name,
      audit_events.changes
    from audit_events where audit_events.resource_id = ${data.id}`;
  expect(events).toHaveLength(1);
  expect(events[0]).toMatchObject({
    action: 'teams.create',
    actor_id: acme.owner.id,
    organization_id: acme.key,
    resource_name: 'audited',
    changes: { visibility: [null, 'secret'] },
  });
});

test('§7 team-create/500, §7 team-update/500: a failure inside changes nothing and says nothing of its cause', async () => {
  const broken = await openApp({ TERRANE_LOG_LEVEL: 'silent' });
  try {
    const of = await organization(broken);
    const teamId = await team(broken, of, { name: 'kept' });
    await broken.store.read`alter table audit_events rename to gone`;
    const created = await broken.post(`organizations/${of.name}/teams`, of.owner.token, bodyOf('teams', { name: 'x' }));
    const updated = await broken.patch(`teams/${teamId}`, of.owner.token, bodyOf('teams', { name: 'changed' }));
    for (const answer of [created, updated]) {
      expect(answer.status).toBe(500);
      expect(answer.text).not.toContain('audit');
    }
    const list = await broken.get(`organizations/${of.name}/teams`, of.owner.token);
    expect(list.data.map((one: { attributes: { name: string } }) => one.attributes.name)).toEqual(['kept', 'owners']);
  } finally {
    await broken.close();
  }
});
