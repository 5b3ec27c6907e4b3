import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { useApp } from '../../../test/app.ts';
import { bodyOf, member, organization, type TestOrganization, team } from '../../../test/builders/records.ts';
import { workspace, workspaceAccess } from '../../../test/builders/workspace.ts';

const app = useApp();
let acme: TestOrganization;
let id: string;
let keyId: string;
beforeAll(async () => {
  acme = await organization(app);
  keyId = await sshKey(acme, 'deploy');
});
beforeEach(async () => {
  id = await workspace(app, acme);
});

async function sshKey(of: TestOrganization, name: string): Promise<string> {
  const body = bodyOf('ssh-keys', { name, value: 'a private key' });
  return (await app.post(`organizations/${of.name}/ssh-keys`, of.owner.token, body)).data.id;
}

const byAttribute = (key: string | null) => ({ data: { type: 'workspaces', attributes: { id: key } } });
const byIdentifier = (key: string | null) => ({ data: key === null ? null : { type: 'ssh-keys', id: key } });
const assign = (body: unknown, token = acme.owner.token) =>
  app.patch(`workspaces/${id}/relationships/ssh-key`, token, body);
const assigned = async () => (await app.get(`workspaces/${id}`, acme.owner.token)).data.relationships['ssh-key'].data;

describe.each([
  ['workspaces and an attribute', byAttribute],
  ['an identifier of ssh-keys', byIdentifier],
])('a body of %s', (_form, body) => {
  test('§4.4 assigns the key, and takes it away: 200 with the workspace', async () => {
    const given = await assign(body(keyId));
    expect([given.status, given.data.id, given.data.type]).toEqual([200, id, 'workspaces']);
    const key = { data: { type: 'ssh-keys', id: keyId }, links: { related: `/api/v2/ssh-keys/${keyId}` } };
    expect(given.data.relationships['ssh-key']).toEqual(key);
    expect(given.data).toEqual((await app.get(`workspaces/${id}`, acme.owner.token)).data);
    const taken = await assign(body(null));
    expect([taken.status, taken.data.relationships['ssh-key']]).toEqual([200, { data: null }]);
    expect((await assign(body(null))).status).toBe(200);
  });

  test('§4.4 an unknown key, or one of another organization → 404, and the key stays', async () => {
    await assign(body(keyId));
    const rival = await organization(app);
    const missing = await assign(body('sshkey-0000000000000000'));
    const foreign = await assign(body(await sshKey(rival, 'theirs')));
    expect([missing.status, foreign.status, foreign.text]).toEqual([404, 404, missing.text]);
    expect((await assigned()).id).toBe(keyId);
  });
});

test.each([
  ['nothing', undefined, ''],
  ['no data', {}, '/data'],
  ['no attributes', { data: { type: 'workspaces' } }, '/data/attributes'],
  ['no id among the attributes', { data: { type: 'workspaces', attributes: {} } }, '/data/attributes/id'],
  ['a number for the id', { data: { type: 'workspaces', attributes: { id: 7 } } }, '/data/attributes/id'],
  ['an identifier without an id', { data: { type: 'ssh-keys' } }, '/data/id'],
  ['another type', { data: { type: 'keys', attributes: { id: null } } }, '/data/type'],
])('§4.4 %s → 422 at its place', async (_what, body, pointer) => {
  const answer = await assign(body);
  expect(answer.status).toBe(422);
  expect(answer.pointers).toContain(pointer);
});

test('§5.4 takes admin permission on the workspace: write gets the 404 of a missing one', async () => {
  const [admins, writers] = [await team(app, acme), await team(app, acme)];
  await workspaceAccess(app, admins, id, 'admin');
  await workspaceAccess(app, writers, id, 'write');
  const writer = await member(app, acme, writers);
  const refused = await assign(byAttribute(keyId), writer.token);
  const missing = await app.patch(
    'workspaces/ws-0000000000000000/relationships/ssh-key',
    writer.token,
    byAttribute(keyId),
  );
  expect([refused.status, refused.text]).toEqual([404, missing.text]);
  expect(await assigned()).toBe(null);
  expect((await assign(byAttribute(keyId), (await member(app, acme, admins)).token)).status).toBe(200);
});

test('§4.4 a key that is deleted is assigned nowhere; deleted while it is assigned, it answers 200 or 404', async () => {
  const going = await sshKey(acme, 'going');
  await assign(byAttribute(going));
  expect((await app.delete(`ssh-keys/${going}`, acme.owner.token)).status).toBe(204);
  expect(await assigned()).toBe(null);
  for (let round = 0; round < 6; round += 1) {
    const raced = await sshKey(acme, `raced-${round}`);
    const [given, deleted] = await Promise.all([
      assign(byIdentifier(raced)),
      app.delete(`ssh-keys/${raced}`, acme.owner.token),
    ]);
    expect(deleted.status).toBe(204);
    expect([200, 404]).toContain(given.status);
    expect(await assigned()).toBe(null);
  }
});
