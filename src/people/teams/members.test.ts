import { beforeAll, describe, expect, test } from 'vitest';
import { type Answer, useApp } from '../../../test/app.ts';
import {
  invite,
  join,
  member,
  organization,
  person,
  serviceTokenOf,
  type TestOrganization,
  team,
} from '../../../test/builders/records.ts';
import { type Candidate, judge } from './members.ts';

const app = useApp();
let acme: TestOrganization;
beforeAll(async () => {
  acme = await organization(app);
});

type Naming = 'users' | 'organization-memberships';

function change(
  method: 'POST' | 'DELETE',
  teamId: string,
  ids: readonly string[],
  { token = acme.owner.token, naming = 'users' as Naming } = {},
): Promise<Answer> {
  const body = { data: ids.map(id => ({ type: naming, id })) };
  return app.call(method, `teams/${teamId}/relationships/${naming}`, { token, body });
}

async function userIds(teamId: string, token = acme.owner.token): Promise<string[]> {
  const { data } = await app.get(`teams/${teamId}`, token);
  return data.relationships.users.data.map(({ id }: { id: string }) => id).sort();
}

describe('people', () => {
  test('§1 are added by username and by id, and removed by either → 204 without a body', async () => {
    const id = await team(app, acme);
    const [ada, ben] = [await member(app, acme), await member(app, acme)];
    const added = await change('POST', id, [ada.username, ben.id]);
    expect(added.status).toBe(204);
    expect(added.text).toBe('');
    expect(await userIds(id)).toEqual([ada.id, ben.id].sort());
    expect((await change('DELETE', id, [ada.id, ben.username])).status).toBe(204);
    expect(await userIds(id)).toEqual([]);
  });

  test('§1 named twice in one request are added once', async () => {
    const id = await team(app, acme);
    const ada = await member(app, acme);
    expect((await change('POST', id, [ada.username, ada.id])).status).toBe(204);
    expect(await userIds(id)).toEqual([ada.id]);
  });

  test('§1 a list with faults → 400 for each of them, and nobody is added', async () => {
    const id = await team(app, acme);
    const [ada, already] = [await member(app, acme), await member(app, acme, id)];
    const guest = await invite(app, acme);
    const stranger = (await organization(app)).owner;
    const ids = [ada.username, 'nobody', already.username, guest.userId, stranger.username, ''];
    const answer = await change('POST', id, ids);
    expect(answer.status).toBe(400);
    expect(answer.pointers).toEqual([1, 2, 3, 4, 5].map(position => `/data/${position}/id`));
    expect(answer.problems).toEqual([
      'User "nobody" does not exist in this organization.',
      `"${already.username}" is already a member of the team.`,
      `User "${guest.userId}" was invited to this organization and is not an active member yet.`,
      `User "${stranger.username}" does not exist in this organization.`,
      'User "" does not exist in this organization.',
    ]);
    expect(await userIds(id)).toEqual([already.id]);
  });

  test('§1 removing someone who is not on the team → 400, and the others stay', async () => {
    const id = await team(app, acme);
    const [ada, ben] = [await member(app, acme, id), await member(app, acme)];
    const answer = await change('DELETE', id, [ada.username, ben.username]);
    expect(answer.status).toBe(400);
    expect(answer.problems).toEqual([`"${ben.username}" is not a member of the team.`]);
    expect(await userIds(id)).toEqual([ada.id]);
  });

  test('§1 another type and a body without a list → 400', async () => {
    const id = await team(app, acme);
    const path = `teams/${id}/relationships/users`;
    const typed = await app.post(path, acme.owner.token, { data: [{ type: 'teams', id: acme.owner.username }] });
    expect(typed.status).toBe(400);
    expect(typed.pointers).toEqual(['/data/0/type']);
    expect((await app.post(path, acme.owner.token, {})).status).toBe(400);
    expect((await app.post(path, acme.owner.token)).status).toBe(400);
  });

  test('§5.1 what someone gains or loses with a team holds from the next request on', async () => {
    const id = await team(app, acme);
    const ada = await member(app, acme);
    expect((await app.get(`teams/${id}`, ada.token)).status).toBe(404);
    await change('POST', id, [ada.username]);
    expect((await app.get(`teams/${id}`, ada.token)).status).toBe(200);
    await change('DELETE', id, [ada.username]);
    expect((await app.get(`teams/${id}`, ada.token)).status).toBe(404);
  });
});

