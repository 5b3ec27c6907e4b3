import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Document, useApp } from '../../../test/app.ts';
import { bodyOf, member, organization, type TestOrganization, team } from '../../../test/builders/records.ts';
import {
  binding,
  oauthConnection,
  project,
  projectAccess,
  workspace,
  workspaceAccess,
} from '../../../test/builders/workspace.ts';
import { limits } from '../../core/limits.ts';

const app = useApp();
let acme: TestOrganization;
let id: string;
beforeAll(async () => {
  acme = await organization(app);
});
beforeEach(async () => {
  id = await workspace(app, acme);
});

const update = (attributes: object, relationships?: object, token = acme.owner.token) =>
  app.patch(`workspaces/${id}`, token, bodyOf('workspaces', attributes, relationships));
const shown = async (): Promise<Document> => (await app.get(`workspaces/${id}`, acme.owner.token)).data;

describe('attributes', () => {
  test('§4.2 what the body leaves out keeps its value; null clears what may be null', async () => {
    const settings = {
      description: 'the network',
      'auto-apply': true,
      'trigger-prefixes': ['modules', 'with "quotes", commas \\ and {braces}'],
      'working-directory': 'live/prod',
      'auto-destroy-at': '2030-01-02T03:04:05.060Z',
    };
    expect((await update(settings)).data.attributes).toMatchObject(settings);
    const before = await shown();
    const after = (await update({ description: null })).data;
    expect(after.attributes).toEqual({
      ...before.attributes,
      description: null,
      'updated-at': after.attributes['updated-at'],
    });
    expect((await update({ 'auto-destroy-at': null })).data.attributes['auto-destroy-at']).toBe(null);
  });

  test('§4.2 update by name is update by id, and a new name is the new address', async () => {
    const { name } = (await shown()).attributes;
    const address = `organizations/${acme.name}/workspaces`;
    const renamed = await app.patch(
      `${address}/${name}`,
      acme.owner.token,
      bodyOf('workspaces', { name: `${name}-2` }),
    );
    expect(renamed.data.id).toBe(id);
    expect(renamed.data.links.self).toBe(`/api/v2/${address}/${name}-2`);
    expect((await app.get(`${address}/${name}`, acme.owner.token)).status).toBe(404);
    expect((await app.get(`${address}/${name}-2`, acme.owner.token)).data.id).toBe(id);
  });

  test('§2.2 a name is unique in the organization, on create and on update', async () => {
    await workspace(app, acme, { name: 'taken' });
    for (const answer of [
      await update({ name: 'taken' }),
      await app.post(
        `organizations/${acme.name}/workspaces`,
        acme.owner.token,
        bodyOf('workspaces', { name: 'taken' }),
      ),
    ]) {
      expect(answer.status).toBe(422);
      expect([answer.problems, answer.pointers]).toEqual([['Name has already been taken'], ['/data/attributes/name']]);
    }
  });

  const refused: [string, object, string][] = [
    ['a name with a space', { name: 'a b' }, 'name'],
    ['a name of 10,000 characters', { name: 'x'.repeat(10_000) }, 'name'],
    ['a null name', { name: null }, 'name'],
    [
      '§8 auto-destroy-activity-duration/form: five digits',
      { 'auto-destroy-activity-duration': '12345d' },
      'auto-destroy-activity-duration',
    ],
    ['§8 a duration of zero', { 'auto-destroy-activity-duration': '0h' }, 'auto-destroy-activity-duration'],
    ['§8 a duration in minutes', { 'auto-destroy-activity-duration': '20m' }, 'auto-destroy-activity-duration'],
    ['a time that is none', { 'auto-destroy-at': 'tomorrow' }, 'auto-destroy-at'],
    ['an unknown engine version', { 'engine-version': 'nonexisting' }, 'engine-version'],
    ['an unknown engine version under its other name', { 'terraform-version': '99.0.0' }, 'engine-version'],
    ['an absolute working directory', { 'working-directory': '/etc' }, 'working-directory'],
    ['a working directory outside', { 'working-directory': 'a/../../b' }, 'working-directory'],
    ['patterns that are not text', { 'trigger-patterns': [1] }, 'trigger-patterns/0'],
    ['a repository without a token', { 'vcs-repo': { identifier: 'a/b' } }, 'vcs-repo/oauth-token-id'],
    ['both lists of triggers', { 'trigger-prefixes': ['a'], 'trigger-patterns': ['b'] }, 'trigger-patterns'],
    [
      'an expression of more than 256 characters',
      {
        'vcs-repo': {
          identifier: 'a/b',
          'oauth-token-id': 'ot-1',
          'tags-regex': 'v'.repeat(limits.tagsRegex_characters.value + 1),
        },
      },
      'vcs-repo/tags-regex',
    ],
    ['an unknown execution mode', { 'execution-mode': 'cloud' }, 'execution-mode'],
    ['a source url of another kind', { 'source-url': 'javascript:alert(1)' }, 'source-url'],
    [
      'project sharing beside global',
      { 'project-remote-state': true, 'global-remote-state': true },
      'project-remote-state',
    ],
  ];
  test.each(refused)('§4.2 %s → 422 that points at it, and nothing changes', async (_name, attributes, pointer) => {
    const before = await shown();
    const answer = await update({ 'auto-apply': true, ...attributes });
    expect([answer.status, answer.pointers]).toEqual([422, [`/data/attributes/${pointer}`]]);
    expect(await shown()).toEqual(before);
  });

  test('§7 all faults of one body in one answer', async () => {
    const answer = await update({
      name: '',
      'auto-apply': 'yes',
      operations: true,
      'execution-mode': 'local',
      'vcs-repo': { branch: 'next' },
    });
    expect(answer.pointers.sort()).toEqual([
      '/data/attributes/auto-apply',
      '/data/attributes/name',
      '/data/attributes/operations',
      '/data/attributes/vcs-repo/identifier',
      '/data/attributes/vcs-repo/oauth-token-id',
    ]);
  });

  const accepted: [string, object, object][] = [
    ['an exact version', { 'engine-version': '1.5.0' }, { 'engine-version': '1.5.0', 'terraform-version': '1.5.0' }],
    ['a constraint', { 'engine-version': '~> 1.5' }, { 'engine-version': '~> 1.5' }],
    ['two constraints', { 'terraform-version': '>= 1.2, < 2.0' }, { 'engine-version': '>= 1.2, < 2.0' }],
    ['latest', { 'engine-version': 'latest' }, { 'engine-version': 'latest' }],
    [
      'an unknown attribute',
      { 'can-fly': true, locked: true, 'resource-count': 5 },
      { locked: false, 'resource-count': 0 },
    ],
    ['§8 a duration', { 'auto-destroy-activity-duration': '9999h' }, { 'auto-destroy-activity-duration': '9999h' }],
  ];
  test.each(accepted)('§4.2 %s is accepted', async (_name, attributes, after) => {
    const answer = await update(attributes);
    expect(answer.problems).toEqual([]);
    expect(answer.data.attributes).toMatchObject(after);
  });

  test('§4.2 a repository is linked, modified in part, and removed by null', async () => {
    const { tokenId } = await oauthConnection(app, acme);
    const link = { identifier: 'acme/network', 'oauth-token-id': tokenId };
    expect((await update({ 'vcs-repo': link })).data.attributes).toMatchObject({
      'vcs-repo': { ...link, branch: '', 'ingress-submodules': false, 'tags-regex': null },
      'vcs-repo-identifier': 'acme/network',
    });
    const modified = await update({ 'vcs-repo': { branch: 'next', 'ingress-submodules': true } });
    expect(modified.data.attributes['vcs-repo']).toMatchObject({ ...link, branch: 'next', 'ingress-submodules': true });
    expect((await update({ 'vcs-repo': null })).data.attributes['vcs-repo']).toBe(null);
  });

  test('§4.2 an empty text for the app installation is none: clients send it with every update', async () => {
    const { tokenId } = await oauthConnection(app, acme);
    const link = { identifier: 'acme/network', 'oauth-token-id': tokenId };
    await update({ 'vcs-repo': link });
    const repository = { ...link, branch: 'next', 'github-app-installation-id': '', 'app-installation-id': '' };
    const answer = await update({ description: 'changed', 'vcs-repo': repository });
    expect(answer.problems).toEqual([]);
    expect(answer.data.attributes['vcs-repo']).toMatchObject({ ...link, branch: 'next', 'app-installation-id': null });
  });

  test('§4.2 giving one list of triggers takes the other away, also an empty one', async () => {
    const lists = ({ data }: { data: Document }) => [
      data.attributes['trigger-prefixes'],
      data.attributes['trigger-patterns'],
    ];
    expect(lists(await update({ 'trigger-prefixes': ['modules'] }))).toEqual([['modules'], []]);
    expect(lists(await update({ 'trigger-patterns': ['**/*.tf'] }))).toEqual([[], ['**/*.tf']]);
    expect(lists(await update({ 'auto-apply': true }))).toEqual([[], ['**/*.tf']]);
    expect(lists(await update({ 'trigger-prefixes': ['live'] }))).toEqual([['live'], []]);
    expect(lists(await update({ 'trigger-patterns': [] }))).toEqual([[], []]);
    expect(lists(await update({ 'trigger-prefixes': ['live'], 'trigger-patterns': [] }))).toEqual([['live'], []]);
  });

  test('§4.2 patterns without file triggers → 422 in the words that clients look for, whichever comes second', async () => {
    const reason = "'trigger_patterns' cannot be populated when 'file_triggers_enabled' is set to false.";
    const refusal = [422, [reason], ['/data/attributes/trigger-patterns']];
    const asked = async (attributes: object) => {
      const { status, problems, pointers } = await update(attributes);
      return status === 200 ? 200 : [status, problems, pointers];
    };
    expect(await asked({ 'trigger-patterns': ['a'], 'file-triggers-enabled': false })).toEqual(refusal);
    expect(await asked({ 'trigger-patterns': ['a'] })).toBe(200);
    expect(await asked({ 'file-triggers-enabled': false })).toEqual(refusal);
    expect(await asked({ 'trigger-prefixes': ['a'], 'file-triggers-enabled': false })).toBe(200);
    expect(await asked({ 'trigger-patterns': ['a'] })).toEqual(refusal);
    expect(await asked({ 'trigger-patterns': [], description: 'no more' })).toBe(200);
  });

  test('§2.2 a workspace follows its project to destroy itself, until it says otherwise', async () => {
    const expiring = await project(app, acme, { auto_destroy_activity_duration: '14d' });
    id = await workspace(app, acme, { project_id: expiring });
    const fields = ({ attributes }: Document) => [
      attributes['auto-destroy-activity-duration'],
      attributes['inherits-project-auto-destroy'],
      attributes['auto-destroy-at'],
    ];
    expect(fields(await shown())).toEqual(['14d', true, null]);
    expect(fields((await update({ 'auto-destroy-activity-duration': '2h' })).data)).toEqual(['2h', false, null]);
    expect(fields((await update({ 'inherits-project-auto-destroy': true })).data)).toEqual(['14d', true, null]);
    const at = '2031-01-01T00:00:00.000Z';
    expect(fields((await update({ 'auto-destroy-at': at })).data)).toEqual([null, false, at]);
    await update({ 'auto-destroy-at': null, 'auto-destroy-activity-duration': '5d' });
    expect(fields((await update({ 'auto-destroy-at': at })).data)).toEqual([null, false, at]);
    expect(fields((await update({ 'auto-destroy-at': null })).data)).toEqual(['14d', true, null]);
    await update({ 'auto-destroy-activity-duration': '5d' });
    expect(fields((await update({ 'auto-destroy-at': null })).data)).toEqual(['14d', true, null]);
  });
});

