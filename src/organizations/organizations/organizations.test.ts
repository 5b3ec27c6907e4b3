import { beforeAll, describe, expect, test } from 'vitest';
import { useApp } from '../../../test/app.ts';
import {
  bodyOf,
  member,
  organization,
  type Person,
  person,
  randomName,
  serviceTokenOf,
  type TestOrganization,
  team,
} from '../../../test/builders/records.ts';
import { newId } from '../../core/store/ids.ts';
import { row } from '../../core/store/store.ts';

const app = useApp();
let acme: TestOrganization;
let other: TestOrganization;
let administrator: Person;
let acmeToken: string;
let ownersToken: string;
beforeAll(async () => {
  acme = await organization(app);
  other = await organization(app);
  administrator = await person(app, { isAdmin: true });
  acmeToken = await serviceTokenOf(app, acme);
  ownersToken = await serviceTokenOf(app, acme, acme.ownersTeamId);
});

const settings = (attributes: object, relationships?: object) => bodyOf('organizations', attributes, relationships);
const missing = async () => (await app.get('organizations/nowhere', acme.owner.token)).text;

async function agentPool(of: TestOrganization): Promise<string> {
  const id = newId('apool');
  const sql = app.store.read;
  await sql`insert into agent_pools ${row(sql, { id, organization_id: of.key, name: randomName('pool') })}`;
  return id;
}

describe('list', () => {
  test("§5 holds the caller's organizations and nothing else, whole unless a page is asked for", async () => {
    const someone = await person(app);
    const names: string[] = [];
    for (let count = 0; count < 22; count += 1) {
      const one = await organization(app, { owner: someone });
      names.push(one.name);
    }
    const all = await app.get('organizations', someone.token);
    expect(all.data.map(({ id }: { id: string }) => id)).toEqual(names.toSorted(byCode));
    expect(all.document.meta?.pagination).toBeUndefined();
    const second = await app.get('organizations?page%5Bnumber%5D=2', someone.token);
    expect(second.data).toHaveLength(2);
    expect(second.document.meta.pagination).toMatchObject({ 'current-page': 2, 'page-size': 20, 'total-count': 22 });
    const past = await app.get('organizations?page[number]=999&page[size]=5', someone.token);
    expect(past.data).toEqual([]);
    expect(past.document.meta.pagination).toMatchObject({ 'current-page': 999, 'total-count': 22 });
    expect((await app.get('organizations', (await person(app)).token)).data).toEqual([]);
    const byOrganization = await app.get('organizations', acmeToken);
    expect(byOrganization.data.map(({ id }: { id: string }) => id)).toEqual([acme.name]);
  });

  test('§1 q, q[name] and q[email] search for a part, and wildcards mean themselves', async () => {
    const someone = await person(app, { username: randomName('finder') });
    const one = await organization(app, { owner: someone, name: randomName('Apple_pie') });
    const two = await organization(app, { owner: someone, name: randomName('pear') });
    const find = async (query: string) => {
      const answer = await app.get(`organizations?${query}`, someone.token);
      return answer.data.map(({ id }: { id: string }) => id);
    };
    expect(await find('q=aPPle_')).toEqual([one.name]);
    expect(await find('q[name]=e')).toEqual([one.name, two.name].toSorted(byCode));
    expect(await find('q[name]=example.com')).toEqual([]);
    expect(await find('q%5Bemail%5D=EXAMPLE.com')).toHaveLength(2);
    expect(await find('q=example.com&page[size]=1')).toHaveLength(1);
    expect(await find('q=%25')).toEqual([]);
    expect(await find('q=appleXpie')).toEqual([]);
  });
});

