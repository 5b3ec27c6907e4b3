/** §4.2 What an applied run begins in the workspaces that name its own as their source. */
import { beforeAll, expect, test } from 'vitest';
import { type Document, useApp } from '../../../test/app.ts';
import { signedIn, type TestAgent } from '../../../test/builders/agent.ts';
import { bodyOf, organization, type TestOrganization } from '../../../test/builders/records.ts';
import { configurationVersion, run } from '../../../test/builders/run.ts';
import { runTrigger, workspace } from '../../../test/builders/workspace.ts';
import { fireTriggers } from './fire.ts';

const app = useApp();
let acme: TestOrganization;
let agent: TestAgent;
beforeAll(async () => {
  acme = await organization(app);
  agent = await signedIn(app);
});

const runsIn = async (id: string): Promise<Document[]> =>
  (await app.get(`workspaces/${id}/runs`, acme.owner.token)).data;

/** Plans and applies whatever is queued. */
async function work(): Promise<void> {
  for (let job = await agent.claim(); job; job = await agent.claim()) {
    await job.start();
    await job.finish({ outcome: 'finished', has_changes: true });
  }
}

test('§4.2 a run is begun in each target, once, and applied only where the workspace says so', async () => {
  const [source, asks, applies] = [await workspace(app, acme), await workspace(app, acme), await workspace(app, acme)];
  const without = await workspace(app, acme);
  await app.patch(`workspaces/${asks}`, acme.owner.token, bodyOf('workspaces', { 'auto-apply': true }));
  await app.patch(`workspaces/${applies}`, acme.owner.token, bodyOf('workspaces', { 'auto-apply-run-trigger': true }));
  for (const target of [asks, applies, without]) await runTrigger(app, target, source);
  for (const target of [asks, applies]) await configurationVersion(app, acme, target);
  const first = await run(app, acme, source, { auto_apply: true });
  await work();
  const fired = await Promise.all([fireTriggers(app.store, app.config), fireTriggers(app.store, app.config)]);
  expect(fired.flat()).toHaveLength(2);
  const [[asked], [applied], none] = [await runsIn(asks), await runsIn(applies), await runsIn(without)];
  expect([asked.attributes['auto-apply'], applied.attributes['auto-apply'], none]).toEqual([false, true, []]);
  expect(asked.attributes).toMatchObject({
    source: 'tfe-run-trigger',
    message: expect.stringContaining(first),
  });
  await work();
  expect((await runsIn(applies))[0].attributes.status).toBe('applied');
  expect(await fireTriggers(app.store, app.config)).toEqual([]);
});

test('§4.2 a run that errs, or has nothing to apply, begins none', async () => {
  const [source, target] = [await workspace(app, acme), await workspace(app, acme)];
  await runTrigger(app, target, source);
  await configurationVersion(app, acme, target);
  for (const report of [{ outcome: 'errored' }, { outcome: 'finished', has_changes: false }] as const) {
    await run(app, acme, source);
    const job = (await agent.claim())!;
    await job.start();
    await job.finish(report);
  }
  expect(await fireTriggers(app.store, app.config)).toEqual([]);
});

test('§4.2 two workspaces that trigger each other come to rest', async () => {
  const [one, other] = [await workspace(app, acme), await workspace(app, acme)];
  for (const id of [one, other]) {
    await app.patch(`workspaces/${id}`, acme.owner.token, bodyOf('workspaces', { 'auto-apply-run-trigger': true }));
    await configurationVersion(app, acme, id);
  }
  await runTrigger(app, one, other);
  await runTrigger(app, other, one);
  await run(app, acme, one, { auto_apply: true });
  let fired = 0;
  for (let round = 0; round < 30; round += 1) {
    await work();
    fired += (await fireTriggers(app.store, app.config)).length;
  }
  expect(fired).toBe(10);
});
