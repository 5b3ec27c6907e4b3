import { beforeAll, describe, expect, test } from 'vitest';
import { useApp } from '../../../test/app.ts';
import { bodyOf, member, organization, type TestOrganization, team } from '../../../test/builders/records.ts';
import { agentPool, project, workspace, workspaceAccess } from '../../../test/builders/workspace.ts';

const app = useApp();
let acme: TestOrganization;
let owner: string;
beforeAll(async () => {
  acme = await organization(app);
  owner = acme.owner.token;
});

const create = (attributes: object, token = owner) =>
  app.post(`organizations/${acme.name}/agent-pools`, token, bodyOf('agent-pools', attributes));
const change = (id: string, attributes: object, token = owner) =>
  app.patch(`agent-pools/${id}`, token, bodyOf('agent-pools', attributes));

describe('create, show and update', () => {
  test('201, with everything that show and list say', async () => {
    const answer = await create({ name: 'on-premises_1' });
    expect([answer.status, answer.problems]).toEqual([201, []]);
    expect(answer.data).toMatchObject({
      type: 'agent-pools',
      id: expect.stringMatching(/^apool-/),
      attributes: { name: 'on-premises_1', 'organization-scoped': true, 'agent-count': 0 },
      relationships: {
        organization: { data: { type: 'organizations', id: acme.name } },
        workspaces: { data: [] },
        'allowed-workspaces': { data: [] },
        'allowed-projects': { data: [] },
        'excluded-workspaces': { data: [] },
      },
    });
    expect((await app.get(`agent-pools/${answer.data.id}`, owner)).data).toEqual(answer.data);
    const list = await app.get(`organizations/${acme.name}/agent-pools?q=PREMISES`, owner);
    expect(list.data).toEqual([answer.data]);
  });

  test.each(['a b', '', 'a/b', 'a'.repeat(91), 'a\n'])('the name %j is refused', async name => {
    const answer = await create({ name });
    expect([answer.status, answer.pointers]).toEqual([422, ['/data/attributes/name']]);
  });

  test('a name is needed, and unique in its organization', async () => {
    expect((await create({})).problems).toEqual(["Name can't be blank"]);
    await create({ name: 'taken' });
    expect((await create({ name: 'taken' })).problems).toEqual(['Name has already been taken']);
  });

  test('an update changes what it names', async () => {
    const made = await create({ name: 'before' });
    const renamed = await change(made.data.id, { name: 'after' });
    expect(renamed.data.attributes).toEqual({ ...made.data.attributes, name: 'after' });
    const scoped = await change(made.data.id, { 'organization-scoped': false });
    expect(scoped.data.attributes).toMatchObject({ name: 'after', 'organization-scoped': false });
    expect((await change(made.data.id, {})).data).toEqual(scoped.data);
    expect((await change(made.data.id, { name: '!' })).status).toBe(422);
  });

  test('§5 the workspaces of a pool are those that the caller may see', async () => {
    const pool = await agentPool(app, acme);
    const own = { overwrites_execution_mode: true, execution_mode: 'agent', agent_pool_id: pool };
    const seen = await workspace(app, acme, own);
    const hidden = await workspace(app, acme, own);
    const teamId = await team(app, acme);
    await workspaceAccess(app, teamId, seen, 'read');
    const reader = await member(app, acme, teamId);
    const workspacesFor = async (token: string) => {
      const { data } = await app.get(`agent-pools/${pool}`, token);
      return data.relationships.workspaces.data.map((one: { id: string }) => one.id);
    };
    expect(await workspacesFor(reader.token)).toEqual([seen]);
    expect(await workspacesFor(owner)).toEqual([seen, hidden].sort());
  });
});