describe('delete', () => {
  test('§1 owners delete it with 204, and everything in it goes', async () => {
    const one = await organization(app);
    const token = await serviceTokenOf(app, one, await team(app, one));
    const organizationToken = await serviceTokenOf(app, one);
    const accounts = await Promise.all([token, organizationToken].map(accountOf));
    const path = `organizations/${one.name}/organization-memberships`;
    const invited = await app.post(
      path,
      one.owner.token,
      bodyOf('organization-memberships', { email: 'x@example.com' }),
    );
    await fill(one, await agentDefault(one));
    const gone = await app.delete(`organizations/${one.name}`, organizationToken);
    expect(gone.status).toBe(204);
    expect((await app.get(`organizations/${one.name}`, one.owner.token)).text).toBe(await missing());
    accounts.push(invited.data.relationships.user.data.id);
    expect(await app.store.read`select users.id from users where users.id = any(${accounts})`).toHaveLength(0);
    expect((await app.get('account/details', token)).status).toBe(401);
    expect((await app.get('account/details', one.owner.token)).status).toBe(200);
    const events = await app.store.read`
      select audit_events.organization_id, audit_events.changes from audit_events
      where audit_events.action = 'organizations.delete' and audit_events.resource_name = ${one.name}`;
    expect(events).toEqual([{ organization_id: null, changes: { organization_id: one.key } }]);
    expect(await app.store.read`select projects.id from projects where projects.organization_id = ${one.key}`).toEqual(
      [],
    );
  });

  test('§1 a person invited elsewhere too stays invited there', async () => {
    const [one, two] = [await organization(app), await organization(app)];
    const invite = bodyOf('organization-memberships', { email: `${randomName('both')}@example.com` });
    await app.post(`organizations/${one.name}/organization-memberships`, one.owner.token, invite);
    await app.post(`organizations/${two.name}/organization-memberships`, two.owner.token, invite);
    await app.delete(`organizations/${one.name}`, one.owner.token);
    const left = await app.get(
      `organizations/${two.name}/organization-memberships?filter[status]=invited`,
      two.owner.token,
    );
    expect(left.data).toHaveLength(1);
  });
});

describe('who', () => {
  test('§5 members read; changing it is for owners, and looks to members like a missing record', async () => {
    const reader = await member(app, acme);
    expect((await app.get(`organizations/${acme.name}`, reader.token)).data.attributes.permissions).toMatchObject({
      'can-traverse': true,
      'can-update': false,
      'can-destroy': false,
      'can-create-workspace': false,
    });
    expect((await app.get(`organizations/${acme.name}/entitlement-set`, reader.token)).status).toBe(200);
    const text = await missing();
    expect((await app.patch(`organizations/${acme.name}`, reader.token, settings({ email: 'a@b' }))).text).toBe(text);
    expect((await app.delete(`organizations/${acme.name}`, reader.token)).text).toBe(text);
  });

  test('§5 the owner of another organization, a site administrator and a stranger see nothing of it', async () => {
    const text = await missing();
    for (const { token } of [other.owner, administrator, await person(app)]) {
      expect((await app.get(`organizations/${acme.name}`, token)).text).toBe(text);
      expect((await app.get(`organizations/${acme.name}/entitlement-set`, token)).text).toBe(text);
      expect((await app.patch(`organizations/${acme.name}`, token, settings({ email: 'a@b' }))).text).toBe(text);
      expect((await app.delete(`organizations/${acme.name}`, token)).text).toBe(text);
    }
    expect((await app.get(`organizations/${acme.name}`, acme.owner.token)).status).toBe(200);
  });

  test('§5.2 the token of the owners team and that of the organization update it', async () => {
    const tokens = [ownersToken, acmeToken];
    for (const token of tokens) {
      const answer = await app.patch(`organizations/${acme.name}`, token, settings({ 'assessments-enforced': true }));
      expect(answer.status).toBe(200);
    }
    const token = await serviceTokenOf(
      app,
      acme,
      await team(app, acme, { access: { 'manage-workspaces': true, 'read-workspaces': true } }),
    );
    expect((await app.get(`organizations/${acme.name}`, token)).data.attributes.permissions).toMatchObject({
      'can-create-workspace': true,
      'can-update': false,
    });
  });
});

const byCode = (a: string, b: string) => (a < b ? -1 : 1);

async function agentDefault(of: TestOrganization): Promise<string> {
  const pool = await agentPool(of);
  const body = settings({ 'default-execution-mode': 'agent', 'default-agent-pool-id': pool });
  expect((await app.patch(`organizations/${of.name}`, of.owner.token, body)).status).toBe(200);
  return pool;
}

/** A workspace and a project that use the pool: what refers to each other must not keep each other. */
async function fill(of: TestOrganization, pool: string): Promise<void> {
  const sql = app.store.read;
  const used = { organization_id: of.key, name: 'used' };
  const projectId = newId('prj');
  await sql`insert into projects ${row(sql, { ...used, id: projectId, default_agent_pool_id: pool })}`;
  await sql`
    insert into workspaces ${row(sql, {
      ...used,
      id: newId('ws'),
      project_id: projectId,
      agent_pool_id: pool,
      engine_version: '1.0.0',
    })}`;
}

async function accountOf(token: string): Promise<string> {
  return (await app.get('account/details', token)).data.id;
}
