import { beforeAll, describe, expect, test } from 'vitest';
import { useApp } from '../../../test/app.ts';
import { member, organization, type Person, type TestOrganization, team } from '../../../test/builders/records.ts';
import { move, run } from '../../../test/builders/run.ts';
import { binding, project, projectAccess, tag, workspace, workspaceAccess } from '../../../test/builders/workspace.ts';
import { gatherStatusCounts } from './status-counts.ts';

const app = useApp();
let acme: TestOrganization;
let globex: TestOrganization;
const ids: Record<string, string> = {};
let platform: string;

const listed = async (query: string, who: Person = acme.owner) => {
  const answer = await app.get(`organizations/${acme.name}/workspaces?${query}`, who.token);
  expect(answer.problems).toEqual([]);
  expect(answer.document.meta.pagination['total-count']).toBe(answer.data.length);
  return answer.data.map((item: { attributes: { name: string } }) => item.attributes.name);
};

beforeAll(async () => {
  acme = await organization(app);
  globex = await organization(app);
  platform = await project(app, acme);
  const at = (day: number) => `2026-01-0${day}T00:00:00Z`;
  const run = (day: number, status: string) => ({
    current_run_id: 'run-1',
    current_run_created_at: at(day),
    current_run_status: status,
  });
  ids['api-prod'] = await workspace(app, acme, { name: 'api-prod', latest_change_at: at(3), ...run(2, 'applied') });
  ids['api-test'] = await workspace(app, acme, { name: 'api-test', latest_change_at: at(1), ...run(1, 'errored') });
  ids['Web_prod'] = await workspace(app, acme, { name: 'Web_prod', latest_change_at: at(2), project_id: platform });
  ids['web-100'] = await workspace(app, acme, { name: 'web-100', latest_change_at: at(2), project_id: platform });
  await tag(app, acme, ids['api-prod']!, 'blue');
  await tag(app, acme, ids['api-prod']!, 'shared');
  await tag(app, acme, ids['api-test']!, 'blue');
  await binding(app, acme, { workspaceId: ids['api-prod']! }, 'env', 'prod');
  await binding(app, acme, { workspaceId: ids['api-test']! }, 'env', 'test');
  await binding(app, acme, { projectId: platform }, 'env', 'prod');
  await binding(app, acme, { projectId: platform }, 'tier', 'one');
  await binding(app, acme, { workspaceId: ids['web-100']! }, 'env', 'test');
  const foreign = await workspace(app, globex, { name: 'api-prod' });
  await tag(app, globex, foreign, 'blue');
});