describe('relationships', () => {
  const bindings = (...given: object[]) => ({
    'tag-bindings': { data: given.map(attributes => ({ type: 'tag-bindings', attributes })) },
  });
  const stored = async () =>
    (
      await app.store.read`
      select key, value from workspace_tag_bindings where workspace_id = ${id} order by key`
    ).map(row => ({ ...row }));

  test('§4.6 tag bindings in an update replace those that are bound, and an empty list clears them', async () => {
    await binding(app, acme, { workspaceId: id }, 'old', 'x');
    expect((await update({}, bindings({ key: 'env', value: 'prod' }, { key: 'alone' }))).problems).toEqual([]);
    expect(await stored()).toEqual([
      { key: 'alone', value: '' },
      { key: 'env', value: 'prod' },
    ]);
    await update({}, bindings());
    expect(await stored()).toEqual([]);
  });

  test('§8 tag-bindings/direct: an eleventh tag binding → 422, and none is bound', async () => {
    const eleven = Array.from({ length: 11 }, (_, position) => ({ key: `k${position}` }));
    const answer = await update({ 'auto-apply': true }, bindings(...eleven));
    expect([answer.status, answer.problems]).toEqual([422, ['cannot exceed 10 bindings per resource']]);
    expect(await stored()).toEqual([]);
    expect((await shown()).attributes['auto-apply']).toBe(false);
  });

  test('§5.4 a move takes admin permission on both projects; without it the answer is that of a missing record', async () => {
    const target = await project(app, acme);
    const admins = await team(app, acme);
    const someone = await member(app, acme, admins);
    const to = { project: { data: { type: 'projects', id: target } } };
    await workspaceAccess(app, admins, id, 'admin');
    expect((await update({}, to, someone.token)).status).toBe(404);
    await projectAccess(app, admins, target, 'write');
    expect((await update({}, to, someone.token)).status).toBe(404);
    expect((await shown()).relationships.project.data.id).toBe(acme.projectId);
    const both = await team(app, acme);
    const manager = await member(app, acme, both);
    await projectAccess(app, both, acme.projectId, 'admin');
    await projectAccess(app, both, target, 'admin');
    const entering = await team(app, acme);
    const visitor = await member(app, acme, entering);
    await workspaceAccess(app, entering, id, 'admin');
    await projectAccess(app, entering, target, 'admin');
    expect((await update({}, to, visitor.token)).status).toBe(404);
    expect((await shown()).relationships.project.data.id).toBe(acme.projectId);
    const moved = await update({}, to, manager.token);
    expect(moved.data.relationships.project.data.id).toBe(target);
  });

  test('§4.2 a blank or unchanged project is no move', async () => {
    for (const project of ['', acme.projectId]) {
      const answer = await update({}, { project: { data: { type: 'projects', id: project } } });
      expect([answer.status, answer.data.relationships.project.data.id]).toEqual([200, acme.projectId]);
    }
  });
});

