/** §2.2 Saved plans age out. */

import { beforeAll, expect, test } from 'vitest';
import { useApp } from '../../../test/app.ts';
import { organization, type TestOrganization } from '../../../test/builders/records.ts';
import { move, run } from '../../../test/builders/run.ts';
import { workspace } from '../../../test/builders/workspace.ts';
import { limits } from '../../core/limits.ts';
import { discardAgedPlans } from './aging.ts';

const app = useApp();
let acme: TestOrganization;

beforeAll(async () => {
  acme = await organization(app);
});

const statusOf = async (id: string) => (await app.get(`runs/${id}`, acme.owner.token)).data.attributes.status;

async function savedPlan(workspaceId: string, age: string): Promise<string> {
  const id = await run(app, acme, workspaceId, { save_plan: true });
  await move(app, id, 'planning', 'planned_and_saved');
  await app.store.read`
    update runs set created_at = runs.created_at - ${age}::text::interval where runs.id = ${id}`;
  return id;
}

test('§2.2 a saved plan that nobody applied within four weeks is discarded once, says why, and keeps nothing', async () => {
  const workspaceId = await workspace(app, acme);
  const days = limits.savedPlan_days.value;
  const [old, young] = [
    await savedPlan(workspaceId, `${days + 1} days`),
    await savedPlan(workspaceId, `${days - 1} days`),
  ];
  const discarded = await Promise.all([discardAgedPlans(app.store), discardAgedPlans(app.store)]);
  expect(discarded.flat()).toEqual([old]);
  expect([await statusOf(old), await statusOf(young)]).toEqual(['discarded', 'planned_and_saved']);
  const events = (await app.get(`runs/${old}/run-events`, acme.owner.token)).data;
  const aged = events.filter((one: { attributes: { action: string } }) => one.attributes.action === 'plan_aged');
  expect(aged[0].attributes.description).toContain('28 days');
  const [kept] = await app.store.read`select runs.sealed_variables from runs where runs.id = ${old}`;
  expect(kept!['sealed_variables']).toBe(null);
  expect((await app.post(`runs/${old}/actions/apply`, acme.owner.token)).status).toBe(409);
});
