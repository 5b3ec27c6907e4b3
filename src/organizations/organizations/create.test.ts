import { beforeAll, describe, expect, test } from 'vitest';
import { useApp } from '../../../test/app.ts';
import {
  bodyOf,
  organization,
  type Person,
  person,
  randomName,
  serviceTokenOf,
  type TestOrganization,
} from '../../../test/builders/records.ts';

const app = useApp();
let acme: TestOrganization;
let administrator: Person;
let ownersToken: string;
beforeAll(async () => {
  acme = await organization(app);
  administrator = await person(app, { isAdmin: true });
  ownersToken = await serviceTokenOf(app, acme, acme.ownersTeamId);
});

const settings = (attributes: object, relationships?: object) => bodyOf('organizations', attributes, relationships);
const missing = async () => (await app.get('organizations/nowhere', acme.owner.token)).text;

describe('create', () => {
  test('§1 an organization is created with 201, its entitlement set included, and its id is its name', async () => {
    const name = randomName('new');
    const answer = await app.post('organizations', administrator.token, settings({ name, email: 'a@example.com' }));
    expect(answer.problems).toEqual([]);
    expect(answer.status).toBe(201);
    expect(answer.data).toMatchObject({
      id: name,
      type: 'organizations',
      links: { self: `/api/v2/organizations/${name}` },
      attributes: {
        name,
        email: 'a@example.com',
        'external-id': expect.stringMatching(/^org-[A-Za-z0-9]{16}$/),
        'default-execution-mode': 'remote',
        'default-agent-pool-id': null,
        'session-timeout': null,
        'session-remember': null,
        'collaborator-auth-policy': 'password',
        'aggregated-commit-status-enabled': true,
        'speculative-plan-management-enabled': true,
        'user-tokens-enabled': true,
        'trial-expires-at': null,
        permissions: { 'can-destroy': true, 'can-update': true, 'can-create-team': true },
      },
    });
    expect(answer.data.attributes['remaining-testable-count']).toBeGreaterThan(1);
    expect(answer.document.included).toEqual([
      expect.objectContaining({
        type: 'entitlement-sets',
        id: answer.data.attributes['external-id'],
        attributes: expect.objectContaining({ operations: false, teams: true }),
      }),
    ]);
    expect(answer.data.relationships['entitlement-set'].data.id).toBe(answer.data.attributes['external-id']);
    const shown = await app.get(`organizations/${name}`, administrator.token);
    expect(shown.data).toEqual(answer.data);
    const listed = await app.get('organizations', administrator.token);
    expect(listed.data).toContainEqual(answer.data);
  });

  test('§2.1 it has the owners team with its creator, and its default project', async () => {
    const name = randomName('new');
    const { data } = await app.post('organizations', administrator.token, settings({ name, email: 'a@example.com' }));
    const teams = await app.get(`organizations/${name}/teams?include=users`, administrator.token);
    expect(teams.data).toHaveLength(1);
    expect(teams.data[0].attributes).toMatchObject({ name: 'owners', 'users-count': 1 });
    expect(teams.document.included).toEqual([expect.objectContaining({ type: 'users', id: administrator.id })]);
    expect(data.relationships['default-project'].data).toEqual({
      type: 'projects',
      id: expect.stringMatching(/^prj-/),
    });
    const memberships = await app.get(`organizations/${name}/organization-memberships`, administrator.token);
    expect(memberships.data).toHaveLength(1);
    expect(memberships.data[0].attributes.status).toBe('active');
  });

  test('§1 settings of the body are stored, and what nobody knows is ignored', async () => {
    const given = {
      name: randomName('new'),
      email: 'a@example.com',
      'session-timeout': 60,
      'session-remember': 3600,
      'cost-estimation-enabled': true,
      'stacks-enabled': true,
      'assessments-enforced': true,
      'allow-force-delete-workspaces': true,
      'default-global-remote-state': true,
      'default-execution-mode': 'local',
    };
    const { status, data } = await app.post(
      'organizations',
      administrator.token,
      settings({
        ...given,
        'enforce-hyok': true,
        'remaining-testable-count': 7,
        'created-at': 'yesterday',
        nonsense: 1,
      }),
    );
    expect(status).toBe(201);
    expect(data.attributes).toMatchObject({ ...given, 'enforce-hyok': false });
    expect(data.attributes['remaining-testable-count']).not.toBe(7);
  });

  test('§7 all faults of a body at once, each with its pointer; nothing is created', async () => {
    const body = settings({ name: 'a b', email: 'nobody', 'default-execution-mode': 'agent', 'session-timeout': 0 });
    const answer = await app.post('organizations', administrator.token, body);
    expect(answer.status).toBe(422);
    expect(answer.pointers.toSorted()).toEqual([
      '/data/attributes/default-execution-mode',
      '/data/attributes/email',
      '/data/attributes/name',
      '/data/attributes/session-timeout',
    ]);
    expect(answer.problems.join()).toContain("must be specified when using 'agent' execution mode");
    const empty = await app.post('organizations', administrator.token, settings({}));
    expect(empty.pointers).toEqual(['/data/attributes/name', '/data/attributes/email']);
    const long = await app.post('organizations', administrator.token, settings({ name: 'a'.repeat(65), email: 'a@b' }));
    expect(long.pointers).toEqual(['/data/attributes/name']);
  });

  test('§7 a name that is taken → 422, whoever has it', async () => {
    const body = settings({ name: acme.name, email: 'a@example.com' });
    const answer = await app.post('organizations', administrator.token, body);
    expect(answer.status).toBe(422);
    expect(answer.document.errors).toEqual([
      {
        status: '422',
        title: 'invalid attribute',
        detail: 'Name has already been taken',
        source: { pointer: '/data/attributes/name' },
      },
    ]);
  });

  test('§5 only site administrators create, while the setting says so: 404 for others and for tokens of teams', async () => {
    const body = settings({ name: randomName('new'), email: 'a@example.com' });
    expect((await app.post('organizations', acme.owner.token, body)).text).toBe(await missing());
    expect((await app.post('organizations', ownersToken, body)).status).toBe(404);
  });
});

test('§1 the entitlement set says what is there: teams, and no operations', async () => {
  const { data } = await app.get(`organizations/${acme.name}/entitlement-set`, acme.owner.token);
  expect(data).toMatchObject({ type: 'entitlement-sets', id: acme.key });
  expect(data.attributes).toMatchObject({ teams: true, operations: false, sentinel: false, 'run-tasks-limit': null });
});

describe('the profile of clients', () => {
  const vendor = useApp({ TERRANE_PROFILE: 'vendor' });
  test('§4.2 starts in the mode local where nothing executes runs, unless the body says otherwise', async () => {
    const root = await person(vendor, { isAdmin: true });
    const modeOf = async (given: object = {}) => {
      const body = settings({ name: randomName('new'), email: 'a@example.com', ...given });
      return (await vendor.post('organizations', root.token, body)).data.attributes['default-execution-mode'];
    };
    expect([await modeOf(), await modeOf({ 'default-execution-mode': 'remote' })]).toEqual(['local', 'remote']);
    await vendor.store.read`
      insert into agents (id, secret_hash) values ('agent-of-the-server', ${Buffer.from('secret')})`;
    expect(await modeOf()).toBe('remote');
  });
});
