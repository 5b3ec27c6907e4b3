/** Seeds: the same text gives the same records, a second run adds nothing, and what they fill counts right. */
import { beforeAll, expect, test } from 'vitest';
import { type Document, type TestApp, useApp } from '../../../test/app.ts';
import { type Person, person } from '../../../test/builders/records.ts';
import { rowCounts } from '../../../test/nets/rows.ts';
import { type SeedOptions, type SeedResult, seed } from './seed.ts';

const app = useApp();
const other = useApp();
let owner: Person;
let otherOwner: Person;

beforeAll(async () => {
  owner = await person(app, { username: 'admin' });
  otherOwner = await person(other, { username: 'admin' });
});

const run = (on: TestApp, by: Person, options: Partial<SeedOptions> = {}): Promise<SeedResult> =>
  seed(on.store, by, { organization: 'demo', workspaces: 60, teams: 12, seed: 's', ...options });

/** Every seeded row as text, without what is drawn anew in each database: the organization and its founding rows. */
async function contents({ store }: TestApp): Promise<Record<string, unknown[]>> {
  const sql = store.read;
  const read = async (table: string, order: string) => {
    const rows = await sql<{ row: unknown }[]>`
      select to_jsonb(records) - 'organization_id' - 'locked_by_id' - 'revision' as row
      from ${sql(table)} as records order by ${sql(order)}`;
    return [table, rows.map(({ row }) => row)] as const;
  };
  return Object.fromEntries([
    await read('workspaces', 'id'),
    await read('tags', 'id'),
    await read('workspace_tag_bindings', 'id'),
    await read('team_workspaces', 'id'),
    await read('team_projects', 'id'),
  ]);
}

test('the same seed gives the same ids, names, settings, tags and access in two databases; another seed others', async () => {
  const [first, second] = await Promise.all([run(app, owner), run(other, otherOwner)]);
  expect(first).toEqual(second);
  expect(first).toMatchObject({ isFounded: true, added: { workspaces: 60, teams: 12 } });
  const [records, otherRecords] = [await contents(app), await contents(other)];
  expect(records).toEqual(otherRecords);
  for (const rows of Object.values(records)) expect(rows.length).toBeGreaterThan(5);
  for (const row of records['workspaces'] as { id: string }[]) expect(row.id).toMatch(/^ws-[0-9A-Za-z]{16}$/);
  await run(app, owner, { organization: 'elsewhere', seed: 'another' });
  const names = await app.store.read`
    select workspaces.name from workspaces
    join workspaces as same on same.name = workspaces.name and same.id <> workspaces.id`;
  expect(names).toHaveLength(0);
});

test('a second run adds nothing, not even an audit event', async () => {
  const before = await rowCounts(app.store);
  const again = await run(app, owner);
  expect(again.isFounded).toBe(false);
  expect(Object.values(again.added).every(count => count === 0)).toBe(true);
  expect(await rowCounts(app.store)).toEqual(before);
});

test('larger numbers add the rest and leave what is there: as if they had been asked for at once', async () => {
  const more = { workspaces: 90, teams: 20 };
  const grown = await run(app, owner, { organization: 'growing' });
  expect((await run(app, owner, { organization: 'growing', ...more })).added).toMatchObject({
    workspaces: 30,
    teams: 8,
  });
  const atOnce = await run(other, otherOwner, { organization: 'growing', ...more });
  expect(atOnce.added['workspaces']).toBe(grown.added['workspaces']! + 30);
  const access = async ({ store }: TestApp) => store.read<{ id: string }[]>`
    select team_workspaces.id from team_workspaces
    join teams on teams.id = team_workspaces.team_id
    join organizations on organizations.id = teams.organization_id
    where organizations.name = 'growing' order by team_workspaces.id`;
  expect(await access(app)).toEqual(await access(other));
});

test('the total of the list is the number of rows', async () => {
  const { document } = await app.get('organizations/demo/workspaces?page[size]=1', owner.token);
  const [counted] = await app.store.read<{ workspaces: number }[]>`
    select count(*) as workspaces from workspaces
    join organizations on organizations.id = workspaces.organization_id where organizations.name = 'demo'`;
  expect(document.meta.pagination['total-count']).toBe(counted!.workspaces);
  expect(counted!.workspaces).toBe(60);
});

test('the counts of the projects are the numbers of their rows', async () => {
  const { data } = await app.get('organizations/growing/projects?page[size]=100', owner.token);
  const counted = await app.store.read<{ project_id: string; workspaces: number }[]>`
    select workspaces.project_id, count(*) as workspaces from workspaces
    join organizations on organizations.id = workspaces.organization_id where organizations.name = 'growing'
    group by workspaces.project_id`;
  const shown = data.map((one: Document) => [one.id, one.attributes['workspace-count']]);
  expect(Object.fromEntries(shown.filter(([, count]: [string, number]) => count > 0))).toEqual(
    Object.fromEntries(counted.map(({ project_id, workspaces }) => [project_id, workspaces])),
  );
});

test('a workspace whose name was taken before keeps its own settings, and its seeded namesake leaves nothing behind', async () => {
  await run(app, owner, { organization: 'taken', workspaces: 0, teams: 2 });
  const [demo] = await app.store.read<{ name: string }[]>`
    select workspaces.name from workspaces join organizations on organizations.id = workspaces.organization_id
    where organizations.name = 'demo' order by workspaces.created_at, workspaces.id limit 1`;
  const body = { data: { type: 'workspaces', attributes: { name: demo!.name, description: 'mine' } } };
  expect((await app.post('organizations/taken/workspaces', owner.token, body)).status).toBe(201);
  const { added } = await run(app, owner, { organization: 'taken', workspaces: 10, teams: 2 });
  expect(added['workspaces']).toBe(9);
  const { data } = await app.get(`organizations/taken/workspaces/${demo!.name}`, owner.token);
  expect(data.attributes).toMatchObject({ description: 'mine', 'tag-names': [] });
});

test('each batch leaves an audit event with what it added', async () => {
  const events = await app.store.read<{ changes: { added: Record<string, number> } }[]>`
    select audit_events.changes from audit_events
    join organizations on organizations.id = audit_events.organization_id
    where audit_events.action = 'organizations.seed' and organizations.name = 'demo'
    order by audit_events.occurred_at, audit_events.id`;
  const added = events.map(({ changes }) => changes.added);
  expect(added).toMatchObject([{ organizations: 1 }, { teams: 12, projects: 12 }, { workspaces: 60 }]);
});

test('a small organization among many does not have the whole database analysed', async () => {
  const isAnalysis = (text: string) => text === 'analyze';
  const large = await app.statementsOf(() => run(app, owner, { organization: 'large', workspaces: 200 }));
  expect(large.filter(isAnalysis)).toHaveLength(1);
  const small = await app.statementsOf(() => run(app, owner, { organization: 'small', workspaces: 10, teams: 1 }));
  expect(small.filter(isAnalysis)).toHaveLength(0);
});
