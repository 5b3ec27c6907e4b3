import { beforeAll, describe, expect, test } from 'vitest';
import { useApp } from '../../../test/app.ts';
import { bodyOf, organization, person, type TestOrganization } from '../../../test/builders/records.ts';
import { workspace } from '../../../test/builders/workspace.ts';
import { engineVersionFaults } from './known.ts';

const app = useApp();
const path = 'admin/terraform-versions';
let acme: TestOrganization;
let admin: string;
beforeAll(async () => {
  acme = await organization(app);
  admin = (await person(app, { isAdmin: true })).token;
});

const create = (attributes: object, token = admin) => app.post(path, token, bodyOf('terraform-versions', attributes));
const change = (id: string, attributes: object) =>
  app.patch(`${path}/${id}`, admin, bodyOf('terraform-versions', attributes));
const shipped = async (version: string): Promise<string> =>
  (await app.get(`${path}?filter[version]=${version}`, admin)).data[0].id;

describe('create, show and update', () => {
  test('201, and workspaces may be set to it at once', async () => {
    expect(await engineVersionFaults(app.store.read, '98.1.0-rc2')).toHaveLength(1);
    const answer = await create({
      version: '98.1.0-rc2',
      url: 'https://example.com/a.zip',
      sha: 'a'.repeat(64),
      beta: true,
    });
    expect([answer.status, answer.problems]).toEqual([201, []]);
    expect(answer.data).toMatchObject({
      type: 'terraform-versions',
      id: expect.stringMatching(/^tool-/),
      attributes: {
        version: '98.1.0-rc2',
        official: false,
        enabled: true,
        beta: true,
        usage: 0,
        deprecated: false,
        'deprecated-reason': null,
      },
    });
    expect((await app.get(`${path}/${answer.data.id}`, admin)).data).toEqual(answer.data);
    expect(await engineVersionFaults(app.store.read, '98.1.0-rc2')).toEqual([]);
  });

  test.each(['', '1', '1.2', 'latest', '~> 1.2', 'v1.2.3', '1.2.3.4', '1.2.3-', '1.2.3-a..b', '1.02.3', '999999.0.0'])(
    'the version %j is refused',
    async version => {
      const answer = await create({ version });
      expect([answer.status, answer.pointers]).toEqual([422, ['/data/attributes/version']]);
    },
  );

  test('a version is needed, and known once; a digest has 64 digits', async () => {
    expect((await create({})).problems).toEqual(["Version can't be blank"]);
    const taken = await create({ version: '1.5.7' });
    expect([taken.status, taken.problems]).toEqual([422, ['Version has already been taken']]);
    expect((await create({ version: '98.2.0', sha: 'abc' })).pointers).toEqual(['/data/attributes/sha']);
  });

  test('an update changes what it names', async () => {
    const made = await create({ version: '98.3.0' });
    const changed = await change(made.data.id, { deprecated: true, 'deprecated-reason': 'old', enabled: false });
    expect(changed.data.attributes).toEqual({
      ...made.data.attributes,
      deprecated: true,
      'deprecated-reason': 'old',
      enabled: false,
    });
    expect((await change(made.data.id, {})).data).toEqual(changed.data);
    expect((await change(made.data.id, { version: '98.3.1' })).data.attributes.version).toBe('98.3.1');
  });
});

describe('list', () => {
  test('newest first by number, with the filters and pages', async () => {
    const versions = async (query: string) =>
      (await app.get(`${path}?${query}`, admin)).data.map(
        (one: { attributes: { version: string } }) => one.attributes.version,
      );
    expect(await versions('filter[version]=1.9.8')).toEqual(['1.9.8']);
    expect(await versions('search[version]=1.9.&page[size]=3')).toEqual(['1.9.8', '1.9.7', '1.9.6']);
    expect(await versions('search[version]=.10.0')).toEqual(['1.10.0', '0.10.0']);
    expect(await versions('search[version]=%25')).toEqual([]);
    await create({ version: '97.0.0' });
    await create({ version: '97.0.0-rc1' });
    expect(await versions('search[version]=97.0.')).toEqual(['97.0.0', '97.0.0-rc1']);
    const past = await app.get(`${path}?page[number]=999`, admin);
    expect([past.data, past.document.meta.pagination['total-count'] > 200]).toEqual([[], true]);
  });
});

describe('what is in use stays', () => {
  test('§4.2 a version that a workspace is set to is neither deleted, disabled nor renamed', async () => {
    const made = await create({ version: '98.4.0' });
    const id = await workspace(app, acme, { engine_version: '98.4.0' });
    expect((await app.get(`${path}/${made.data.id}`, admin)).data.attributes.usage).toBe(1);
    const refused = [
      await app.delete(`${path}/${made.data.id}`, admin),
      await change(made.data.id, { enabled: false }),
      await change(made.data.id, { version: '98.4.1' }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([409, 409, 409]);
    expect((await change(made.data.id, { deprecated: true })).status).toBe(200);
    await app.store
      .read`update workspaces set engine_version = 'latest', revision = default where workspaces.id = ${id}`;
    expect((await app.delete(`${path}/${made.data.id}`, admin)).status).toBe(204);
    expect((await app.get(`${path}/${made.data.id}`, admin)).status).toBe(404);
  });

  test('an official version is disabled, not deleted', async () => {
    const id = await shipped('0.8.1');
    expect((await app.delete(`${path}/${id}`, admin)).status).toBe(409);
    expect((await change(id, { enabled: false })).status).toBe(200);
    expect(await engineVersionFaults(app.store.read, '0.8.1')).toHaveLength(1);
  });

  test('a version that a running transaction is setting waits to be disabled, and then stays', async () => {
    const made = await create({ version: '98.5.0' });
    const id = await workspace(app, acme);
    let disabling: ReturnType<typeof change> | undefined;
    await app.store.transaction(async sql => {
      expect(await engineVersionFaults(sql, '98.5.0')).toEqual([]);
      let isAnswered = false;
      disabling = change(made.data.id, { enabled: false }).finally(() => {
        isAnswered = true;
      });
      while (!isAnswered && !(await isSomebodyWaiting())) await new Promise(resolve => setImmediate(resolve));
      await sql`update workspaces set engine_version = '98.5.0', revision = default where workspaces.id = ${id}`;
    });
    expect((await disabling!).status).toBe(409);
  });
});

async function isSomebodyWaiting(): Promise<boolean> {
  const waiting = await app.store.search`
    select from pg_stat_activity
    where pg_stat_activity.datname = current_database() and pg_stat_activity.wait_event_type = 'Lock'`;
  return waiting.length > 0;
}

test('§5 site administrators alone: for others nothing is there', async () => {
  const id = await shipped('1.0.0');
  const attempts = async (token: string) => {
    const answers = [
      await app.get(path, token),
      await create({ version: '98.9.9' }, token),
      await app.get(`${path}/${id}`, token),
      await app.patch(`${path}/${id}`, token, bodyOf('terraform-versions', { beta: true })),
      await app.delete(`${path}/${id}`, token),
    ];
    return answers.map(({ status }) => status);
  };
  expect(await attempts(acme.owner.token)).toEqual([404, 404, 404, 404, 404]);
  expect(await attempts(admin)).toEqual([200, 201, 200, 200, 409]);
});
