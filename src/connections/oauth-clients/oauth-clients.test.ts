import { beforeAll, describe, expect, test } from 'vitest';
import { type Answer, pepper, useApp } from '../../../test/app.ts';
import { bodyOf, member, organization, type TestOrganization, team } from '../../../test/builders/records.ts';
import { agentPool, oauthConnection, project, workspace } from '../../../test/builders/workspace.ts';
import { open } from '../../core/store/secrets.ts';
import { repositoryAddress } from '../forges/providers.ts';
import { tokenContext } from '../oauth-tokens/oauth-token.ts';
import { secretContext } from './settings.ts';

const app = useApp();
let acme: TestOrganization;
let owner: string;
beforeAll(async () => {
  acme = await organization(app);
  owner = acme.owner.token;
});

const connection = {
  'service-provider': 'github',
  'http-url': 'https://github.com',
  'api-url': 'https://api.github.com',
};
const create = (attributes: object = {}, relationships?: object, token = owner) =>
  app.post(
    `organizations/${acme.name}/oauth-clients`,
    token,
    bodyOf('oauth-clients', { ...connection, ...attributes }, relationships),
  );
const change = (id: string, attributes: object, relationships?: object, token = owner) =>
  app.patch(`oauth-clients/${id}`, token, bodyOf('oauth-clients', attributes, relationships));
const tokenIds = ({ data }: Answer): string[] =>
  data.relationships['oauth-tokens'].data.map(({ id }: { id: string }) => id);
const projectIds = ({ data }: Answer): string[] => data.relationships.projects.data.map(({ id }: { id: string }) => id);
const toProjects = (...ids: string[]) => ({ projects: { data: ids.map(id => ({ type: 'projects', id })) } });
const stored = async (id: string) => {
  const [row] = await app.store.read`select oauth_clients.* from oauth_clients where oauth_clients.id = ${id}`;
  return row!;
};

describe('create and show', () => {
  test('201 with one token where its text is given; show and list say the same', async () => {
    const answer = await create({ name: 'hub', 'oauth-token-string': 'ghp_secret' });
    expect([answer.status, answer.problems]).toEqual([201, []]);
    expect(answer.data).toMatchObject({
      id: expect.stringMatching(/^oc-/),
      attributes: {
        ...connection,
        name: 'hub',
        'service-provider-display-name': 'GitHub',
        'organization-scoped': true,
        'callback-url': null,
        'connect-path': null,
        key: null,
        'rsa-public-key': null,
      },
      relationships: {
        organization: { data: { type: 'organizations', id: acme.name } },
        'oauth-tokens': { data: [{ type: 'oauth-tokens', id: expect.stringMatching(/^ot-/) }] },
        projects: { data: [] },
        'agent-pool': { data: null },
      },
    });
    expect((await app.get(`oauth-clients/${answer.data.id}`, owner)).data).toEqual(answer.data);
    const list = await app.get(`organizations/${acme.name}/oauth-clients`, owner);
    expect(list.data).toContainEqual(answer.data);
    expect(list.document.meta).toBeUndefined();
    const included = await app.get(`oauth-clients/${answer.data.id}?include=oauth_tokens`, owner);
    expect(included.document.included.map(({ id }: { id: string }) => id)).toEqual(tokenIds(answer));
    expect(tokenIds(await create({ 'oauth-token-string': '' }))).toEqual([]);
  });

  test('the list is paginated where pages are asked for', async () => {
    const home = await organization(app);
    for (let number = 0; number < 3; number += 1) await oauthConnection(app, home);
    const page = await app.get(
      `organizations/${home.name}/oauth-clients?page[size]=2&page[number]=2`,
      home.owner.token,
    );
    expect([page.data.length, page.document.meta.pagination['total-count']]).toEqual([1, 3]);
  });

  test('what is needed is told at once, and so is what a provider does not take', async () => {
    const bare = await app.post(`organizations/${acme.name}/oauth-clients`, owner, bodyOf('oauth-clients', {}));
    expect(bare.pointers.sort()).toEqual(
      ['api-url', 'http-url', 'service-provider'].map(name => `/data/attributes/${name}`),
    );
    const refused: [object, string][] = [
      [{ 'service-provider': 'sourceforge' }, 'service-provider'],
      [{ 'http-url': 'github.com' }, 'http-url'],
      [{ 'api-url': 'ftp://github.com' }, 'api-url'],
      [{ 'http-url': 'ssh://robot@git.example:2222' }, 'http-url'],
      [{ 'private-key': 'a key' }, 'private-key'],
      [{ 'service-provider': 'bitbucket_data_center', key: '' }, 'key'],
    ];
    for (const [attributes, pointer] of refused) {
      const answer = await create(attributes);
      expect([answer.status, answer.pointers]).toEqual([422, [`/data/attributes/${pointer}`]]);
    }
  });

  test('§2.2 vcs-repo: plain git may be reached by ssh, at a port and under a name of its own', async () => {
    const http_url = 'ssh://robot@git.example:2222/srv';
    const { status, data } = await create({ 'service-provider': 'git', 'http-url': http_url });
    expect([status, data.attributes['http-url']]).toEqual([201, http_url]);
  });

  test('an agent pool and projects must be of the organization', async () => {
    const rival = await organization(app);
    const pool = await agentPool(app, acme);
    const named = (id: string) => ({ 'agent-pool': { data: { type: 'agent-pools', id } } });
    expect((await create({}, named(pool))).data.relationships['agent-pool'].data).toEqual({
      type: 'agent-pools',
      id: pool,
    });
    for (const id of [await agentPool(app, rival), '']) {
      const foreign = await create({}, named(id));
      expect([foreign.status, foreign.problems]).toEqual([
        422,
        ['the provided agent pool does not exist or you are not authorized to use it'],
      ]);
    }
    const far = await create({}, toProjects(rival.projectId, acme.projectId));
    expect([far.status, far.pointers]).toEqual([422, ['/data/relationships/projects']]);
    expect(far.problems[0]).toMatch(new RegExp(`${rival.projectId}$`));
  });
});

