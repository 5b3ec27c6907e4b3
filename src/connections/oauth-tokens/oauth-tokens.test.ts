import { beforeAll, expect, test } from 'vitest';
import { useApp } from '../../../test/app.ts';
import { bodyOf, member, organization, type TestOrganization, team } from '../../../test/builders/records.ts';
import { oauthConnection, workspace } from '../../../test/builders/workspace.ts';

const app = useApp();
let acme: TestOrganization;
let owner: string;
beforeAll(async () => {
  acme = await organization(app);
  owner = acme.owner.token;
});

const ids = (data: { id: string }[]) => data.map(({ id }) => id);

test('§4.2 tokens are listed for the organization and for a connection, and shown', async () => {
  const home = await organization(app);
  const one = await oauthConnection(app, home);
  const two = await oauthConnection(app, home);
  const { token } = home.owner;
  const list = await app.get(`organizations/${home.name}/oauth-tokens`, token);
  expect(ids(list.data).sort()).toEqual([one.tokenId, two.tokenId].sort());
  expect(list.document.meta).toBeUndefined();
  const page = await app.get(`organizations/${home.name}/oauth-tokens?page[size]=1`, token);
  expect([page.data.length, page.document.meta.pagination['total-count']]).toEqual([1, 2]);
  expect(ids((await app.get(`oauth-clients/${two.clientId}/oauth-tokens`, token)).data)).toEqual([two.tokenId]);
  const shown = await app.get(`oauth-tokens/${one.tokenId}`, token);
  expect(shown.data).toMatchObject({
    id: one.tokenId,
    attributes: { 'has-ssh-key': false, 'service-provider-user': '' },
    relationships: { 'oauth-client': { data: { type: 'oauth-clients', id: one.clientId } } },
  });
  expect(list.data).toContainEqual(shown.data);
});

test('a private key is given and taken away', async () => {
  const { tokenId } = await oauthConnection(app, acme);
  const update = (attributes: object) =>
    app.patch(`oauth-tokens/${tokenId}`, owner, bodyOf('oauth-tokens', attributes));
  expect((await update({ 'ssh-key': 'a key' })).data.attributes['has-ssh-key']).toBe(true);
  expect((await update({})).data.attributes['has-ssh-key']).toBe(true);
  expect((await update({ 'ssh-key': null })).data.attributes['has-ssh-key']).toBe(false);
  expect((await update({ 'ssh-key': 5 })).pointers).toEqual(['/data/attributes/ssh-key']);
});

test('§4.2 a delete leaves workspaces that used the token without a repository', async () => {
  const { clientId, tokenId } = await oauthConnection(app, acme);
  const id = await workspace(app, acme);
  const link = { identifier: 'acme/network', 'oauth-token-id': tokenId };
  const linked = await app.patch(`workspaces/${id}`, owner, bodyOf('workspaces', { 'vcs-repo': link }));
  expect(linked.data.attributes['vcs-repo']).toMatchObject(link);
  expect((await app.delete(`oauth-tokens/${tokenId}`, owner)).status).toBe(204);
  expect((await app.get(`workspaces/${id}`, owner)).data.attributes['vcs-repo']).toBe(null);
  expect((await app.get(`oauth-clients/${clientId}`, owner)).data.relationships['oauth-tokens'].data).toEqual([]);
});

test('§5 tokens are for those who may see their connection', async () => {
  const { tokenId } = await oauthConnection(app, acme);
  const keeper = await member(app, acme, await team(app, acme, { access: { 'manage-vcs-settings': true } }));
  const someone = await member(app, acme);
  const outsider = (await organization(app)).owner;
  const attempts = async (token: string) => [
    (await app.get(`oauth-tokens/${tokenId}`, token)).status,
    (await app.patch(`oauth-tokens/${tokenId}`, token, bodyOf('oauth-tokens', {}))).status,
    (await app.get(`organizations/${acme.name}/oauth-tokens`, token)).status,
  ];
  expect(await attempts(keeper.token)).toEqual([200, 200, 200]);
  expect(await attempts(someone.token)).toEqual([404, 404, 404]);
  expect(await attempts(outsider.token)).toEqual([404, 404, 404]);
  expect((await app.delete(`oauth-tokens/${tokenId}`, someone.token)).status).toBe(404);
});
