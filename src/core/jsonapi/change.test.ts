/** Changes that go ahead of the answer to what holds their record: nothing is built on a record that changed meanwhile. */
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Answer, openApp, type TestApp } from '../../../test/app.ts';
import { bodyOf, member, organization, type TestOrganization, team } from '../../../test/builders/records.ts';
import { project, workspace, workspaceAccess } from '../../../test/builders/workspace.ts';
import type { Sql } from '../store/store.ts';

let app: TestApp;
let acme: TestOrganization;
beforeAll(async () => {
  app = await openApp();
  acme = await organization(app);
});
afterAll(() => app?.close());

const owner = () => acme.owner.token;
const describe = (id: string, description: string, token = owner()) =>
  app.patch(`workspaces/${id}`, token, bodyOf('workspaces', { description }));
const eventOf = async ({ headers }: Answer) => {
  const [event] = await app.store.watch`
    select audit_events.changes from audit_events where audit_events.request_id = ${headers['x-request-id']!}`;
  return event?.['changes'];
};

/** What the request answers that begins while somebody else's transaction is open, and whose hold waits for its end. */
async function answeredBehind(theirs: (sql: Sql) => Promise<unknown>, ours: () => Promise<Answer>): Promise<Answer> {
  let answer: Promise<Answer> | undefined;
  await app.store.transaction(async sql => {
    await theirs(sql);
    answer = ours();
    for (let waiting = 0; waiting === 0; await wait(5)) {
      const [now] = await app.store.watch<{ waiting: number }[]>`
        select count(*)::integer as waiting from pg_stat_activity
        where pg_stat_activity.datname = current_database() and pg_stat_activity.wait_event_type = 'Lock'`;
      waiting = now!.waiting;
    }
  });
  return answer!;
}

test('§4.2 a change behind somebody else’s is judged and recorded by what that one left', async () => {
  const id = await workspace(app, acme);
  const answer = await answeredBehind(
    sql => sql`
      update workspaces set description = 'theirs', file_triggers_enabled = false, revision = default
      where workspaces.id = ${id}`,
    () => describe(id, 'ours'),
  );
  expect(answer.status).toBe(200);
  expect(answer.data.attributes).toMatchObject({ description: 'ours', 'file-triggers-enabled': false });
  expect(await eventOf(answer)).toEqual({ description: ['theirs', 'ours'] });
});

test('§4.2 where somebody else’s deletion came before, the change finds nothing', async () => {
  const id = await workspace(app, acme);
  const answer = await answeredBehind(
    sql => sql`delete from workspaces where workspaces.id = ${id}`,
    () => describe(id, 'ours'),
  );
  expect(answer.status).toBe(404);
  expect(await eventOf(answer)).toBeUndefined();
});

test('§4.2 a workspace that is made while its organization changes follows what it is now', async () => {
  const other = await project(app, acme);
  const answer = await answeredBehind(
    async sql => {
      await sql`select from organizations where organizations.id = ${acme.key} for update`;
      await sql`
        update organizations set default_project_id = ${other}, revision = default where organizations.id = ${acme.key}`;
    },
    () => app.post(`organizations/${acme.name}/workspaces`, owner(), bodyOf('workspaces', { name: 'made' })),
  );
  expect(answer.status).toBe(201);
  expect(answer.data.relationships.project.data.id).toBe(other);
  const [counted] = await app.store.watch<{ total: number }[]>`
    select sum(project_workspace_counts.workspaces)::integer as total from project_workspace_counts
    where project_workspace_counts.project_id = ${other}`;
  expect(counted!.total).toBe(1);
});

test('§5.1 whom this server remembers and whose token has gone changes nothing', async () => {
  const id = await workspace(app, acme);
  const gone = await member(app, acme, acme.ownersTeamId);
  expect((await describe(id, 'before', gone.token)).status).toBe(200);
  await app.store.watch`delete from tokens where tokens.user_id = ${gone.id}`;
  expect((await describe(id, 'after', gone.token)).status).toBe(401);
  expect((await app.get(`workspaces/${id}`, owner())).data.attributes.description).toBe('before');
});

test('§5.4 whom this server remembers is let in by what it was given since, and refused by what was taken', async () => {
  const id = await workspace(app, acme);
  const [reading, writing] = [await team(app, acme), await team(app, acme)];
  const someone = await member(app, acme, reading);
  await workspaceAccess(app, reading, id, 'read');
  await workspaceAccess(app, writing, id, 'admin');
  const statusOf = async (description: string) => (await describe(id, description, someone.token)).status;
  const joins = [
    (sql: Sql) => sql`
      insert into team_memberships (team_id, organization_membership_id)
      select ${writing}, organization_memberships.id from organization_memberships
      where organization_memberships.user_id = ${someone.id}`,
    (sql: Sql) => sql`delete from team_memberships where team_memberships.team_id = ${writing}`,
  ] as const;
  expect(await statusOf('none')).toBe(404);
  await joins[0](app.store.watch);
  expect(await statusOf('given')).toBe(200);
  await joins[1](app.store.watch);
  expect(await statusOf('taken')).toBe(404);
  expect((await app.get(`workspaces/${id}`, owner())).data.attributes.description).toBe('given');
});

test('§4.2 whoever was shown a workspace changes what it is now: changed, gone or called otherwise since', async () => {
  const read = (path: string) => app.get(path, owner());
  const id = await workspace(app, acme);
  await read(`workspaces/${id}`);
  await app.store.watch`
    update workspaces set description = 'since', file_triggers_enabled = false, revision = default
    where workspaces.id = ${id}`;
  const changed = await describe(id, 'now');
  expect(changed.data.attributes).toMatchObject({ description: 'now', 'file-triggers-enabled': false });
  expect(await eventOf(changed)).toEqual({ description: ['since', 'now'] });

  const gone = await workspace(app, acme);
  await read(`workspaces/${gone}`);
  await app.store.watch`delete from workspaces where workspaces.id = ${gone}`;
  expect((await describe(gone, 'now')).status).toBe(404);

  const [first, second] = [
    await workspace(app, acme, { name: 'first' }),
    await workspace(app, acme, { name: 'second' }),
  ];
  const byName = `organizations/${acme.name}/workspaces/first`;
  await read(byName);
  for (const [one, name] of [
    [first, 'third'],
    [second, 'first'],
  ] as const)
    await app.store.watch`update workspaces set name = ${name}, revision = default where workspaces.id = ${one}`;
  const { data } = await app.patch(byName, owner(), bodyOf('workspaces', { description: 'by name' }));
  expect([data.id, data.attributes.name]).toEqual([second, 'first']);
  expect((await read(`workspaces/${first}`)).data.attributes.description).not.toBe('by name');
});