describe('memberships', () => {
  const naming = 'organization-memberships';

  test('§1 are added and removed, invited ones too', async () => {
    const id = await team(app, acme);
    const guest = await invite(app, acme);
    expect((await change('POST', id, [guest.membershipId], { naming })).status).toBe(204);
    const { data } = await app.get(`teams/${id}`, acme.owner.token);
    expect(data.relationships[naming].data).toEqual([{ type: naming, id: guest.membershipId }]);
    expect(data.attributes['users-count']).toBe(0);
    expect((await change('DELETE', id, [guest.membershipId], { naming })).status).toBe(204);
  });

  test('§1 a membership of another organization → 400, as one that does not exist', async () => {
    const id = await team(app, acme);
    const other = await organization(app);
    const someone = await person(app);
    const foreign = await join(app, other, someone);
    const answer = await change('POST', id, [foreign], { naming });
    expect(answer.status).toBe(400);
    expect(answer.problems).toEqual([`Organization membership "${foreign}" does not exist in this organization.`]);
  });

  test('§1 are listed for who sees the team, with pages', async () => {
    const id = await team(app, acme);
    const someone = await member(app, acme, id);
    await invite(app, acme, id);
    const listed = await app.get(`teams/${id}/relationships/${naming}`, someone.token);
    expect(listed.status).toBe(200);
    expect(listed.document.meta.pagination['total-count']).toBe(2);
    const { data } = await app.get(`teams/${id}`, someone.token);
    expect(listed.data.map((one: { id: string }) => one.id)).toEqual(
      data.relationships[naming].data.map((one: { id: string }) => one.id),
    );
    const second = await app.get(`teams/${id}/relationships/${naming}?page[size]=1&page[number]=2`, someone.token);
    expect(second.data).toEqual([listed.data[1]]);
    const outside = await app.get(`teams/${id}/relationships/${naming}`, (await member(app, acme)).token);
    expect(outside.status).toBe(404);
  });
});

describe('who may', () => {
  test('§5.3 owners, their tokens and managers of membership may; others read 404', async () => {
    const id = await team(app, acme, { visibility: 'organization' });
    const managers = await team(app, acme, { access: { 'manage-membership': true } });
    const may = [
      acme.owner.token,
      await serviceTokenOf(app, acme),
      await serviceTokenOf(app, acme, acme.ownersTeamId),
      (await member(app, acme, managers)).token,
      await serviceTokenOf(app, acme, managers),
    ];
    for (const token of may) {
      const { username } = await member(app, acme);
      expect((await change('POST', id, [username], { token })).status).toBe(204);
      expect((await change('DELETE', id, [username], { token })).status).toBe(204);
    }
    const missing = await change('POST', 'team-0000000000000000', ['x']);
    const may_not = [
      (await member(app, acme, id)).token,
      await serviceTokenOf(app, acme, id),
      (await organization(app)).owner.token,
      (await person(app, { isAdmin: true })).token,
    ];
    for (const token of may_not) {
      expect((await change('POST', id, ['x'], { token })).text).toBe(missing.text);
      expect((await change('DELETE', id, ['x'], { token })).text).toBe(missing.text);
    }
  });

  test('§5.3 managers of membership cannot make themselves owners', async () => {
    const managers = await team(app, acme, {
      access: { 'manage-membership': true, 'manage-teams': true, 'manage-organization-access': true },
    });
    const manager = await member(app, acme, managers);
    const { token } = manager;
    expect((await change('POST', acme.ownersTeamId, [manager.username], { token })).status).toBe(404);
    expect((await change('DELETE', acme.ownersTeamId, [acme.owner.username], { token })).status).toBe(404);
    expect(await userIds(acme.ownersTeamId)).toEqual([acme.owner.id]);
  });

  test('§6 who was added and removed stands in the audit event', async () => {
    const id = await team(app, acme);
    const ada = await member(app, acme);
    await change('POST', id, [ada.username]);
    await change('DELETE', id, [ada.username]);
    const events = await app.store.read`
      select audit_events.action, audit_events.changes from audit_events
      where audit_events.resource_id = ${id} order by audit_events.occurred_at, audit_events.id`;
    expect(events).toEqual([
      { action: 'teams.add-users', changes: { added: [ada.id] } },
      { action: 'teams.remove-users', changes: { removed: [ada.id] } },
    ]);
  });
});

