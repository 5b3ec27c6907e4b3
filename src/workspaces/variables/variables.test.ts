import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { useApp } from '../../../test/app.ts';
import { bodyOf, member, organization, type TestOrganization, team } from '../../../test/builders/records.ts';
import { workspace, workspaceAccess } from '../../../test/builders/workspace.ts';
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

const create = (attributes: object, token = acme.owner.token) =>
  app.post(`workspaces/${id}/vars`, token, bodyOf('vars', { key: 'region', category: 'terraform', ...attributes }));
const update = (variableId: string, attributes: object) =>
  app.patch(`workspaces/${id}/vars/${variableId}`, acme.owner.token, bodyOf('vars', attributes));

describe('values', () => {
  test('§2.2 a variable is created, shown, listed and named in the workspace document', async () => {
    const created = await create({ value: 'eu-1', description: 'where', hcl: true });
    expect(created.status).toBe(201);
    expect(created.data.attributes).toMatchObject({
      key: 'region',
      value: 'eu-1',
      category: 'terraform',
      hcl: true,
      sensitive: false,
      description: 'where',
    });
    expect(created.data.relationships.configurable.data).toEqual({ id, type: 'workspaces' });
    expect((await app.get(`workspaces/${id}/vars/${created.data.id}`, acme.owner.token)).data).toEqual(created.data);
    for (const list of ['vars', 'all-vars']) {
      expect((await app.get(`workspaces/${id}/${list}`, acme.owner.token)).document).toEqual({ data: [created.data] });
    }
    const shown = await app.get(`workspaces/${id}?include=vars`, acme.owner.token);
    expect(shown.data.relationships.vars.data).toEqual([{ id: created.data.id, type: 'vars' }]);
    expect(shown.document.included).toEqual([created.data]);
  });

  test('§2.2 a value that is left out is empty, and every update makes a new version', async () => {
    const created = await create({});
    expect(created.data.attributes.value).toBe('');
    const updated = await update(created.data.id, {});
    expect(updated.data.attributes).toEqual({
      ...created.data.attributes,
      'version-id': updated.data.attributes['version-id'],
    });
    expect(updated.data.attributes['version-id']).not.toBe(created.data.attributes['version-id']);
  });

  test('§2.2 a sensitive value never comes out, is sealed in the database, and survives an update of the rest', async () => {
    const secret = 'hunter2 is no password';
    const created = await create({ value: secret, sensitive: true });
    const renamed = await update(created.data.id, { key: 'zone' });
    for (const answer of [created, renamed, await app.get(`workspaces/${id}?include=vars`, acme.owner.token)]) {
      expect(answer.text).not.toContain('hunter2');
    }
    expect(renamed.data.attributes).toMatchObject({ key: 'zone', value: null, sensitive: true });
    const stored = await app.store.read`select * from variables where id = ${created.data.id}`;
    const events = await app.store.read`select * from audit_events where resource_id = ${created.data.id}`;
    expect(JSON.stringify(events)).not.toContain('hunter2');
    expect(stored[0]!['sealed_value'].toString('latin1')).not.toContain('hunter2');
    expect(stored[0]!['value']).toBe(null);
  });

  test('§2.2 a variable becomes sensitive with the value it has, and stays sensitive', async () => {
    const created = await create({ value: 'open' });
    const sealed = await update(created.data.id, { sensitive: true });
    expect(sealed.data.attributes).toMatchObject({ value: null, sensitive: true });
    const refused = await update(created.data.id, { sensitive: false });
    expect([refused.status, refused.pointers]).toEqual([422, ['/data/attributes/sensitive']]);
  });
});

describe('rules', () => {
  test('§7 missing, malformed and long members are refused all at once', async () => {
    const body = bodyOf('vars', { value: 5, category: 'shell', description: 'x'.repeat(530) });
    const answer = await app.post(`workspaces/${id}/vars`, acme.owner.token, body);
    expect(answer.status).toBe(422);
    expect(answer.pointers.sort()).toEqual(
      ['category', 'description', 'key', 'value'].map(name => `/data/attributes/${name}`),
    );
  });

  test('§7 a key is unique in its category', async () => {
    await create({});
    expect((await create({ category: 'env' })).status).toBe(201);
    const again = await create({});
    expect([again.status, again.pointers]).toEqual([422, ['/data/attributes/key']]);
  });

  test('§5.5 a variable of another workspace, and a deleted one, are missing', async () => {
    const created = await create({});
    const other = await workspace(app, acme);
    expect((await app.get(`workspaces/${other}/vars/${created.data.id}`, acme.owner.token)).status).toBe(404);
    expect((await app.delete(`workspaces/${id}/vars/${created.data.id}`, acme.owner.token)).status).toBe(204);
    expect((await app.get(`workspaces/${id}/vars/${created.data.id}`, acme.owner.token)).status).toBe(404);
  });
});

describe('callers', () => {
  const answers = [
    ['none', 404, 404],
    ['read', 200, 404],
    ['write', 200, 201],
  ] as const;
  test.each(answers)(
    '§5.4 custom access with variables %s lists with %i and creates with %i',
    async (variables, list, made) => {
      const created = await create({ key: 'first' });
      const some = await team(app, acme);
      const someone = await member(app, acme, some);
      await workspaceAccess(app, some, id, { variables });
      expect((await app.get(`workspaces/${id}/vars`, someone.token)).status).toBe(list);
      expect((await create({}, someone.token)).status).toBe(made);
      const shown = await app.get(`workspaces/${id}?include=vars`, someone.token);
      expect(shown.data.relationships.vars.data.length > 0).toBe(list === 200);
      expect(shown.text.includes(created.data.id)).toBe(list === 200);
    },
  );
});

describe('room', () => {
  const many = (count: number, length: number) => app.store.read`
    insert into variables (id, organization_id, workspace_id, key, category, value, sensitive, hcl, version_id)
    select ${id} || '-' || at, ${acme.key}, ${id}, 'k' || at, 'env', repeat('x', ${length}), false, false, 'v'
    from generate_series(1, ${count}::integer) as at`;

  test('§2.2 a workspace has so many variables and no more, which are all in one list', async () => {
    await many(limits.variables_items.value - 1, 1);
    expect((await create({})).status).toBe(201);
    const refused = await create({ key: 'another' });
    expect([refused.status, refused.pointers]).toEqual([422, ['/data/attributes/key']]);
    expect((await app.get(`workspaces/${id}/vars`, acme.owner.token)).data.length).toBe(limits.variables_items.value);
  });

  test('§2.2 their values have so much room together; what is sealed is never listed and does not count', async () => {
    const length = 200_000;
    await many(Math.floor(limits.variables_bytes.value / length) - 1, length);
    const long = 'x'.repeat(length);
    expect((await create({ value: long, sensitive: true })).status).toBe(201);
    expect((await create({ key: 'last', value: long })).status).toBe(201);
    const created = await create({ key: 'small', value: 'y' });
    const refused = [await create({ key: 'another', value: long }), await update(created.data.id, { value: long })];
    for (const { status, pointers } of refused) expect([status, pointers]).toEqual([422, ['/data/attributes/value']]);
    const shown = await app.get(`workspaces/${id}/vars/${created.data.id}`, acme.owner.token);
    expect(shown.data.attributes.value).toBe('y');
  });
});
