import { beforeAll, describe, expect, test } from 'vitest';
import { type Answer, type Document, useApp } from '../../test/app.ts';
import {
  bodyOf,
  member,
  organization,
  person,
  serviceTokenOf,
  type TestOrganization,
  team,
} from '../../test/builders.ts';
import { workspace } from '../../test/workspace-builders.ts';
import {
  customWorkspacePowers,
  workspaceAccessOf,
  workspaceLevels,
  workspacePowers,
} from '../access/workspace-levels.ts';
import { settleWorkspaceAccess } from './rules.ts';

const app = useApp();
let acme: TestOrganization;
let workspaceId: string;
beforeAll(async () => {
  acme = await organization(app);
  workspaceId = await workspace(app, acme);
});

const linkage = (teamId: string | null, toWorkspace: string | null) => ({
  team: { data: teamId && { type: 'teams', id: teamId } },
  workspace: { data: toWorkspace && { type: 'workspaces', id: toWorkspace } },
});

function give(
  teamId: string | null,
  attributes: object,
  { token = acme.owner.token, to = workspaceId as string | null } = {},
): Promise<Answer> {
  return app.post('team-workspaces', token, bodyOf('team-workspaces', attributes, linkage(teamId, to)));
}

const patch = (id: string, attributes: object, token = acme.owner.token) =>
  app.patch(`team-workspaces/${id}`, token, bodyOf('team-workspaces', attributes));
const list = (query: string, token = acme.owner.token) => app.get(`team-workspaces${query}`, token);

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

describe('changing the level', () => {
  test('§5.4 from a fixed level to custom keeps what that gave, but for what is given', async () => {
    const made = await give(await team(app, acme), { access: 'write' });
    const custom = await patch(made.data.id, { access: 'custom', 'state-versions': 'read' });
    expect(custom.status).toBe(200);
    expect(custom.data.attributes).toEqual({
      ...made.data.attributes,
      access: 'custom',
      'state-versions': 'read',
    });
    const next = await patch(made.data.id, { runs: 'plan' });
    expect(next.data.attributes).toEqual({ ...custom.data.attributes, runs: 'plan' });
    const fixed = await patch(made.data.id, { access: 'admin' });
    expect(fixed.data.attributes).toMatchObject({ access: 'admin', runs: 'apply', 'state-versions': 'write' });
  });

  test('§5.4 a body without a type is read, and one without anything changes nothing', async () => {
    const made = await give(await team(app, acme), { access: 'read' });
    const untyped = await app.patch(`team-workspaces/${made.data.id}`, acme.owner.token, {
      data: { attributes: { access: 'plan' } },
    });
    expect(untyped.data.attributes.access).toBe('plan');
    expect((await patch(made.data.id, {})).data).toEqual(untyped.data);
  });

  test('§5.4 team and workspace of a record stay what they are', async () => {
    const made = await give(await team(app, acme), { access: 'read' });
    const other = linkage(await team(app, acme), await workspace(app, acme));
    const answer = await app.patch(
      `team-workspaces/${made.data.id}`,
      acme.owner.token,
      bodyOf('team-workspaces', {}, other),
    );
    expect(answer.data).toEqual(made.data);
  });

  test('§6 who was given what stands in the audit events', async () => {
    const teamId = await team(app, acme);
    const { data } = await give(teamId, { access: 'read' });
    await patch(data.id, { access: 'plan' });
    await app.delete(`team-workspaces/${data.id}`, acme.owner.token);
    const events = await app.store.read`
      select audit_events.action, audit_events.organization_id, audit_events.changes
      from audit_events where audit_events.resource_id = ${data.id}
      order by audit_events.occurred_at, audit_events.id`;
    expect(events.map(({ action }) => action)).toEqual([
      'team-workspaces.create',
      'team-workspaces.update',
      'team-workspaces.delete',
    ]);
    expect(new Set(events.map(event => event['organization_id']))).toEqual(new Set([acme.key]));
    expect(events[0]!['changes']).toMatchObject({ team_id: [null, teamId], access: [null, 'read'] });
    expect(events[1]!['changes']).toEqual({ access: ['read', 'plan'], runs: ['read', 'plan'] });
  });
});

