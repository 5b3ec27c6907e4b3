/** §1 Notification configurations of projects and teams, as go-tfe and the provider make them. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Document, useApp } from '../../../test/app.ts';
import { type Receiver, reachable, receiver } from '../../../test/builders/receiver.ts';
import { bodyOf, member, organization, type TestOrganization, team } from '../../../test/builders/records.ts';
import { move, run } from '../../../test/builders/run.ts';
import { project, projectAccess, workspace } from '../../../test/builders/workspace.ts';
import { workOffClaims } from '../../core/claims.ts';
import { deliveries } from './deliver.ts';
import { announceWorkspace } from './outbox.ts';
import { receiversOf } from './receivers.ts';

const app = useApp(reachable);
let acme: TestOrganization;
let hook: Receiver;
let projectId: string;
let teamId: string;
beforeAll(async () => {
  acme = await organization(app);
  hook = await receiver();
});
afterAll(() => hook.close());
beforeEach(async () => {
  await app.store.read`delete from notification_configurations`;
  [projectId, teamId] = [await project(app, acme), await team(app, acme)];
  hook.received.length = 0;
  hook.answer(200);
});

const kind = 'notification-configurations';
const sender = () => ({ store: app.store, config: app.config, publicUrl: 'https://terrane.example' });
const deliver = () => workOffClaims(deliveries(sender));
const given = (attributes: object) => ({
  'destination-type': 'generic',
  enabled: false,
  name: 'operations',
  url: hook.url,
  ...attributes,
});
type Holder = ['projects' | 'teams', string];
const create = ([type, id]: Holder, attributes: object = {}, token = acme.owner.token) => {
  const links = { subscribable: { data: { type, id } } };
  return app.post(`${type}/${id}/${kind}`, token, bodyOf(kind, given(attributes), links));
};
const list = async ([type, id]: Holder) => (await app.get(`${type}/${id}/${kind}`, acme.owner.token)).data;

describe('a project or a team', () => {
  test.each(['projects', 'teams'] as const)(
    '%s: one is made, shown, listed, changed, tried and deleted',
    async type => {
      const holder: Holder = [type, type === 'projects' ? projectId : teamId];
      const made = await create(holder, {
        triggers: type === 'projects' ? ['run:created'] : ['change_request:created'],
      });
      expect([made.status, made.problems]).toEqual([201, []]);
      expect(made.data.relationships.subscribable.data).toEqual({ type, id: holder[1] });
      const path = `${kind}/${made.data.id}`;
      expect((await app.get(path, acme.owner.token)).data).toEqual(made.data);
      expect(await list(holder)).toEqual([made.data]);
      const changed = await app.patch(path, acme.owner.token, bodyOf(kind, { name: 'others', triggers: [] }));
      expect(changed.data.attributes).toMatchObject({ name: 'others', triggers: [] });
      const verified = await app.post(`${path}/actions/verify`, acme.owner.token);
      expect([verified.status, hook.received.length]).toEqual([200, 1]);
      expect((await app.delete(path, acme.owner.token)).status).toBe(204);
      expect(await list(holder)).toEqual([]);
    },
  );

  test('readers of the project hear that its settings change, and nothing of what is delivered', async () => {
    const { data } = await create(['projects', projectId], { enabled: true, triggers: ['run:created'] });
    const told = async () => {
      const [row] = await app.store.read<{ told: number }[]>`
        select count(*) as told from changes where changes.record_id = ${projectId}`;
      return row!.told;
    };
    const before = await told();
    expect((await app.post(`${kind}/${data.id}/actions/verify`, acme.owner.token)).status).toBe(200);
    await run(app, acme, await workspace(app, acme, { project_id: projectId }));
    expect([await deliver(), hook.received.length]).toEqual([1, 3]);
    expect((await app.get(`${kind}/${data.id}`, acme.owner.token)).data.attributes['delivery-responses']).toHaveLength(
      3,
    );
    expect(await told()).toBe(before);
    const path = `${kind}/${data.id}`;
    expect((await app.patch(path, acme.owner.token, bodyOf(kind, { enabled: false }))).status).toBe(200);
    expect((await app.delete(path, acme.owner.token)).status).toBe(204);
    expect(await told()).toBe(before + 2);
  });

  test('takes the triggers of its own kind alone → 422, when it is made and when it is changed', async () => {
    const wrong: [Holder, string][] = [
      [['projects', projectId], 'change_request:created'],
      [['teams', teamId], 'run:created'],
    ];
    for (const [holder, trigger] of wrong) {
      const refused = await create(holder, { triggers: [trigger] });
      expect([refused.status, refused.pointers]).toEqual([422, ['/data/attributes/triggers']]);
      const { data } = await create(holder);
      const unchanged = await app.patch(`${kind}/${data.id}`, acme.owner.token, bodyOf(kind, { triggers: [trigger] }));
      expect([unchanged.status, unchanged.pointers]).toEqual([422, ['/data/attributes/triggers']]);
    }
    const ofWorkspace = `workspaces/${await workspace(app, acme)}/${kind}`;
    const body = bodyOf(kind, given({ triggers: ['change_request:created'] }));
    expect((await app.post(ofWorkspace, acme.owner.token, body)).pointers).toEqual(['/data/attributes/triggers']);
  });

  test('has twenty at most, and keeps those of others out of its list', async () => {
    const answers = await Promise.all(Array.from({ length: 22 }, () => create(['projects', projectId])));
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(2);
    expect(await list(['projects', projectId])).toHaveLength(20);
    expect(await list(['projects', await project(app, acme)])).toEqual([]);
  });

  test('takes its configurations with it', async () => {
    await create(['projects', projectId]);
    await create(['teams', teamId]);
    expect((await app.delete(`projects/${projectId}`, acme.owner.token)).status).toBe(204);
    expect((await app.delete(`teams/${teamId}`, acme.owner.token)).status).toBe(204);
    expect(await app.store.read`select from notification_configurations`).toHaveLength(0);
  });
});

test('§5 who administers the project sees and changes its configurations; readers and strangers find none', async () => {
  const [admins, readers] = [await team(app, acme), await team(app, acme)];
  await projectAccess(app, admins, projectId, 'admin');
  await projectAccess(app, readers, projectId, 'read');
  const [admin, reader] = [await member(app, acme, admins), await member(app, acme, readers)];
  const stranger = (await organization(app)).owner;
  const { data } = await create(['projects', projectId], {}, admin.token);
  const path = `${kind}/${data.id}`;
  expect((await app.patch(path, admin.token, bodyOf(kind, { name: 'ours' }))).status).toBe(200);
  for (const { token } of [reader, stranger]) {
    const answers = [
      await app.get(`projects/${projectId}/${kind}`, token),
      await create(['projects', projectId], {}, token),
      await app.get(path, token),
      await app.patch(path, token, bodyOf(kind, { name: 'theirs' })),
      await app.post(`${path}/actions/verify`, token),
      await app.delete(path, token),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 404]);
  }
});

test('§5 those of a team are its owners’ of the organization; its members find none', async () => {
  const { data } = await create(['teams', teamId]);
  const { token } = await member(app, acme, teamId);
  expect((await app.get(`teams/${teamId}/${kind}`, token)).status).toBe(404);
  expect((await app.get(`${kind}/${data.id}`, token)).status).toBe(404);
});

describe('what is told', () => {
  const triggersTold = () =>
    hook.received.map(({ json }): [string, string] => [json.workspace_id, json.notifications?.[0].trigger]);
  const enabled = async (holder: Holder, triggers: string[]): Promise<Document> => {
    const { data } = await create(holder, { enabled: true, triggers });
    hook.received.length = 0;
    return data;
  };

  test('a project is told of the runs of each of its workspaces, and of no others', async () => {
    await enabled(['projects', projectId], ['run:created', 'run:planning']);
    const [one, two] = [
      await workspace(app, acme, { project_id: projectId }),
      await workspace(app, acme, { project_id: projectId }),
    ];
    await move(app, await run(app, acme, one), 'planning');
    await run(app, acme, two);
    await run(app, acme, await workspace(app, acme));
    expect(await deliver()).toBe(3);
    expect(triggersTold()).toEqual([
      [one, 'run:created'],
      [one, 'run:planning'],
      [two, 'run:created'],
    ]);
  });

  test('a workspace and its project are told once each; a workspace that moved away is told of no more', async () => {
    const id = await workspace(app, acme, { project_id: projectId });
    const body = bodyOf(kind, given({ enabled: true, triggers: ['run:created'] }));
    await app.post(`workspaces/${id}/${kind}`, acme.owner.token, body);
    await enabled(['projects', projectId], ['run:created']);
    await run(app, acme, id);
    expect(await deliver()).toBe(2);
    const other = { project: { data: { type: 'projects', id: acme.projectId } } };
    const moved = await app.patch(`workspaces/${id}`, acme.owner.token, bodyOf('workspaces', {}, other));
    expect(moved.problems).toEqual([]);
    await run(app, acme, id);
    expect(await deliver()).toBe(1);
  });

  test('what happens to a workspace otherwise is told with its name, and is gone with the workspace', async () => {
    await enabled(['projects', projectId], ['workspace:auto_destroy_reminder']);
    const id = await workspace(app, acme, { project_id: projectId });
    const news = { trigger: 'workspace:auto_destroy_reminder', message: 'Soon' } as const;
    await app.store.transaction(sql => announceWorkspace(sql, id, news, {}));
    expect(await deliver()).toBe(1);
    expect(hook.received[0]!.json.details.workspace_id).toBe(id);
    await app.store.transaction(sql => announceWorkspace(sql, id, news, {}));
    await app.store.read`delete from workspaces where workspaces.id = ${id}`;
    expect([await deliver(), await app.store.read`select from pending_notifications`]).toEqual([0, []]);
  });

  test('letters go to members who may read that workspace; a trial to those who may read the project', async () => {
    const readers = await team(app, acme);
    await projectAccess(app, readers, projectId, 'read');
    const [reader, other] = [await member(app, acme, readers), await member(app, acme)];
    const users = { data: [reader, other].map(({ id }) => ({ type: 'users', id })) };
    const attributes = given({ 'destination-type': 'email', url: undefined, triggers: ['run:created'] });
    const made = await app.post(`projects/${projectId}/${kind}`, acme.owner.token, bodyOf(kind, attributes, { users }));
    expect(made.problems).toEqual([]);
    const inside = await workspace(app, acme, { project_id: projectId });
    const receivers = (workspaceId: string | null) => receiversOf(app.store.read, made.data.id, workspaceId);
    expect([await receivers(inside), await receivers(null)]).toEqual([[reader.email], [reader.email]]);
    expect(await receivers(await workspace(app, acme))).toEqual([]);
  });
});
