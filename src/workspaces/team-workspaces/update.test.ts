import { beforeAll, describe, expect, test } from 'vitest';
import { useApp } from '../../../test/app.ts';
import {
  bodyOf,
  member,
  organization,
  person,
  serviceTokenOf,
  type TestOrganization,
  team,
} from '../../../test/builders/records.ts';
import { accessRequests } from '../../../test/builders/team-access.ts';
import { workspace } from '../../../test/builders/workspace.ts';
import { workspaceAccessOf } from '../../access/workspace-levels.ts';
import { settleWorkspaceAccess } from './rules.ts';

const app = useApp();
let acme: TestOrganization;
let workspaceId: string;
beforeAll(async () => {
  acme = await organization(app);
  workspaceId = await workspace(app, acme);
});
const { give, patch } = accessRequests(app, 'workspace', () => ({ token: acme.owner.token, to: workspaceId }));

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
    const other = {
      team: { data: { type: 'teams', id: await team(app, acme) } },
      workspace: { data: { type: 'workspaces', id: await workspace(app, acme) } },
    };
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
