/** §1 Run tasks of organizations and of workspaces, as clients make them. */

import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Document, useApp } from '../../../test/app.ts';
import { type Receiver, reachable, receiver } from '../../../test/builders/receiver.ts';
import { bodyOf, member, organization, randomName, type TestOrganization } from '../../../test/builders/records.ts';
import { workspace } from '../../../test/builders/workspace.ts';
import { limits } from '../../core/limits.ts';

const app = useApp(reachable);
let acme: TestOrganization;
let hook: Receiver;
beforeAll(async () => {
  acme = await organization(app);
  hook = await receiver();
});
afterAll(() => hook.close());
beforeEach(() => {
  hook.answer(200);
  hook.received.length = 0;
});

const create = (attributes: object = {}) =>
  app.post(
    `organizations/${acme.name}/tasks`,
    acme.owner.token,
    bodyOf('tasks', { name: randomName('task'), url: hook.url, category: 'task', 'hmac-key': 'a key', ...attributes }),
  );
const update = (id: string, attributes: object) =>
  app.patch(`tasks/${id}`, acme.owner.token, bodyOf('tasks', attributes));
const show = async (path: string): Promise<Document> => (await app.get(path, acme.owner.token)).data;
const related = (id: string) => ({ task: { data: { type: 'tasks', id } } });
const attach = (workspaceId: string, taskId: string, attributes: object = {}) =>
  app.post(
    `workspaces/${workspaceId}/tasks`,
    acme.owner.token,
    bodyOf('workspace-tasks', { 'enforcement-level': 'advisory', ...attributes }, related(taskId)),
  );

test('a workspace has so many run tasks and no more → 422', async () => {
  const id = await workspace(app, acme);
  const most = limits.workspaceTasks_items.value;
  const tasks = await Promise.all(Array.from({ length: most + 1 }, async () => (await create()).data.id as string));
  const answers = await Promise.all(tasks.map(task => attach(id, task)));
  expect(answers.map(({ status }) => status).sort()).toEqual([...Array(most).fill(201), 422]);
});

describe('a run task of an organization', () => {
  test('tries its address by a signed request, and is shown without its key → 201', async () => {
    const { status, data, text } = await create({ name: 'scan', description: 'Looks for holes' });
    expect([status, text.includes('a key')]).toEqual([201, false]);
    expect(data.attributes).toEqual({
      name: 'scan',
      description: 'Looks for holes',
      url: hook.url,
      category: 'task',
      enabled: true,
      'global-configuration': { enabled: false, stages: ['post_plan'], 'enforcement-level': 'advisory' },
    });
    expect(data.relationships.organization.data.id).toBe(acme.name);
    const [asked] = hook.received;
    const digest = createHmac('sha512', 'a key').update(asked!.text).digest('hex');
    expect(asked!.headers['x-tfc-task-signature']).toBe(digest);
    expect(asked!.json).toMatchObject({ payload_version: 1, stage: 'test', organization_name: acme.name });
    expect(await show(`tasks/${data.id}`)).toEqual(data);
    const listed = await app.get(`organizations/${acme.name}/tasks`, acme.owner.token);
    expect(listed.data).toContainEqual(data);
    expect((await create({ name: 'scan' })).status).toBe(422);
  });

  test('whose address does not answer 200 is not saved, nor changed → 422', async () => {
    hook.answer(204);
    const refused = await create();
    expect([refused.status, refused.pointers, refused.problems[0]]).toEqual([
      422,
      ['/data/attributes/url'],
      expect.stringContaining('204'),
    ]);
    hook.answer(200);
    const { data } = await create();
    hook.answer(500);
    expect((await update(data.id, { url: `${hook.url}/2` })).status).toBe(422);
    expect((await update(data.id, { 'hmac-key': null })).status).toBe(422);
    expect(await show(`tasks/${data.id}`)).toEqual(data);
    hook.received.length = 0;
    const changed = await update(data.id, { name: `${data.attributes.name}-2`, enabled: false });
    expect([changed.status, changed.data.attributes.enabled, hook.received]).toEqual([200, false, []]);
  });

  test('that is off is saved untried, and tried when it is turned on', async () => {
    hook.answer(401);
    const { status, data } = await create({ enabled: false });
    expect([status, data.attributes.enabled, hook.received]).toEqual([201, false, []]);
    expect((await update(data.id, { url: `${hook.url}/2` })).status).toBe(200);
    expect((await update(data.id, { enabled: true })).pointers).toEqual(['/data/attributes/url']);
    hook.answer(200);
    const on = await update(data.id, { enabled: true, 'hmac-key': 'another key' });
    expect([on.status, on.data.attributes]).toEqual([
      200,
      expect.objectContaining({ enabled: true, url: `${hook.url}/2` }),
    ]);
    expect(hook.received.at(-1)!.headers['x-tfc-task-signature']).not.toBe('');
  });

  test('is changed by owners and managers of run tasks, and read by members', async () => {
    const { data } = await create();
    const someone = await member(app, acme);
    const answers = [
      await app.get(`tasks/${data.id}`, someone.token),
      await app.patch(`tasks/${data.id}`, someone.token, bodyOf('tasks', { enabled: false })),
      await app.delete(`tasks/${data.id}`, acme.owner.token),
      await app.get(`tasks/${data.id}`, someone.token),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 404, 204, 404]);
  });
});