describe('secrets', () => {
  test('are sealed in the database, and stand neither in answers nor in the audit', async () => {
    const made = await create({
      'service-provider': 'ado_server',
      key: 'a key',
      secret: 'hush-secret',
      'private-key': 'hush-private',
      'oauth-token-string': 'hush-token',
    });
    const { id } = made.data;
    const renewed = await change(id, { secret: 'hush-second', 'oauth-token-string': 'hush-renewed' });
    const [token] = tokenIds(made);
    const keyed = await app.patch(`oauth-tokens/${token}`, owner, bodyOf('oauth-tokens', { 'ssh-key': 'hush-ssh' }));
    const shown = await app.get(`oauth-clients/${id}?include=oauth_tokens`, owner);
    const list = await app.get(`organizations/${acme.name}/oauth-tokens?include=oauth_client`, owner);
    for (const { status, text } of [made, renewed, keyed, shown, list]) {
      expect(status).toBeLessThan(300);
      expect(text).not.toContain('hush');
    }
    expect(made.data.attributes.key).toBe('a key');
    const client = await stored(id);
    const material = { tokenPepper: pepper };
    expect(open(material, client['sealed_secret'], secretContext(id, 'secret'))).toBe('hush-second');
    expect(open(material, client['sealed_private_key'], secretContext(id, 'private-key'))).toBe('hush-private');
    const [row] = await app.store.read`select oauth_tokens.* from oauth_tokens where oauth_tokens.id = ${token!}`;
    expect(open(material, row!['sealed_token'], tokenContext(token!, 'token'))).toBe('hush-renewed');
    expect(open(material, row!['sealed_ssh_key'], tokenContext(token!, 'ssh-key'))).toBe('hush-ssh');
    const events = await app.store.read`
      select audit_events.changes::text from audit_events where audit_events.resource_id in (${id}, ${token!})`;
    expect(events.length).toBe(3);
    expect(JSON.stringify(events)).not.toMatch(/hush|sealed/);
    expect(events.map(({ changes }) => changes).join()).toContain('oauth-token-string changed');
  });
});

describe('update', () => {
  test('what is left out keeps its value; a new text of the token keeps its id', async () => {
    const made = await create({ name: 'first', key: 'k', 'oauth-token-string': 'one' });
    const same = await change(made.data.id, {});
    expect(same.data).toEqual(made.data);
    const renamed = await change(made.data.id, { name: 'second', 'oauth-token-string': 'two' });
    expect(renamed.data).toEqual({ ...made.data, attributes: { ...made.data.attributes, name: 'second' } });
    const unnamed = await change(made.data.id, { name: '', key: '' });
    expect(unnamed.data.attributes).toMatchObject({ name: null, key: null });
    const without = await create();
    expect(tokenIds(await change(without.data.id, { 'oauth-token-string': 'late' }))).toHaveLength(1);
  });

  test('a key cannot be taken from a provider that signs by it', async () => {
    const made = await create({ 'service-provider': 'bitbucket_data_center', key: 'k', 'rsa-public-key': 'public' });
    expect(made.data.attributes).toMatchObject({ key: 'k', 'rsa-public-key': 'public' });
    const refused = await change(made.data.id, { key: '' });
    expect([refused.status, refused.pointers]).toEqual([422, ['/data/attributes/key']]);
  });

  test('projects are replaced by an update, and added and removed in lists', async () => {
    const [one, two] = [await project(app, acme), await project(app, acme)];
    const made = await create({ 'organization-scoped': false }, toProjects(one));
    expect(projectIds(made)).toEqual([one]);
    expect(projectIds(await change(made.data.id, {}, toProjects(two)))).toEqual([two]);
    expect(projectIds(await change(made.data.id, { name: 'kept' }))).toEqual([two]);
    const list = (...ids: string[]) => ({ data: ids.map(id => ({ type: 'projects', id })) });
    const path = `oauth-clients/${made.data.id}/relationships/projects`;
    expect((await app.post(path, owner, list(one, two))).status).toBe(204);
    const shown = async () => projectIds(await app.get(`oauth-clients/${made.data.id}`, owner));
    expect(await shown()).toEqual([one, two].sort());
    expect((await app.delete(path, owner, list(two))).status).toBe(204);
    expect(await shown()).toEqual([one]);
    expect((await app.post(path, owner, list(two, 'prj-none'))).status).toBe(404);
    expect(await shown()).toEqual([one]);
    expect(projectIds(await change(made.data.id, {}, toProjects()))).toEqual([]);
  });
});

