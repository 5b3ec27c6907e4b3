/** §1 Run tasks that are asked in all workspaces of their organization. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Document, useApp } from '../../../test/app.ts';
import { type Receiver, reachable, receiver } from '../../../test/builders/receiver.ts';
import { bodyOf, organization, person, randomName, type TestOrganization } from '../../../test/builders/records.ts';
import { run } from '../../../test/builders/run.ts';
import { runTask, workspaceTask } from '../../../test/builders/run-task.ts';
import { workspace } from '../../../test/builders/workspace.ts';
import { limits } from '../../core/limits.ts';

const app = useApp(reachable);
let hook: Receiver;
beforeAll(async () => {
  hook = await receiver();
});
afterAll(() => hook.close());

const create = (of: TestOrganization, attributes: object) =>
  app.post(
    `organizations/${of.name}/tasks`,
    of.owner.token,
    bodyOf('tasks', { name: randomName('task'), url: hook.url, category: 'task', ...attributes }),
  );
const update = (of: TestOrganization, id: string, configuration: object | null) =>
  app.patch(`tasks/${id}`, of.owner.token, bodyOf('tasks', { 'global-configuration': configuration }));
const configurationOf = ({ data }: Document) => data.attributes['global-configuration'];

/** Of each stage of a run: its name, and its tasks, by their ids, with their levels. */
async function stagesOf(of: TestOrganization, runId: string) {
  const { data, document } = await app.get(`runs/${runId}/task-stages?include=task_results`, of.owner.token);
  const results: Document[] = document.included ?? [];
  return data.map((stage: Document) => [
    stage.attributes.stage,
    ...stage.relationships['task-results'].data
      .map(({ id }: { id: string }) => {
        const { attributes } = results.find(one => one.id === id);
        return [attributes['task-id'], attributes['workspace-task-enforcement-level'], attributes['workspace-task-id']];
      })
      .sort(),
  ]);
}

test('§1 `global-configuration`: off at first; what is left out of a body stays as it was', async () => {
  const acme = await organization(app);
  const made = await create(acme, {});
  expect([made.status, configurationOf(made)]).toEqual([
    201,
    { enabled: false, stages: ['post_plan'], 'enforcement-level': 'advisory' },
  ]);
  const wanted = { enabled: true, stages: ['pre_apply', 'pre_plan'], 'enforcement-level': 'mandatory' };
  expect(configurationOf(await create(acme, { 'global-configuration': wanted }))).toEqual(wanted);
  const { id } = made.data;
  expect(configurationOf(await update(acme, id, wanted))).toEqual(wanted);
  expect(configurationOf(await update(acme, id, { enabled: false }))).toEqual({ ...wanted, enabled: false });
  expect(configurationOf(await update(acme, id, null))).toEqual({ ...wanted, enabled: false });
});

test('§7 what cannot be is refused at its place: an unknown stage, and one after the apply that is mandatory → 422', async () => {
  const acme = await organization(app);
  const { id } = (await create(acme, {})).data;
  const at = '/data/attributes/global-configuration';
  const refused = async (configuration: object) => {
    const { status, pointers } = await update(acme, id, configuration);
    return [status, ...pointers];
  };
  expect(await refused({ stages: ['sometime'] })).toEqual([422, `${at}/stages/0`]);
  expect(await refused({ stages: [] })).toEqual([422, `${at}/stages`]);
  expect(await refused({ everywhere: true })).toEqual([422, at]);
  const late = { stages: ['post_apply'], 'enforcement-level': 'mandatory' };
  expect(await refused(late)).toEqual([422, `${at}/enforcement-level`]);
  expect((await update(acme, id, { 'enforcement-level': 'mandatory' })).status).toBe(200);
  expect(await refused({ stages: ['post_apply'] })).toEqual([422, `${at}/enforcement-level`]);
});

test('§1 runs of every workspace of the organization are shown to it, and of no other; off, or a task that is off, is not asked', async () => {
  const [acme, other] = [await organization(app), await organization(app)];
  const everywhere = {
    global_enabled: true,
    global_stages: ['pre_plan', 'post_plan'],
    global_enforcement_level: 'mandatory',
  };
  const id = await runTask(app, acme, everywhere);
  await runTask(app, acme, { ...everywhere, enabled: false });
  await runTask(app, acme, { ...everywhere, global_enabled: false });
  for (const workspaceId of [await workspace(app, acme), await workspace(app, acme)])
    expect(await stagesOf(acme, await run(app, acme, workspaceId))).toEqual([
      ['pre_plan', [id, 'mandatory', null]],
      ['post_plan', [id, 'mandatory', null]],
    ]);
  expect(await stagesOf(other, await run(app, other, await workspace(app, other)))).toEqual([]);
});

test('§1 a task that the workspace names, too, is asked once a stage, and is mandatory where either says so', async () => {
  const acme = await organization(app);
  const workspaceId = await workspace(app, acme);
  const [own, both] = [await runTask(app, acme), await runTask(app, acme, { global_enabled: true })];
  const named = await workspaceTask(app, workspaceId, both, { enforcement_level: 'mandatory', stages: ['post_plan'] });
  const alone = await workspaceTask(app, workspaceId, own);
  await app.store.read`update run_tasks set global_stages = '{pre_plan,post_plan}' where run_tasks.id = ${both}`;
  expect(await stagesOf(acme, await run(app, acme, workspaceId))).toEqual([
    ['pre_plan', [both, 'advisory', named]],
    [
      'post_plan',
      ...[
        [both, 'mandatory', named],
        [own, 'advisory', alone],
      ].sort(),
    ],
  ]);
});

test('§1 an organization whose feature set has none is shown null, and its runs are shown to none', async () => {
  const acme = await organization(app);
  const { id } = (await create(acme, { 'global-configuration': { enabled: true } })).data;
  const admin = await person(app, { isAdmin: true });
  const entitled = async () =>
    (await app.get(`organizations/${acme.name}/entitlement-set`, acme.owner.token)).data.attributes['global-run-tasks'];
  const give = (set: string) =>
    app.post(`admin/organizations/${acme.name}/subscription`, admin.token, {
      data: { type: 'subscriptions', relationships: { 'feature-set': { data: { type: 'feature-sets', id: set } } } },
    });
  const workspaceId = await workspace(app, acme);
  const seen = async () => [
    await entitled(),
    configurationOf(await app.get(`tasks/${id}`, acme.owner.token))?.enabled,
    (await stagesOf(acme, await run(app, acme, workspaceId))).length,
  ];
  expect(await seen()).toEqual([true, true, 1]);
  expect((await give('fs-free')).status).toBe(200);
  expect(await seen()).toEqual([false, undefined, 0]);
  await give('fs-business');
  expect(await seen()).toEqual([true, true, 1]);
});

test('so many at most, also when two come at once → 422', async () => {
  const acme = await organization(app);
  const most = limits.globalTasks_items.value;
  for (let made = 0; made < most - 1; made += 1) await runTask(app, acme, { global_enabled: true });
  const wanted = { 'global-configuration': { enabled: true } };
  const answers = await Promise.all([create(acme, wanted), create(acme, wanted)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 422]);
  const refused = answers.find(({ status }) => status === 422)!;
  expect(refused.pointers).toEqual(['/data/attributes/global-configuration/enabled']);
  const { id } = answers.find(({ status }) => status === 201)!.data;
  expect((await update(acme, id, { enabled: true })).status).toBe(200);
});
