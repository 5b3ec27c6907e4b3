import { beforeAll, describe, expect, test } from 'vitest';
import { useApp } from '../../../test/app.ts';
import { bodyOf, member, organization, type TestOrganization, team } from '../../../test/builders/records.ts';

const app = useApp();
let acme: TestOrganization;
beforeAll(async () => {
  acme = await organization(app);
});

const create = (attributes: object, relationships?: object, token = acme.owner.token) =>
  app.post(`organizations/${acme.name}/workspaces`, token, bodyOf('workspaces', attributes, relationships));

describe('create', () => {
  test('§4.2 a name is enough: 201 and every default of the table', async () => {
    const answer = await create({ name: 'network' });
    expect(answer.problems).toEqual([]);
    expect(answer.status).toBe(201);
    expect(answer.data.attributes).toMatchObject({
      name: 'network',
      'allow-destroy-plan': true,
      'auto-apply': false,
      'auto-apply-run-trigger': false,
      'auto-destroy-at': null,
      'auto-destroy-activity-duration': null,
      description: null,
      'execution-mode': 'remote',
      'file-triggers-enabled': true,
      'global-remote-state': false,
      operations: true,
      'queue-all-runs': false,
      'source-name': null,
      'source-url': null,
      'speculative-enabled': true,
      'trigger-patterns': [],
      'trigger-prefixes': [],
      'vcs-repo': null,
      'working-directory': null,
      'setting-overwrites': { 'execution-mode': false, 'agent-pool': false },
      locked: false,
      'tag-names': [],
      'resource-count': 0,
    });
    expect(answer.data.relationships.project.data).toEqual({ id: acme.projectId, type: 'projects' });
    expect(answer.data.relationships.organization.data).toEqual({ id: acme.name, type: 'organizations' });
    expect(answer.data.links.self).toBe(`/api/v2/organizations/${acme.name}/workspaces/network`);
    expect(answer.data.links['self-html']).toBe(`/app/${acme.name}/workspaces/network`);
  });

  test('§4.3 create, show by id, show by name and the list item are the same document', async () => {
    const created = await create({ name: 'same', 'trigger-prefixes': ['/modules'], 'working-directory': 'live' });
    const byId = await app.get(`workspaces/${created.data.id}`, acme.owner.token);
    const byName = await app.get(`organizations/${acme.name}/workspaces/same`, acme.owner.token);
    const list = await app.get(`organizations/${acme.name}/workspaces?search%5Bname%5D=same`, acme.owner.token);
    expect(byId.data).toEqual(created.data);
    expect(byName.data).toEqual(created.data);
    expect(list.data).toEqual([created.data]);
  });

  test('§5.4 only owners, manage-workspaces and the organization token create: others get the bytes of a missing one', async () => {
    const writers = await team(app, acme, { access: { 'manage-workspaces': true, 'read-workspaces': true } });
    const readers = await team(app, acme, { access: { 'read-workspaces': true } });
    const writer = await member(app, acme, writers);
    const reader = await member(app, acme, readers);
    expect((await create({ name: 'by-writer' }, undefined, writer.token)).status).toBe(201);
    const refused = await create({ name: 'by-reader' }, undefined, reader.token);
    const missing = await app.post(
      'organizations/no-such/workspaces',
      reader.token,
      bodyOf('workspaces', { name: 'x' }),
    );
    expect(refused.status).toBe(404);
    expect(refused.text).toBe(missing.text);
  });
});