describe('callers', () => {
  test('§5.4 settings take admin permission: write is not enough', async () => {
    for (const [level, status] of [
      ['read', 404],
      ['plan', 404],
      ['write', 404],
      ['admin', 200],
    ] as const) {
      const some = await team(app, acme);
      const someone = await member(app, acme, some);
      await workspaceAccess(app, some, id, level);
      expect((await update({ 'auto-apply': true }, undefined, someone.token)).status, level).toBe(status);
    }
  });

  test('§9 assessments-enabled is unknown to the self-hosted edition: ignored and not returned', async () => {
    const answer = await update({ 'assessments-enabled': true });
    expect(answer.status).toBe(200);
    expect(answer.data.attributes).not.toHaveProperty('assessments-enabled');
  });
});

describe('the hosted edition', () => {
  const hosted = useApp({ TERRANE_EDITION: 'hosted' });
  test('§9 assessments-enabled is accepted and returned, also under its old name drift-detection', async () => {
    const globex = await organization(hosted);
    const workspaceId = await workspace(hosted, globex);
    const patch = (attributes: object) =>
      hosted.patch(`workspaces/${workspaceId}`, globex.owner.token, bodyOf('workspaces', attributes));
    expect((await patch({ 'assessments-enabled': true })).data.attributes['assessments-enabled']).toBe(true);
    expect((await patch({ 'drift-detection': false })).data.attributes['assessments-enabled']).toBe(false);
  });
});

describe('the profile of clients', () => {
  const vendor = useApp({ TERRANE_PROFILE: 'vendor' });
  test('§4.2 a directory may begin with a slash, and assessments-enabled comes back in either edition', async () => {
    const globex = await organization(vendor);
    const workspaceId = await workspace(vendor, globex);
    const settings = { 'working-directory': '/db', 'assessments-enabled': true };
    const answer = await vendor.patch(`workspaces/${workspaceId}`, globex.owner.token, bodyOf('workspaces', settings));
    expect([answer.problems, answer.data.attributes]).toMatchObject([[], settings]);
    const outside = bodyOf('workspaces', { 'working-directory': '/../db' });
    expect((await vendor.patch(`workspaces/${workspaceId}`, globex.owner.token, outside)).status).toBe(422);
  });
});
