import { beforeAll, expect, test } from 'vitest';
import { useApp } from '../../../test/app.ts';
import { newId } from '../../core/store/ids.ts';
import { row, type Sql } from '../../core/store/store.ts';
import { isExactVersion } from './constraint.ts';
import { defaultEngineVersion, engineVersionFaults } from './known.ts';

const app = useApp();
let sql: Sql;
beforeAll(() => {
  sql = app.store.read;
});

const nobody = () => sql`false`;
const add = (version: string, members: object = {}) =>
  sql`insert into engine_versions ${row(sql, { id: newId('tool'), version, ...members })}`;

test('§4.2 the table ships filled, with official and enabled releases that are all well formed', async () => {
  const shipped = await sql`
    select engine_versions.version, engine_versions.enabled, engine_versions.official from engine_versions`;
  expect(shipped.length).toBeGreaterThan(200);
  expect(shipped.filter(one => !isExactVersion(one['version']) || !one['enabled'] || !one['official'])).toEqual([]);
});

test.each(['0.8.0', '0.10.0', '0.11.0', '0.11.1', '0.15.4', '1.0.0', '1.11.4', '~> 1.5', '>= 1.2, < 2.0', 'latest'])(
  '§4.2 a workspace may have %s',
  async version => {
    expect(await engineVersionFaults(sql, version)).toEqual([]);
  },
);

test.each(['nonexisting', '', '99.0.0', '~> 99.0', '0.7.0', '1.5'])(
  '§4.2 a workspace cannot have %o',
  async version => {
    expect(await engineVersionFaults(sql, version)).toHaveLength(1);
  },
);

test.each(['1.12.6', '1.16.99', '0.15.6'])(
  '§4.2 a workspace may have %s, a patch past those of the table',
  async version => {
    expect(await engineVersionFaults(sql, version)).toEqual([]);
  },
);

test.each(['1.10.6-dev', '1.16.99-rc1', '1.14.0-beta2'])(
  '§4.2 a workspace may have %s, a pre-release of a minor version of the table',
  async version => {
    expect(await engineVersionFaults(sql, version)).toEqual([]);
  },
);

test.each(['1.99.0', '1.99.0-rc1', '0.7.9', '00.15.6'])(
  '§4.2 a workspace cannot have %s: it is no later patch',
  async version => {
    expect(await engineVersionFaults(sql, version)).toHaveLength(1);
  },
);

test('§4.2 a version that the table lacks among those of its minor version, or whose minor version is disabled, is unknown', async () => {
  await add('76.1.0', { enabled: false });
  await add('76.2.0');
  await add('76.2.3');
  await add('76.2.5', { enabled: false });
  expect(await engineVersionFaults(sql, '76.1.1')).toHaveLength(1);
  expect(await engineVersionFaults(sql, '76.2.1')).toHaveLength(1);
  expect(await engineVersionFaults(sql, '76.2.5')).toHaveLength(1);
  expect(await engineVersionFaults(sql, '76.2.6')).toEqual([]);
});

test('§4.2 a disabled version satisfies nothing', async () => {
  await add('77.1.0', { enabled: false });
  expect(await engineVersionFaults(sql, '77.1.0')).toHaveLength(1);
  expect(await engineVersionFaults(sql, '~> 77.1')).toHaveLength(1);
});

test('§4.2 the default is the newest enabled release: no pre-release, no beta, no deprecated one', async () => {
  const before = await defaultEngineVersion(sql, nobody());
  await add('80.0.0-rc1');
  await add('80.0.1', { beta: true });
  await add('80.0.2', { deprecated: true });
  await add('80.0.3', { enabled: false });
  expect(await defaultEngineVersion(sql, nobody())).toBe(before);
  await add('79.2.0');
  await add('79.10.0');
  expect(await defaultEngineVersion(sql, nobody())).toBe('79.10.0');
});