describe('delete', () => {
  test('204; its tokens go, and the workspaces that used them are left without a repository', async () => {
    const { clientId, tokenId } = await oauthConnection(app, acme);
    const repository = { branch: '', identifier: 'a/b', 'oauth-token-id': tokenId, 'app-installation-id': null };
    const id = await workspace(app, acme, {
      vcs_repo: { ...repository, 'ingress-submodules': false, 'tags-regex': null },
    });
    expect((await app.get(`workspaces/${id}`, owner)).data.attributes['vcs-repo-identifier']).toBe('a/b');
    const deleted = await app.delete(`oauth-clients/${clientId}`, owner);
    expect(deleted.status).toBe(204);
    expect((await app.get(`oauth-tokens/${tokenId}`, owner)).status).toBe(404);
    expect((await app.get(`workspaces/${id}`, owner)).data.attributes['vcs-repo']).toBe(null);
    const [event] = await app.store.read`
      select audit_events.changes from audit_events where audit_events.resource_id = ${clientId}`;
    expect(event!['changes']).toEqual({ 'oauth-tokens': [tokenId], 'unlinked-workspaces': [id] });
  });

  test('a project with a connection of its own can go', async () => {
    const one = await project(app, acme);
    const made = await create({ 'organization-scoped': false }, toProjects(one));
    expect((await app.delete(`projects/${one}`, owner)).status).toBe(204);
    expect(projectIds(await app.get(`oauth-clients/${made.data.id}`, owner))).toEqual([]);
  });
});

describe('who may do what', () => {
  test('§5 who manages VCS settings manages connections, who manages workspaces chooses, others see nothing', async () => {
    const { clientId } = await oauthConnection(app, acme);
    const keeper = await member(app, acme, await team(app, acme, { access: { 'manage-vcs-settings': true } }));
    const access = { 'manage-workspaces': true, 'read-workspaces': true };
    const maker = await member(app, acme, await team(app, acme, { access }));
    const attempts = async (token: string) => {
      const answers = [
        await app.get(`organizations/${acme.name}/oauth-clients`, token),
        await app.get(`oauth-clients/${clientId}`, token),
        await create({}, undefined, token),
        await change(clientId, { name: 'x' }, undefined, token),
      ];
      return answers.map(({ status }) => status);
    };
    expect(await attempts(keeper.token)).toEqual([200, 200, 201, 200]);
    expect(await attempts(maker.token)).toEqual([200, 200, 404, 404]);
    expect(await attempts((await member(app, acme)).token)).toEqual([404, 404, 404, 404]);
    expect(await attempts((await organization(app)).owner.token)).toEqual([404, 404, 404, 404]);
  });

  test('§5 projects that the caller does not see are neither shown nor taken away', async () => {
    const hidden = await project(app, acme);
    const made = await create({ 'organization-scoped': false }, toProjects(hidden));
    const keeper = await member(app, acme, await team(app, acme, { access: { 'manage-vcs-settings': true } }));
    expect(projectIds(await change(made.data.id, {}, toProjects(), keeper.token))).toEqual([]);
    expect(projectIds(await app.get(`oauth-clients/${made.data.id}`, owner))).toEqual([hidden]);
  });
});

test('§2.2 the address of a repository, by the kind of provider', () => {
  expect(repositoryAddress('github', 'https://github.com/', 'acme/net')).toBe('https://github.com/acme/net');
  expect(repositoryAddress('bitbucket_server', 'https://b.example', 'ACME/net')).toBe(
    'https://b.example/projects/ACME/repos/net',
  );
  expect(repositoryAddress('ado_services', 'https://dev.azure.com', 'acme/app/_git/net')).toBe(
    'https://dev.azure.com/acme/app/_git/net',
  );
});