describe('the last owner', () => {
  test('§4.1 stays: removing the last active owner → 403, an invited one does not count', async () => {
    const of = await organization(app);
    await invite(app, of, of.ownersTeamId);
    const answer = await change('DELETE', of.ownersTeamId, [of.owner.username], { token: of.owner.token });
    expect(answer.status).toBe(403);
    expect(answer.problems).toEqual(['The owners team must keep at least one member.']);
    expect(await userIds(of.ownersTeamId, of.owner.token)).toEqual([of.owner.id]);
    const [membership] = await app.store.read`
      select organization_memberships.id from organization_memberships
      where organization_memberships.user_id = ${of.owner.id} and organization_memberships.organization_id = ${of.key}`;
    const byMembership = { token: of.owner.token, naming: 'organization-memberships' as const };
    expect((await change('DELETE', of.ownersTeamId, [membership!['id']], byMembership)).status).toBe(403);
  });

  test('§4.1 both of two owners at once → 403', async () => {
    const of = await organization(app);
    const second = await member(app, of, of.ownersTeamId);
    const both = [of.owner.username, second.username];
    expect((await change('DELETE', of.ownersTeamId, both, { token: of.owner.token })).status).toBe(403);
    expect(await userIds(of.ownersTeamId, of.owner.token)).toHaveLength(2);
  });

  test('§4.1 two owners who remove each other at the same time: exactly one succeeds', async () => {
    for (let round = 0; round < 10; round += 1) {
      const of = await organization(app);
      const second = await member(app, of, of.ownersTeamId);
      const token = await serviceTokenOf(app, of);
      const answers = await Promise.all([
        change('DELETE', of.ownersTeamId, [of.owner.username], { token }),
        change('DELETE', of.ownersTeamId, [second.username], { token }),
      ]);
      expect(answers.map(({ status }) => status).sort()).toEqual([204, 403]);
      expect(await userIds(of.ownersTeamId, token)).toHaveLength(1);
    }
  });

  test('§1 ten requests that add the same person at once: exactly one succeeds', async () => {
    const id = await team(app, acme);
    const { username } = await member(app, acme);
    const answers = await Promise.all(Array.from({ length: 10 }, () => change('POST', id, [username])));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, ...Array(9).fill(400)]);
  });
});

describe('the rule', () => {
  const candidate = (members: Partial<Candidate>): Candidate => ({
    membership_id: 'ou-1',
    user_id: 'user-1',
    username: 'ada',
    status: 'active',
    is_on_team: false,
    ...members,
  });
  const impostor = candidate({ membership_id: 'ou-2', user_id: 'user-2', username: 'user-1' });

  test('§1 an id goes before a username of the same letters', () => {
    const { members } = judge(['user-1'], [impostor, candidate({})], 'add', 'users');
    expect(members.map(({ membership_id }) => membership_id)).toEqual(['ou-1']);
  });

  test('§1 memberships are not named by users, nor users by memberships', () => {
    expect(judge(['ou-1'], [candidate({})], 'add', 'users').faults).toHaveLength(1);
    expect(judge(['user-1'], [candidate({})], 'add', 'organization-memberships').faults).toHaveLength(1);
  });

  test.each([
    ['add', false, 0],
    ['add', true, 1],
    ['remove', true, 0],
    ['remove', false, 1],
  ] as const)('§1 %s someone who is on the team %s: %d faults', (asked, isOnTeam, count) => {
    expect(judge(['ada'], [candidate({ is_on_team: isOnTeam })], asked, 'users').faults).toHaveLength(count);
  });
});
