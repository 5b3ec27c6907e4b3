/** What is read in two looks, and changes between them. */
import { expect, test } from 'vitest';
import { useApp } from '../app.ts';
import { bodyOf, organization } from '../builders/records.ts';
import { stateClient, stateOf } from '../builders/state.ts';
import { workspace } from '../builders/workspace.ts';
import { holdTransaction } from '../running/held.ts';

const app = useApp();

test('a list below a workspace that is deleted while it is read → 404, not an empty list', async () => {
  const acme = await organization(app);
  const id = await workspace(app, acme);
  const path = `workspaces/${id}/vars`;
  await app.post(path, acme.owner.token, bodyOf('vars', { key: 'one', category: 'terraform' }));
  // Read before, and so kept: only its revision is asked for, which no variable is needed for.
  await app.get(`workspaces/${id}`, acme.owner.token);
  const held = await holdTransaction(app.store);
  await held.sql`lock table variables in access exclusive mode`;
  const asked = app.get(path, acme.owner.token);
  // The workspace was found; its variables are waited for.
  await expect.poll(waiting).toBe(1);
  await held.sql`delete from workspaces where workspaces.id = ${id}`;
  await held.release();
  expect((await asked).status).toBe(404);
});

test('§1 what a state has is listed with its total in one statement: both are of one moment', async () => {
  const acme = await organization(app);
  const name = 'listed';
  const id = await workspace(app, acme, { name });
  const client = stateClient(app, id, acme.owner.token);
  await client.lock();
  const { data } = await client.push(stateOf({ resources: 3, outputs: { a: { value: 1, type: 'number' } } }));
  const of = `filter[organization][name]=${acme.name}&filter[workspace][name]=${name}`;
  for (const path of [
    `workspaces/${id}/resources`,
    `state-versions/${data.id}/outputs`,
    `workspaces/${id}/current-state-version-outputs`,
    `state-versions?${of}`,
  ]) {
    const statements = await app.statementsOf(async () => {
      const list = await app.get(path, acme.owner.token);
      expect(list.document.meta.pagination['total-count']).toBe(list.data.length);
    });
    expect(statements.filter(text => /\blimit\b.*\boffset\b/s.test(text))).toEqual([
      expect.stringContaining('count(*) as total'),
    ]);
  }
});

async function waiting(): Promise<number> {
  const rows = await app.store.search`
    select pg_stat_activity.pid from pg_stat_activity
    where pg_stat_activity.datname = current_database() and pg_stat_activity.wait_event_type = 'Lock'`;
  return rows.length;
}
