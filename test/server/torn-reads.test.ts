/** What is read in two looks, and changes between them. */
import { expect, test } from 'vitest';
import { useApp } from '../app.ts';
import { bodyOf, organization } from '../builders/records.ts';
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

async function waiting(): Promise<number> {
  const rows = await app.store.search`
    select pg_stat_activity.pid from pg_stat_activity
    where pg_stat_activity.datname = current_database() and pg_stat_activity.wait_event_type = 'Lock'`;
  return rows.length;
}