describe('searches', () => {
  test('§4.3 search[name] finds a part of the name, whatever its case, with like wildcards literal', async () => {
    expect(await listed('search[name]=PROD')).toEqual(['Web_prod', 'api-prod']);
    expect(await listed('search%5Bname%5D=b_')).toEqual(['Web_prod']);
    expect(await listed('search[name]=%25')).toEqual([]);
    expect(await listed('search[name]=%5C')).toEqual([]);
  });

  test('§4.3 search[wildcard-name] takes * as prefix, suffix or both; without one the name is exact', async () => {
    expect(await listed('search[wildcard-name]=*-prod')).toEqual(['api-prod']);
    expect(await listed('search[wildcard-name]=api-*')).toEqual(['api-prod', 'api-test']);
    expect(await listed('search[wildcard-name]=*pi-t*')).toEqual(['api-test']);
    expect(await listed('search[wildcard-name]=api')).toEqual([]);
    expect(await listed('search[wildcard-name]=*_*')).toEqual(['Web_prod']);
  });

  test('§4.3 search[tags] needs all the tags, flat or keys of bindings; search[exclude-tags] none of them', async () => {
    expect(await listed('search[tags]=blue')).toEqual(['api-prod', 'api-test']);
    expect(await listed('search[tags]=blue,shared')).toEqual(['api-prod']);
    expect(await listed('search[tags]=env,tier')).toEqual(['Web_prod', 'web-100']);
    expect(await listed('search[exclude-tags]=shared,tier')).toEqual(['api-test']);
    expect(await listed('search[tags]=blue&search[exclude-tags]=shared')).toEqual(['api-test']);
    expect(await listed('search[tags]=nobody')).toEqual([]);
  });

  test('§4.3 filter[tagged] pairs are joined by AND, match effective bindings, and an empty value matches any', async () => {
    expect(await listed('filter[tagged][0][key]=env&filter[tagged][0][value]=prod')).toEqual(['Web_prod', 'api-prod']);
    expect(await listed('filter[tagged][0][key]=env&filter[tagged][0][value]=')).toHaveLength(4);
    expect(
      await listed('filter[tagged][0][key]=env&filter[tagged][0][value]=prod&filter[tagged][7][key]=tier'),
    ).toEqual(['Web_prod']);
    const lonely = await app.get(`organizations/${acme.name}/workspaces?filter[tagged][0][value]=x`, acme.owner.token);
    expect([lonely.status, lonely.pointers]).toEqual([400, ['filter[tagged][0][key]']]);
  });

  test('§4.3 filters by project and by the status of the current run', async () => {
    expect(await listed(`filter[project][id]=${platform}`)).toEqual(['Web_prod', 'web-100']);
    expect(await listed('filter[project][id]=prj-missing')).toEqual([]);
    expect(await listed('filter[current-run][status]=applied,errored')).toEqual(['api-prod', 'api-test']);
    expect(await listed('filter[current-run][status]=pending')).toEqual([]);
  });
});

describe('order and pages', () => {
  test('§4.3 three sorts, both ways, with a stable tie-break; workspaces without a run come last', async () => {
    const byName = await listed('');
    expect(await listed('sort=name')).toEqual(byName);
    expect(await listed('sort=-name')).toEqual([...byName].reverse());
    const byChange = await listed('sort=latest-change-at');
    expect(byChange[0]).toBe('api-test');
    expect(await listed('sort=-latest-change-at')).toEqual([...byChange].reverse());
    expect((await listed('sort=current-run.created-at')).slice(0, 2)).toEqual(['api-test', 'api-prod']);
    expect((await listed('sort=-current-run.created-at')).slice(0, 2)).toEqual(['api-prod', 'api-test']);
    const unknown = await app.get(`organizations/${acme.name}/workspaces?sort=color`, acme.owner.token);
    expect([unknown.status, unknown.pointers]).toEqual([400, ['sort']]);
  });

  test('§1 pages cut the same order without overlap, and past the end is empty with the true total', async () => {
    const names = await listed('sort=latest-change-at');
    const paged: string[] = [];
    for (const number of [1, 2, 3, 4]) {
      const query = `sort=latest-change-at&page[size]=1&page[number]=${number}`;
      const answer = await app.get(`organizations/${acme.name}/workspaces?${query}`, acme.owner.token);
      paged.push(...answer.data.map((item: { attributes: { name: string } }) => item.attributes.name));
    }
    expect(paged).toEqual(names);
    const past = await app.get(`organizations/${acme.name}/workspaces?page[number]=999`, acme.owner.token);
    expect(past.data).toEqual([]);
    expect(past.document.meta.pagination).toMatchObject({ 'current-page': 999, 'total-count': 4, 'next-page': null });
  });
});