describe('list', () => {
  test('searched, sorted and paginated', async () => {
    const home = await organization(app);
    for (const name of ['b_1', 'a', 'c']) {
      await app.post(`organizations/${home.name}/agent-pools`, home.owner.token, bodyOf('agent-pools', { name }));
    }
    const list = (query: string) => app.get(`organizations/${home.name}/agent-pools?${query}`, home.owner.token);
    const names = async (query: string) =>
      (await list(query)).data.map((one: { attributes: { name: string } }) => one.attributes.name);
    expect(await names('')).toEqual(['a', 'b_1', 'c']);
    expect(await names('sort=-name')).toEqual(['c', 'b_1', 'a']);
    expect(await names('q=_')).toEqual(['b_1']);
    expect((await list('sort=size')).pointers).toEqual(['sort']);
    await app.store.read`
      update agent_pools set organization_scoped = false, created_at = '2020-01-01T00:00:00Z'
      where agent_pools.name = 'c' and agent_pools.organization_id = ${home.key}`;
    expect((await names('sort=created-at'))[0]).toBe('c');
    expect((await names('sort=-created-at'))[2]).toBe('c');
    expect(await names('filter[allowed_workspaces][name]=some')).toEqual(['a', 'b_1']);
    expect(await names('filter[allowed-projects][name]=some')).toEqual(['a', 'b_1']);
    const past = await list('page[number]=999');
    expect([past.data, past.document.meta.pagination['total-count']]).toEqual([[], 3]);
  });
});

describe('delete', () => {
  test('204, unless a workspace, a project or the organization names it: 409', async () => {
    const idle = await agentPool(app, acme);
    expect((await app.delete(`agent-pools/${idle}`, owner)).status).toBe(204);
    expect((await app.get(`agent-pools/${idle}`, owner)).status).toBe(404);

    const byWorkspace = await agentPool(app, acme);
    await workspace(app, acme, {
      overwrites_execution_mode: true,
      execution_mode: 'agent',
      agent_pool_id: byWorkspace,
    });
    const byProject = await agentPool(app, acme);
    await project(app, acme, {
      overwrites_execution_mode: true,
      default_execution_mode: 'agent',
      default_agent_pool_id: byProject,
    });
    const home = await organization(app);
    const byOrganization = await agentPool(app, home);
    await app.store.read`
      update organizations set default_execution_mode = 'agent', default_agent_pool_id = ${byOrganization}, revision = default
      where organizations.id = ${home.key}`;
    const refused = [
      await app.delete(`agent-pools/${byWorkspace}`, owner),
      await app.delete(`agent-pools/${byProject}`, owner),
      await app.delete(`agent-pools/${byOrganization}`, home.owner.token),
    ];
    expect(refused.map(({ status }) => status)).toEqual([409, 409, 409]);
    expect((await app.get(`agent-pools/${byProject}`, owner)).status).toBe(200);
  });
});

describe('who may do what', () => {
  test('§5 members read, managers of agent pools change, others see nothing', async () => {
    const pool = await agentPool(app, acme);
    const manager = await member(app, acme, await team(app, acme, { access: { 'manage-agent-pools': true } }));
    const outsider = await organization(app);
    const attempts = async (token: string) => {
      const answers = [
        await app.get(`organizations/${acme.name}/agent-pools`, token),
        await app.get(`agent-pools/${pool}`, token),
        await create({ name: `by-${token.slice(-8)}` }, token),
        await change(pool, { 'organization-scoped': true }, token),
      ];
      return answers.map(({ status }) => status);
    };
    expect(await attempts((await member(app, acme)).token)).toEqual([200, 200, 404, 404]);
    expect(await attempts(manager.token)).toEqual([200, 200, 201, 200]);
    expect(await attempts(outsider.owner.token)).toEqual([404, 404, 404, 404]);
    expect((await app.delete(`agent-pools/${pool}`, outsider.owner.token)).status).toBe(404);
    expect((await app.delete(`agent-pools/${pool}`, (await member(app, acme)).token)).status).toBe(404);
    expect((await app.delete(`agent-pools/${pool}`, manager.token)).status).toBe(204);
  });
});
