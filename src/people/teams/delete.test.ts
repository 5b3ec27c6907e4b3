import { beforeAll, expect, test } from 'vitest';
import { useApp } from '../../../test/app.ts';
import { member, organization, serviceTokenOf, type TestOrganization, team } from '../../../test/builders/records.ts';

const app = useApp();
let acme: TestOrganization;
beforeAll(async () => {
  acme = await organization(app);
});

test('§4.1 delete → 204 without a body, and the team is gone with its tokens and their account', async () => {
  const id = await team(app, acme, { visibility: 'organization' });
  const token = await serviceTokenOf(app, acme, id);
  expect((await app.get(`teams/${id}`, token)).status).toBe(200);
  const answer = await app.delete(`teams/${id}`, acme.owner.token);
  expect(answer.status).toBe(204);
  expect(answer.text).toBe('');
  expect((await app.get(`teams/${id}`, acme.owner.token)).status).toBe(404);
  expect((await app.get(`teams/${id}`, token)).status).toBe(401);
  expect(await app.store.read`select from users where users.service_of_id = ${id}`).toHaveLength(0);
  expect((await app.delete(`teams/${id}`, acme.owner.token)).status).toBe(404);
});

test('§4.1 the members of a deleted team stay in the organization', async () => {
  const id = await team(app, acme);
  const someone = await member(app, acme, id);
  await app.delete(`teams/${id}`, acme.owner.token);
  expect((await app.get(`organizations/${acme.name}/teams`, someone.token)).status).toBe(200);
});

test('§4.1 the owners team cannot be deleted → 403', async () => {
  const answer = await app.delete(`teams/${acme.ownersTeamId}`, acme.owner.token);
  expect(answer.status).toBe(403);
  expect(answer.problems).toEqual(['The owners team cannot be deleted.']);
});

test('§5.3 only owners delete; others read the bytes of a team that does not exist', async () => {
  const missing = await app.delete('teams/team-0000000000000000', acme.owner.token);
  const id = await team(app, acme, {
    visibility: 'organization',
    access: { 'manage-membership': true, 'manage-teams': true },
  });
  const callers = [
    (await member(app, acme, id)).token,
    await serviceTokenOf(app, acme, id),
    (await organization(app)).owner.token,
  ];
  for (const token of callers) expect((await app.delete(`teams/${id}`, token)).text).toBe(missing.text);
  expect((await app.delete(`teams/${id}`, await serviceTokenOf(app, acme))).status).toBe(204);
});

test('§6 a deletion writes an audit event with the name', async () => {
  const id = await team(app, acme, { name: 'short-lived' });
  await app.delete(`teams/${id}`, acme.owner.token);
  const events = await app.store.read`
    select audit_events.action, audit_events.resource_name, audit_events.organization_id
    from audit_events where audit_events.resource_id = ${id}`;
  expect(events).toEqual([{ action: 'teams.delete', resource_name: 'short-lived', organization_id: acme.key }]);
});
