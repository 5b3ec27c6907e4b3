/** §2.2 and §4.2: the repository of a workspace, and the connection that it is reached by. */
import { beforeAll, describe, expect, test } from 'vitest';
import { useApp } from '../../../test/app.ts';
import { bodyOf, organization, randomName, type TestOrganization } from '../../../test/builders/records.ts';
import { oauthConnection, project, workspace } from '../../../test/builders/workspace.ts';

const app = useApp({ TERRANE_PUBLIC_URL: 'https://terrane.example' });
let acme: TestOrganization;
beforeAll(async () => {
  acme = await organization(app);
});

const link = (tokenId: string) => ({ 'vcs-repo': { identifier: 'acme/network', 'oauth-token-id': tokenId } });
const update = (id: string, attributes: object) =>
  app.patch(`workspaces/${id}`, acme.owner.token, bodyOf('workspaces', attributes));
const create = (attributes: object, projectId = acme.projectId) =>
  app.post(
    `organizations/${acme.name}/workspaces`,
    acme.owner.token,
    bodyOf(
      'workspaces',
      { name: randomName('ws'), ...attributes },
      {
        project: { data: { type: 'projects', id: projectId } },
      },
    ),
  );
const refusal = [422, ['/data/attributes/vcs-repo/oauth-token-id']];

describe('what the connection adds', () => {
  test('§2.2 the name of the client, the provider, and where the repository is; the same from create, show and list', async () => {
    const { clientId, tokenId } = await oauthConnection(app, acme, { name: 'our hub' });
    const created = await create(link(tokenId));
    expect([created.status, created.problems]).toEqual([201, []]);
    expect(created.data.attributes).toMatchObject({
      'oauth-client-name': 'our hub',
      'vcs-repo-identifier': 'acme/network',
      'vcs-repo': {
        identifier: 'acme/network',
        'display-identifier': 'acme/network',
        'oauth-token-id': tokenId,
        'service-provider': 'github',
        'repository-http-url': 'https://github.example/acme/network',
        'webhook-url': `https://terrane.example/webhooks/vcs/${clientId}`,
      },
    });
    expect((await app.get(`workspaces/${created.data.id}`, acme.owner.token)).data).toEqual(created.data);
    const list = await app.get(`organizations/${acme.name}/workspaces`, acme.owner.token);
    expect(list.data).toContainEqual(created.data);
  });

  test('§2.2 a connection without a name shows that of its provider', async () => {
    const { tokenId } = await oauthConnection(app, acme, { service_provider: 'gitlab_hosted' });
    const answer = await create(link(tokenId));
    expect(answer.data.attributes['oauth-client-name']).toBe('GitLab.com');
  });

  test('§2.2 an app installation has no connection, and a workspace without repository shows neither', async () => {
    const id = await workspace(app, acme);
    const installed = await update(id, { 'vcs-repo': { identifier: 'a/b', 'app-installation-id': 'ghain-1' } });
    expect(installed.data.attributes).toMatchObject({
      'oauth-client-name': null,
      'vcs-repo': { 'service-provider': null, 'repository-http-url': null, 'webhook-url': null },
    });
    const removed = await update(id, { 'vcs-repo': null });
    expect(removed.data.attributes).toMatchObject({ 'oauth-client-name': null, 'vcs-repo': null });
  });

  test('showing it takes one statement', async () => {
    const { tokenId } = await oauthConnection(app, acme);
    const { data } = await create(link(tokenId));
    const statements = await app.statementsOf(() => app.get(`workspaces/${data.id}`, acme.owner.token));
    expect(statements).toHaveLength(1);
  });
});

describe('which connection may be named', () => {
  test('§4.2 an unknown token and one of another organization → 422, the same text, and nothing changes', async () => {
    const rival = await organization(app);
    const foreign = await oauthConnection(app, rival);
    const id = await workspace(app, acme);
    const answers = [
      await update(id, link('ot-0000000000000000')),
      await update(id, link(foreign.tokenId)),
      await create(link(foreign.tokenId)),
    ];
    for (const answer of answers) {
      expect([answer.status, answer.pointers]).toEqual(refusal);
      expect(answer.problems).toEqual(answers[0]!.problems);
    }
    expect((await app.get(`workspaces/${id}`, acme.owner.token)).data.attributes['vcs-repo']).toBe(null);
  });

  test('§4.2 a connection that is open to some projects is refused to the others', async () => {
    const open = await project(app, acme);
    const { clientId, tokenId } = await oauthConnection(app, acme, { organization_scoped: false });
    await app.store.read`
      insert into oauth_client_projects (oauth_client_id, project_id) values (${clientId}, ${open})`;
    const refused = await create(link(tokenId));
    expect([refused.status, refused.pointers]).toEqual(refusal);
    const made = await create(link(tokenId), open);
    expect(made.status).toBe(201);
    await app.store.read`
      delete from oauth_client_projects where oauth_client_projects.oauth_client_id = ${clientId}`;
    const kept = await update(made.data.id, { 'vcs-repo': { branch: 'next', 'oauth-token-id': tokenId } });
    expect(kept.data.attributes['vcs-repo']).toMatchObject({ branch: 'next', 'oauth-token-id': tokenId });
  });
});

test('§4.2 a token that is deleted while workspaces are linked by it is named by none of them afterwards', async () => {
  for (let round = 0; round < 5; round += 1) {
    const { clientId, tokenId } = await oauthConnection(app, acme);
    const ids = await Promise.all([1, 2, 3, 4].map(() => workspace(app, acme)));
    const remove = round % 2 === 0 ? `oauth-tokens/${tokenId}` : `oauth-clients/${clientId}`;
    const [removed, ...linked] = await Promise.all([
      app.delete(remove, acme.owner.token),
      ...ids.map(id => update(id, link(tokenId))),
    ]);
    expect(removed!.status).toBe(204);
    for (const { status } of linked) expect([200, 422]).toContain(status);
    const left = await app.store.read`
      select workspaces.id from workspaces where workspaces.vcs_repo ->> 'oauth-token-id' = ${tokenId}`;
    expect(left).toEqual([]);
  }
});