describe('visibility', () => {
  test('§5.4 a member sees, and is told the number of, only what the teams may read', async () => {
    const readers = await team(app, acme);
    const owners = await team(app, acme);
    const someone = await member(app, acme, readers, owners);
    expect(await listed('', someone)).toEqual([]);
    await workspaceAccess(app, readers, ids['api-test']!, 'read');
    expect(await listed('', someone)).toEqual(['api-test']);
    await projectAccess(app, owners, platform, 'read');
    expect(await listed('', someone)).toEqual(['Web_prod', 'api-test', 'web-100']);
    expect(await listed('search[tags]=blue', someone)).toEqual(['api-test']);
    expect((await app.get(`workspaces/${ids['api-prod']}`, someone.token)).status).toBe(404);
  });

  test('§5.5 an organization of others looks like a missing one', async () => {
    const foreign = await app.get(`organizations/${globex.name}/workspaces`, acme.owner.token);
    const missing = await app.get('organizations/nobody/workspaces', acme.owner.token);
    expect(foreign.status).toBe(404);
    expect(foreign.text).toBe(missing.text);
  });

  test('§4.3 include shows organization, project and the locker once each, and an unknown path is 400', async () => {
    const answer = await app.get(
      `organizations/${acme.name}/workspaces?include=organization,project,current_run.plan,locked_by`,
      acme.owner.token,
    );
    const included = answer.document.included.map(({ type, id }: { type: string; id: string }) => `${type} ${id}`);
    expect(included.sort()).toEqual(
      [`organizations ${acme.name}`, `projects ${acme.projectId}`, `projects ${platform}`].sort(),
    );
    const unknown = await app.get(`organizations/${acme.name}/workspaces?include=nonsense`, acme.owner.token);
    expect(unknown.status).toBe(400);
    expect(unknown.text).toContain('include parameter');
  });
});

