import { describe, expect, test } from 'vitest';
import { useApp } from '../../../test/app.ts';
import { organization } from '../../../test/builders/records.ts';
import { agentPool, oauthConnection } from '../../../test/builders/workspace.ts';
import { nothingAsked } from '../../../test/cast/granted.ts';
import type { Deployment } from '../../core/jsonapi/fields.ts';
import type { Sql } from '../../core/store/store.ts';
import { inheritedExecution } from './execution-mode.ts';
import { givenBindingFaults, type Place, type SettingsBefore, type SettingsGiven, settle } from './settings.ts';
import { noTriggers } from './triggers.ts';

const fresh: SettingsBefore = {
  ...inheritedExecution,
  ...noTriggers,
  vcs_repo: null,
  global_remote_state: false,
  project_remote_state: false,
  inherits_project_auto_destroy: true,
};
const nowhere: Place = { organizationId: 'org-1', projectId: 'prj-1', workspaceId: null };

interface Asked {
  before?: Partial<SettingsBefore>;
  profile?: Deployment['profile'];
  sql?: Sql;
  place?: Place;
}

const settled = (
  given: object,
  { before = {}, profile = 'documented', sql = nothingAsked, place = nowhere }: Asked = {},
) =>
  settle(
    sql,
    place,
    given as SettingsGiven,
    { ...fresh, ...before },
    {
      isCreate: false,
      deployment: { profile } as Deployment,
    },
  );

const pointers = async (...asked: Parameters<typeof settled>) =>
  (await settled(...asked)).faults.map(({ source }) => source && 'pointer' in source && source.pointer);
const at = (...names: string[]) => names.map(name => `/data/attributes/${name}`);

describe('§4.2 whom state is shared with', () => {
  test('§4.2 sharing with all and with the project at once is a fault, whichever of the two was there before', async () => {
    const both = { 'global-remote-state': true, 'project-remote-state': true };
    expect(await pointers(both)).toEqual(at('project-remote-state'));
    for (const [name, column] of [
      ['global-remote-state', 'project_remote_state'],
      ['project-remote-state', 'global_remote_state'],
    ] as const) {
      expect(await pointers({ [name]: true }, { before: { [column]: true } })).toEqual(at('project-remote-state'));
      expect(await pointers({ [name]: true })).toEqual([]);
      expect(await pointers({ [name]: false }, { before: { [column]: true } })).toEqual([]);
    }
    const swapped = { 'global-remote-state': false, 'project-remote-state': true };
    expect(await pointers(swapped, { before: { global_remote_state: true } })).toEqual([]);
    expect(await pointers({})).toEqual([]);
  });
});

describe('§4.2 where a configuration is', () => {
  test('§4.2 a working directory stays inside the repository; one with a slash in front is for other clients', async () => {
    for (const directory of ['..', '../a', 'a/..', 'a/../b'])
      expect([directory, await pointers({ 'working-directory': directory })]).toEqual([
        directory,
        at('working-directory'),
      ]);
    for (const directory of ['', 'a', 'a/b', 'a..b', null])
      expect([directory, await pointers({ 'working-directory': directory })]).toEqual([directory, []]);
    expect(await pointers({ 'working-directory': '/a' })).toEqual(at('working-directory'));
    expect(await pointers({ 'working-directory': '/a' }, { profile: 'vendor' })).toEqual([]);
    expect(await pointers({ 'working-directory': '/a/..' }, { profile: 'vendor' })).toEqual(at('working-directory'));
  });

  test('§4.2 a source url is one of the web', async () => {
    for (const url of ['https://example.com/a', 'http://example.com', '', null])
      expect([url, await pointers({ 'source-url': url })]).toEqual([url, []]);
    for (const url of ['ftp://example.com', 'javascript:alert(1)', 'example.com', 'xhttps://example.com', 'https2://a'])
      expect([url, await pointers({ 'source-url': url })]).toEqual([url, at('source-url')]);
  });
});