describe('a run task of a workspace', () => {
  test('is asked after the plan unless its stages say otherwise; the first is shown as stage, too', async () => {
    const [workspaceId, task] = [await workspace(app, acme), (await create()).data.id];
    const made = await attach(workspaceId, task, { stages: ['post_plan', 'pre_plan'] });
    expect([made.status, made.data.attributes]).toEqual([
      201,
      { 'enforcement-level': 'advisory', stage: 'post_plan', stages: ['post_plan', 'pre_plan'] },
    ]);
    const again = await attach(workspaceId, task);
    expect([again.status, again.pointers]).toEqual([422, ['/data/relationships/task']]);
    const others = [(await create()).data.id, (await create()).data.id];
    expect((await attach(workspaceId, others[0])).data.attributes.stages).toEqual(['post_plan']);
    expect((await attach(workspaceId, others[1], { stage: 'pre_apply' })).data.attributes.stage).toBe('pre_apply');
    const path = `workspaces/${workspaceId}/tasks`;
    expect(await show(path)).toHaveLength(3);
    const included = await app.get(`tasks/${task}?include=workspace_tasks`, acme.owner.token);
    expect(included.document.included.map(({ id }: Document) => id)).toEqual([made.data.id]);
    const body = bodyOf('workspace-tasks', { 'enforcement-level': 'mandatory', stages: ['pre_plan'] });
    const changed = await app.patch(`${path}/${made.data.id}`, acme.owner.token, body);
    expect(changed.data.attributes).toMatchObject({ 'enforcement-level': 'mandatory', stages: ['pre_plan'] });
    const elsewhere = await app.get(`workspaces/${await workspace(app, acme)}/tasks/${made.data.id}`, acme.owner.token);
    expect(elsewhere.status).toBe(404);
    expect((await app.delete(`${path}/${made.data.id}`, acme.owner.token)).status).toBe(204);
  });

  test('cannot be mandatory after an apply alone, nor of another organization → 422', async () => {
    const [workspaceId, task] = [await workspace(app, acme), (await create()).data.id];
    const late = await attach(workspaceId, task, { 'enforcement-level': 'mandatory', stages: ['post_apply'] });
    expect([late.status, late.pointers]).toEqual([422, ['/data/attributes/enforcement-level']]);
    const both = await attach(workspaceId, task, {
      'enforcement-level': 'mandatory',
      stages: ['pre_apply', 'post_apply'],
    });
    expect(both.status).toBe(201);
    const other = await organization(app);
    const theirs = await app.post(
      `organizations/${other.name}/tasks`,
      other.owner.token,
      bodyOf('tasks', { name: 'theirs', url: hook.url, category: 'task' }),
    );
    const foreign = await attach(workspaceId, theirs.data.id);
    expect([foreign.status, foreign.pointers]).toEqual([422, ['/data/relationships/task']]);
  });
});
