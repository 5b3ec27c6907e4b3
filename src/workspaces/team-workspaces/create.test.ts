import { beforeAll, describe, expect, test } from 'vitest';
import { useApp } from '../../../test/app.ts';
import { bodyOf, member, organization, type TestOrganization, team } from '../../../test/builders/records.ts';
import { accessRequests } from '../../../test/builders/team-access.ts';
import { workspace } from '../../../test/builders/workspace.ts';
import {
  customWorkspacePowers,
  workspaceAccessOf,
  workspaceLevels,
  workspacePowers,
} from '../../access/workspace-levels.ts';

const app = useApp();
let acme: TestOrganization;
let workspaceId: string;
beforeAll(async () => {
  acme = await organization(app);
  workspaceId = await workspace(app, acme);
});
const { give, patch } = accessRequests(app, 'workspace', () => ({ token: acme.owner.token, to: workspaceId }));

describe('levels', () => {
  test.each([
    ['read', 'read', 'read', 'read', 'none', false, false],
    ['plan', 'plan', 'read', 'read', 'none', false, false],
    ['write', 'apply', 'write', 'write', 'read', true, false],
    ['admin', 'apply', 'write', 'write', 'read', true, true],
    ['custom', 'read', 'none', 'none', 'none', false, false],
  ])('§5.4 %s shows what it gives', async (access, runs, variables, states, mocks, locking, tasks) => {
    const id = await team(app, acme);
    const made = await give(id, { access });
    expect(made.status).toBe(201);
    expect(made.data.id).toMatch(/^tws-[A-Za-z0-9]{16}$/);
    expect(made.data.attributes).toEqual({
      access,
      runs,
      variables,
      'state-versions': states,
      'sentinel-mocks': mocks,
      'workspace-locking': locking,
      'run-tasks': tasks,
      'policy-overrides': access === 'admin',
    });
    expect(made.data.relationships).toEqual({
      team: { data: { type: 'teams', id }, links: { related: `/api/v2/teams/${id}` } },
      workspace: {
        data: { type: 'workspaces', id: workspaceId },
        links: { related: `/api/v2/workspaces/${workspaceId}` },
      },
    });
    expect((await app.get(`team-workspaces/${made.data.id}`, acme.owner.token)).data).toEqual(made.data);
  });

  test('§5.4 the details of each level give the powers of that level', () => {
    const { read, plan, write, admin } = workspaceAccessOf;
    expect(customWorkspacePowers(read)).toBe(workspaceLevels.read);
    expect(customWorkspacePowers(plan)).toBe(workspaceLevels.plan);
    expect(customWorkspacePowers(write)).toBe(workspaceLevels.write);
    const beyond = workspacePowers.of('delete', 'move', 'administer');
    expect(customWorkspacePowers(admin) | beyond).toBe(workspaceLevels.admin);
  });

  test('§5.4 a level holds from the next request on, and is over with the record', async () => {
    const id = await team(app, acme);
    const someone = await member(app, acme, id);
    const path = `workspaces/${workspaceId}`;
    expect((await app.get(path, someone.token)).status).toBe(404);
    const made = await give(id, { access: 'read' });
    const seen = await app.get(path, someone.token);
    expect(seen.data.attributes.permissions).toMatchObject({ 'can-read-run': true, 'can-lock': false });
    await patch(made.data.id, { access: 'write' });
    expect((await app.get(path, someone.token)).data.attributes.permissions['can-lock']).toBe(true);
    const custom = { access: 'custom', 'workspace-locking': false, runs: 'plan' };
    await patch(made.data.id, custom);
    expect((await app.get(path, someone.token)).data.attributes.permissions).toMatchObject({
      'can-lock': false,
      'can-queue-run': true,
      'can-queue-apply': false,
      'can-update': false,
    });
    expect((await app.delete(`team-workspaces/${made.data.id}`, acme.owner.token)).status).toBe(204);
    expect((await app.get(path, someone.token)).status).toBe(404);
    expect((await app.get(`team-workspaces/${made.data.id}`, acme.owner.token)).status).toBe(404);
  });
});

describe('what is refused', () => {
  test('§5.4 a detail beside a fixed level → 422 with the known text, each of them', async () => {
    const id = await team(app, acme);
    const one = await give(id, { access: 'read', runs: 'apply' });
    expect(one.status).toBe(422);
    expect(one.document.errors[0]).toMatchObject({
      title: 'invalid attribute',
      detail: "Runs is read-only when access level is 'read'; use the 'custom' access level to set this attribute.",
      source: { pointer: '/data/attributes/runs' },
    });
    const two = await give(id, { access: 'admin', 'state-versions': 'none', 'workspace-locking': false });
    expect(two.pointers).toEqual(['/data/attributes/state-versions', '/data/attributes/workspace-locking']);
    expect(two.problems[0]).toMatch(/^State versions is read-only when access level is 'admin'/);
    const made = await give(id, { access: 'plan' });
    expect((await patch(made.data.id, { variables: 'write' })).problems).toEqual([
      "Variables is read-only when access level is 'plan'; use the 'custom' access level to set this attribute.",
    ]);
  });

  test('§5.4 a second record for the same team and workspace → 422, also when both come at once', async () => {
    const id = await team(app, acme);
    const answers = await Promise.all(Array.from({ length: 5 }, () => give(id, { access: 'read' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422, 422, 422, 422]);
    const refused = answers.find(({ status }) => status === 422)!;
    expect(refused.pointers).toEqual(['/data/relationships/team']);
  });

  test('§5.4 unknown levels and values, and what is missing → 422, all at once', async () => {
    const id = await team(app, acme);
    const bad = await give(id, { access: 'owner', runs: 'all', 'run-tasks': 'yes' });
    expect(new Set(bad.pointers)).toEqual(
      new Set(['/data/attributes/access', '/data/attributes/runs', '/data/attributes/run-tasks']),
    );
    const empty = await app.post('team-workspaces', acme.owner.token, bodyOf('team-workspaces', {}));
    expect(empty.pointers).toEqual([
      '/data/attributes/access',
      '/data/relationships/team',
      '/data/relationships/workspace',
    ]);
    const nothing = await give(null, { access: 'read' }, { to: null });
    expect(nothing.pointers).toEqual(['/data/relationships/team', '/data/relationships/workspace']);
  });

  test('§5.4 the owners team needs no record → 422', async () => {
    const answer = await give(acme.ownersTeamId, { access: 'read' });
    expect(answer.status).toBe(422);
    expect(answer.pointers).toEqual(['/data/relationships/team']);
  });

  test('§5.4 a team of another organization → 422 for who sees both, 404 for who sees one', async () => {
    const other = await organization(app, { owner: acme.owner });
    const foreign = await team(app, other);
    const both = await give(foreign, { access: 'read' });
    expect(both.status).toBe(422);
    expect(both.problems).toEqual(['Team and workspace must be of the same organization']);
    const stranger = await organization(app);
    const unseen = await give(await team(app, stranger, { visibility: 'organization' }), { access: 'read' });
    expect(unseen.status).toBe(404);
  });
});