describe('§4.2 when a workspace destroys what it manages', () => {
  const schedule = async (...asked: Parameters<typeof settled>) => {
    const { changes } = await settled(...asked);
    const names = ['at', 'activity_duration', 'errored_at'].map(name => changes[`auto_destroy_${name}`]);
    return [...names, changes['inherits_project_auto_destroy']];
  };
  const time = '2030-01-01T00:00:00Z';

  test('§4.2 following the project clears times and durations, whatever else the body says', async () => {
    const following = [null, null, null, true];
    const own = { before: { inherits_project_auto_destroy: false } };
    expect(
      await schedule(
        {
          'inherits-project-auto-destroy': true,
          'auto-destroy-at': time,
          'auto-destroy-activity-duration': '14d',
        },
        own,
      ),
    ).toEqual(following);
    expect(await schedule({ 'auto-destroy-at': null }, own)).toEqual(following);
    expect(await schedule({ 'auto-destroy-at': null, 'inherits-project-auto-destroy': false })).toEqual([
      null,
      null,
      null,
      false,
    ]);
  });

  test('§4.2 a time or a duration of its own ends following the project', async () => {
    expect(await schedule({ 'auto-destroy-at': time })).toEqual([time, null, null, false]);
    expect(await schedule({ 'auto-destroy-at': time, 'auto-destroy-activity-duration': '14d' })).toEqual([
      time,
      '14d',
      null,
      false,
    ]);
    expect(await schedule({ 'auto-destroy-activity-duration': '14d' })).toEqual([undefined, '14d', undefined, false]);
    expect(await schedule({ 'auto-destroy-at': null, 'auto-destroy-activity-duration': '14d' })).toEqual([
      null,
      '14d',
      undefined,
      false,
    ]);
    for (const inherits_project_auto_destroy of [true, false]) {
      const before = { inherits_project_auto_destroy };
      const untouched = [undefined, undefined, undefined, inherits_project_auto_destroy];
      expect(await schedule({}, { before })).toEqual(untouched);
      expect((await schedule({ 'auto-destroy-activity-duration': null }, { before }))[3]).toBe(
        inherits_project_auto_destroy,
      );
    }
    expect((await schedule({ 'inherits-project-auto-destroy': false }))[3]).toBe(false);
  });
});

describe('§4.2 what a workspace refers to', () => {
  const app = useApp();
  const pool = (id: string) => ({ 'execution-mode': 'agent', 'agent-pool-id': id });
  const linked = (id: string) => ({ 'vcs-repo': { identifier: 'acme/network', 'oauth-token-id': id } });

  test('§4.2 a pool and a connection are of the organization, and what a workspace has it keeps unasked', async () => {
    const [acme, globex] = [await organization(app), await organization(app)];
    const place = { organizationId: acme.key, projectId: acme.projectId, workspaceId: null };
    const asked = { sql: app.store.read, place };
    const [own, foreign] = [await agentPool(app, acme), await agentPool(app, globex)];
    expect(await pointers(pool(own), asked)).toEqual([]);
    expect(await pointers(pool(foreign), asked)).toEqual(at('agent-pool-id'));
    // One that does not fit the mode is refused for that alone, and nobody asks whose it is.
    expect(await pointers({ ...pool(own), 'execution-mode': 'remote' })).toEqual(at('agent-pool-id'));
    const inPool = { overwrites_execution_mode: true, execution_mode: 'agent', agent_pool_id: foreign } as const;
    expect(await pointers(pool(foreign), { before: inPool })).toEqual([]);
    const [token, other] = [await oauthConnection(app, acme), await oauthConnection(app, globex)];
    expect(await pointers(linked(token.tokenId), asked)).toEqual([]);
    expect(await pointers(linked(other.tokenId), asked)).toEqual(at('vcs-repo/oauth-token-id'));
    const { changes } = await settled(linked(other.tokenId), asked);
    const vcs_repo = changes['vcs_repo'] as SettingsBefore['vcs_repo'];
    expect(await pointers(linked(other.tokenId), { before: { vcs_repo } })).toEqual([]);
    expect(await pointers({ 'vcs-repo': { branch: 'next' } }, { before: { vcs_repo } })).toEqual([]);
  });

  test('§4.2 an engine version is a known one, and an empty one says nothing', async () => {
    expect((await settled({ 'engine-version': '' })).changes['engine_version']).toBeUndefined();
    const asked = { sql: app.store.read };
    expect(await pointers({ 'engine-version': 'no version' }, asked)).toHaveLength(1);
    expect((await settled({ 'engine-version': '1.9.0' }, asked)).changes['engine_version']).toBe('1.9.0');
  });

  test('§8 bindings are judged where there are some', () => {
    expect(givenBindingFaults(undefined)).toEqual([]);
    expect(givenBindingFaults([{ key: 'env', value: 'a' }])).toEqual([]);
    const [fault] = givenBindingFaults([{ key: '', value: 'a' }]);
    expect(JSON.stringify(fault)).toContain('/data/relationships/tag-bindings/data/0');
  });
});