describe('the list', () => {
  let of: TestOrganization;
  let to: string;
  let teamIds: string[];
  beforeAll(async () => {
    of = await organization(app);
    to = await workspace(app, of);
    teamIds = [await team(app, of), await team(app, of), await team(app, of)];
    for (const id of teamIds) await give(id, { access: 'read' }, { token: of.owner.token, to });
    await give(teamIds[0]!, { access: 'read' }, { token: of.owner.token, to: await workspace(app, of) });
  });
  const teamsIn = (answer: Answer) => answer.data.map((one: Document) => one.relationships.team.data.id);

  test('§5.4 is whole without page parameters, and paginated with them', async () => {
    const whole = await list(`?filter[workspace][id]=${to}`, of.owner.token);
    expect(whole.status).toBe(200);
    expect(teamsIn(whole)).toEqual(teamIds);
    expect(whole.document.meta).toBeUndefined();
    const page = await list(`?filter%5Bworkspace%5D%5Bid%5D=${to}&page[size]=2&page[number]=2`, of.owner.token);
    expect(teamsIn(page)).toEqual([teamIds[2]]);
    expect(page.document.meta.pagination['total-count']).toBe(3);
  });

  test('§5.4 takes one team of them', async () => {
    const answer = await list(`?filter[workspace][id]=${to}&filter[team][id]=${teamIds[1]}`, of.owner.token);
    expect(teamsIn(answer)).toEqual([teamIds[1]]);
  });

  test('§1 without filter[workspace][id] → 400 at the parameter; an unknown workspace → 404', async () => {
    for (const query of ['', '?filter[workspace][id]=']) {
      const answer = await list(query);
      expect(answer.status).toBe(400);
      expect(answer.pointers).toEqual(['filter[workspace][id]']);
    }
    expect((await list('?filter[workspace][id]=ws-0000000000000000')).status).toBe(404);
  });

  test("§5.4 members see their own teams' records, admins of the workspace all, strangers none", async () => {
    const mine = await member(app, of, teamIds[1]!);
    const own = await list(`?filter[workspace][id]=${to}`, mine.token);
    expect(teamsIn(own)).toEqual([teamIds[1]]);
    const { data } = await list(`?filter[workspace][id]=${to}`, of.owner.token);
    for (const record of data) {
      const isOwn = record.relationships.team.data.id === teamIds[1];
      expect((await app.get(`team-workspaces/${record.id}`, mine.token)).status).toBe(isOwn ? 200 : 404);
    }
    const admins = await team(app, of);
    await give(admins, { access: 'admin' }, { token: of.owner.token, to });
    const admin = await member(app, of, admins);
    expect(teamsIn(await list(`?filter[workspace][id]=${to}`, admin.token))).toHaveLength(4);
    const missing = await list('?filter[workspace][id]=ws-0000000000000000');
    for (const { token } of [await member(app, of), acme.owner, await person(app)]) {
      expect((await list(`?filter[workspace][id]=${to}`, token)).text).toBe(missing.text);
    }
  });
});

describe('who may', () => {
  test('§5.4 admins of the workspace give, change and take access; others read 404', async () => {
    const of = await organization(app);
    const to = await workspace(app, of);
    const admins = await team(app, of);
    const writers = await team(app, of);
    const everywhere = await team(app, of, { access: { 'manage-workspaces': true, 'read-workspaces': true } });
    await give(admins, { access: 'admin' }, { token: of.owner.token, to });
    const record = await give(writers, { access: 'write' }, { token: of.owner.token, to });
    const may = [
      of.owner.token,
      await serviceTokenOf(app, of),
      await serviceTokenOf(app, of, of.ownersTeamId),
      (await member(app, of, admins)).token,
      (await member(app, of, everywhere)).token,
    ];
    for (const token of may) {
      const given = await give(await team(app, of, { visibility: 'organization' }), { access: 'read' }, { token, to });
      expect(given.status).toBe(201);
      expect((await patch(given.data.id, { access: 'plan' }, token)).status).toBe(200);
      expect((await app.delete(`team-workspaces/${given.data.id}`, token)).status).toBe(204);
    }
    const missing = await app.get('team-workspaces/tws-0000000000000000', of.owner.token);
    const mayNot = [
      (await member(app, of, writers)).token,
      await serviceTokenOf(app, of, writers),
      (await member(app, of)).token,
      acme.owner.token,
      (await person(app, { isAdmin: true })).token,
    ];
    const visible = await team(app, of, { visibility: 'organization' });
    for (const token of mayNot) {
      expect((await give(visible, { access: 'read' }, { token, to })).text).toBe(missing.text);
      expect((await patch(record.data.id, { access: 'admin' }, token)).text).toBe(missing.text);
      expect((await app.delete(`team-workspaces/${record.data.id}`, token)).text).toBe(missing.text);
    }
  });

  test('§5.3 an admin of a workspace gives no access to a secret team that they cannot see: 404', async () => {
    const admins = await team(app, acme);
    await give(admins, { access: 'admin' });
    const { token } = await member(app, acme, admins);
    expect((await give(await team(app, acme), { access: 'read' }, { token })).status).toBe(404);
  });

  test('§5.4 an admin who lowers the own team may read the record, and no more', async () => {
    const admins = await team(app, acme);
    const { data } = await give(admins, { access: 'admin' });
    const { token } = await member(app, acme, admins);
    const lowered = await patch(data.id, { access: 'read' }, token);
    expect(lowered.status).toBe(200);
    expect(lowered.data.attributes.access).toBe('read');
    expect((await app.get(`team-workspaces/${data.id}`, token)).status).toBe(200);
    expect((await patch(data.id, { access: 'admin' }, token)).status).toBe(404);
  });
});

describe('the rule', () => {
  const before = { access: 'write' as const, details: workspaceAccessOf.write };

  test('§5.4 the same level again is no change', () => {
    expect(settleWorkspaceAccess({ access: 'write' }, before)).toEqual({
      level: 'write',
      details: workspaceAccessOf.write,
      faults: [],
    });
  });

  test('§5.4 custom on create starts from the least, on update from what there was', () => {
    expect(settleWorkspaceAccess({ access: 'custom' }, null).details).toEqual(workspaceAccessOf.custom);
    expect(settleWorkspaceAccess({ access: 'custom' }, before).details).toEqual(workspaceAccessOf.write);
    expect(settleWorkspaceAccess({ access: 'custom', runs: 'plan' }, before).details).toEqual({
      ...workspaceAccessOf.write,
      runs: 'plan',
    });
  });
});