describe('locks, modes and counts', () => {
  let hall: TestOrganization;
  const names = async (query: string, token = hall.owner.token) => {
    const answer = await app.get(`organizations/${hall.name}/workspaces?${query}`, token);
    expect(answer.problems).toEqual([]);
    return answer.data.map((item: { attributes: { name: string } }) => item.attributes.name);
  };
  const counts = async (query: string, token = hall.owner.token) => {
    const answer = await app.get(`organizations/${hall.name}/workspaces?${query}`, token);
    const all: Record<string, number> = answer.document.meta['status-counts'];
    expect(all['total']).toBe(answer.document.meta.pagination['total-count']);
    return Object.fromEntries(Object.entries(all).filter(([, count]) => count !== 0));
  };
  const madeLock = (type: string, id: string) => ({ locked: true, locked_by_type: type, locked_by_id: id });

  beforeAll(async () => {
    hall = await organization(app);
    const agents = await project(app, hall, { overwrites_execution_mode: true, default_execution_mode: 'local' });
    const own = (mode: string) => ({ overwrites_execution_mode: true, execution_mode: mode });
    const run = (status: string) => ({ current_run_id: 'run-1', current_run_status: status });
    await workspace(app, hall, { name: 'a', ...madeLock('users', hall.owner.id), ...run('applied') });
    await workspace(app, hall, { name: 'b', ...madeLock('runs', 'run-77'), ...run('policy_checked') });
    await workspace(app, hall, { name: 'c', ...own('local'), ...run('applied') });
    await workspace(app, hall, { name: 'd', project_id: agents });
    await workspace(app, hall, { name: 'e', project_id: agents, ...own('remote') });
  });

  test('§4.3 filter[locked] and filter[locked-by][id]', async () => {
    expect(await names('filter[locked]=true')).toEqual(['a', 'b']);
    expect(await names('filter[locked]=false')).toEqual(['c', 'd', 'e']);
    expect(await names(`filter[locked-by][id]=${hall.owner.id}`)).toEqual(['a']);
    expect(await names('filter[locked-by][id]=run-77')).toEqual(['b']);
    expect(await names('filter[locked-by][id]=user-0000000000000000')).toEqual([]);
    expect(await names('filter[locked]=true&search[name]=b')).toEqual(['b']);
    const malformed = await app.get(`organizations/${hall.name}/workspaces?filter[locked]=maybe`, hall.owner.token);
    expect([malformed.status, malformed.pointers]).toEqual([400, ['filter[locked]']]);
  });

  test('§4.3 filter[execution-mode] is about the mode in effect, of its own or inherited', async () => {
    expect(await names('filter[execution-mode]=local')).toEqual(['c', 'd']);
    expect(await names('filter[execution-mode]=remote')).toEqual(['a', 'b', 'e']);
    expect(await names('filter[execution-mode]=local,remote')).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(await names('filter[execution-mode]=agent')).toEqual([]);
    const shown = await app.get(`organizations/${hall.name}/workspaces`, hall.owner.token);
    for (const { attributes } of shown.data) {
      expect(await names(`filter[execution-mode]=${attributes['execution-mode']}`)).toContain(attributes.name);
    }
  });

  test('meta.status-counts: each status of current runs, those without one, and all; of every page', async () => {
    const answer = await app.get(`organizations/${hall.name}/workspaces?page[size]=1`, hall.owner.token);
    expect(answer.document.meta['status-counts']).toMatchObject({ applied: 2, errored: 0, 'plan-queued': 0 });
    expect(await counts('page[size]=1')).toEqual({ applied: 2, 'policy-checked': 1, none: 2, total: 5 });
    expect(await counts('page[number]=9')).toEqual({ applied: 2, 'policy-checked': 1, none: 2, total: 5 });
    expect(await counts('filter[locked]=true')).toEqual({ applied: 1, 'policy-checked': 1, total: 2 });
    expect(await counts('search[name]=nothing')).toEqual({});
    const stranger = await member(app, hall);
    expect(await counts('', stranger.token)).toEqual({});
    const readers = await team(app, hall);
    const one = await workspace(app, hall, { name: 'f', current_run_status: 'errored' });
    await workspaceAccess(app, readers, one, 'read');
    const reader = await member(app, hall, readers);
    expect(await counts('', reader.token)).toEqual({ errored: 1, total: 1 });
    expect(await counts('')).toEqual({ applied: 2, errored: 1, 'policy-checked': 1, none: 2, total: 6 });
    expect((await app.delete(`workspaces/${one}`, hall.owner.token)).status).toBe(204);
    expect(await counts('')).toEqual({ applied: 2, 'policy-checked': 1, none: 2, total: 5 });
  });

  test('what is counted is true after many runs moved at once', async () => {
    const ids = await Promise.all(Array.from({ length: 6 }, () => workspace(app, hall)));
    await Promise.all(
      ids.map(async (id, index) => {
        const begun = await run(app, hall, id);
        await move(app, begun, 'planning', 'planned', index % 2 === 0 ? 'discarded' : 'confirmed');
      }),
    );
    const kept = await counts('');
    const [counted] = await app.store.read`
      select jsonb_object_agg(found.status, found.workspaces) as counts from (
        select replace(coalesce(current_run_status, 'none'), '_', '-') as status, count(*) as workspaces
        from workspaces where workspaces.organization_id = ${hall.key} group by 1
      ) as found`;
    const { total: _total, ...byStatus } = kept;
    expect(byStatus).toEqual(counted!['counts']);
    // As if other connections had counted, which are closed by now.
    await app.store.read`
      update workspace_status_counts set slot = slot + 5000000
      where workspace_status_counts.organization_id = ${hall.key}`;
    await Promise.all([gatherStatusCounts(app.store), gatherStatusCounts(app.store)]);
    expect(await counts('')).toEqual(kept);
    const [left] = await app.store.read`
      select max(workspace_status_counts.slot) as slot from workspace_status_counts
      where workspace_status_counts.organization_id = ${hall.key}`;
    expect(left).toEqual({ slot: 0 });
  });

  test('an organization with runs under way can be deleted', async () => {
    const gone = await organization(app);
    await run(app, gone, await workspace(app, gone));
    expect((await app.delete(`organizations/${gone.name}`, gone.owner.token)).status).toBe(204);
    const left = await app.store.read`
      select from workspace_status_counts where workspace_status_counts.organization_id = ${gone.key}`;
    expect(left).toHaveLength(0);
  });
});
