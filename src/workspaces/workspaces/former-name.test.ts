/** §4.3 Former names: an old link finds the workspace that it meant, for those who may read it, and for a while. */

import { beforeAll, expect, test } from 'vitest';
import { useApp } from '../../../test/app.ts';
import { bodyOf, member, organization, type TestOrganization, team } from '../../../test/builders/records.ts';
import { workspace, workspaceAccess } from '../../../test/builders/workspace.ts';
import { limits } from '../../core/limits.ts';

const app = useApp();
let acme: TestOrganization;
beforeAll(async () => {
  acme = await organization(app);
});

const rename = async (id: string, name: string) => {
  const answer = await app.patch(`workspaces/${id}`, acme.owner.token, bodyOf('workspaces', { name }));
  expect(answer.status, answer.text).toBe(200);
};
const former = (name: string, token = acme.owner.token) =>
  app.get(`organizations/${acme.name}/former-workspace-names/${name}`, token);

test('§4.3 a name that was given up leads to the workspace, and the API by the old name stays 404', async () => {
  const id = await workspace(app, acme, { name: 'billing' });
  expect((await former('billing')).status).toBe(404);
  await rename(id, 'invoices');
  await rename(id, 'ledger');
  for (const name of ['billing', 'invoices']) {
    const { data } = await former(name);
    expect([data.id, data.attributes.name, data.links['self-html']]).toEqual([
      id,
      'ledger',
      `/app/${acme.name}/workspaces/ledger`,
    ]);
    expect((await app.get(`organizations/${acme.name}/workspaces/${name}`, acme.owner.token)).status).toBe(404);
  }
  expect((await former('ledger')).status).toBe(404);
});

test('§4.3 of several that had the name the last one counts; a deleted one no more', async () => {
  const [one, two] = [await workspace(app, acme, { name: 'twice' }), await workspace(app, acme)];
  await rename(one, 'once');
  await rename(two, 'twice');
  await rename(two, 'never');
  expect((await former('twice')).data.id).toBe(two);
  await app.delete(`workspaces/${two}`, acme.owner.token);
  expect((await former('twice')).data.id).toBe(one);
  await rename(one, 'twice');
  await rename(one, 'again');
  expect((await former('twice')).data.id).toBe(one);
});

test('§5.5 who may not read the workspace learns nothing of its names, and finds what is theirs', async () => {
  const [hidden, own] = [await workspace(app, acme, { name: 'shared-name' }), await workspace(app, acme)];
  await rename(own, 'unlike');
  const readers = await team(app, acme);
  await workspaceAccess(app, readers, own, 'read');
  const reader = await member(app, acme, readers);
  await rename(hidden, 'moved');
  const missing = await former('no-such-name', reader.token);
  const answer = await former('shared-name', reader.token);
  expect([answer.status, answer.text]).toEqual([404, missing.text]);
  await rename(own, 'shared-name');
  await rename(own, 'mine');
  await rename(hidden, 'shared-name');
  await rename(hidden, 'theirs');
  expect((await former('shared-name', reader.token)).data.id).toBe(own);
});

test('§4.3 after thirty days a name leads nowhere, and the next renaming forgets it', async () => {
  const id = await workspace(app, acme, { name: 'ancient' });
  await rename(id, 'modern');
  await app.store.read`
    update workspace_former_names set renamed_at = now() - ${limits.formerNames_days.value + 1} * interval '1 day' where workspace_former_names.workspace_id = ${id}`;
  expect((await former('ancient')).status).toBe(404);
  await rename(id, 'postmodern');
  const kept = await app.store.read`
    select workspace_former_names.name from workspace_former_names where workspace_former_names.workspace_id = ${id}`;
  expect(kept.map(row => row['name'])).toEqual(['modern']);
});

test('§4.3 a rename that is refused leaves no former name', async () => {
  const id = await workspace(app, acme, { name: 'refused' });
  await workspace(app, acme, { name: 'occupied' });
  const answer = await app.patch(`workspaces/${id}`, acme.owner.token, bodyOf('workspaces', { name: 'occupied' }));
  expect(answer.status).toBe(422);
  expect((await former('refused')).status).toBe(404);
});
