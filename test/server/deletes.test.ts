// Deletes in whatever order: an organization that has everything is taken apart record by record, or goes at once.
import { describe, expect, test } from 'vitest';
import { type Draws, drawsFor } from '../../src/commands/seed/draws.ts';
import type { AnyEndpoint } from '../../src/core/jsonapi/endpoint.ts';
import type { Deployment } from '../../src/core/jsonapi/fields.ts';
import { endpoints } from '../../src/http/endpoints.ts';
import { useApp } from '../app.ts';
import { person } from '../builders/records.ts';
import { type RichOrganization, richOrganization } from '../cast/rich-organization.ts';
import { checksums, recordsOf, rowsNaming, type TenantRecord, tableOf, tenantTables } from '../cast/tenant.ts';

const app = useApp();

type Records = Map<string, TenantRecord[]>;
interface Deletion {
  method: 'DELETE' | 'POST';
  path: string;
  body?: unknown;
}

const read = async (rich: RichOrganization) => {
  const tables = await tenantTables(app.store.read);
  return { tables: tables.map(({ name }) => name), records: await recordsOf(app.store.read, tables, rich.key) };
};

/** What an organization keeps whatever is deleted: itself, its owner, what it was founded with, and its service account. */
const kept = {
  organizations: 1,
  organization_memberships: 1,
  projects: 1,
  teams: 1,
  users: 2,
  tokens: 1,
  password_links: 1,
};

/** Tables without a row of an organization that has everything, and why. The list only shrinks. */
const empty: Record<string, string> = {
  pending_run_triggers: 'waits there for a second at most, between a run that was applied and those that it starts',
};

test('an organization that has everything has a row in every table', async () => {
  const rich = await richOrganization(app);
  const sums = await checksums(app.store.read, await tenantTables(app.store.read), rich.key);
  const without = Object.keys(sums).filter(table => sums[table]!.startsWith('0 '));
  expect(without.sort()).toEqual(Object.keys(empty).sort());
});

describe('every delete of an organization that has everything', () => {
  test.for([1, 2, 3, 4])('in random order %i → none fails, and nothing is left', { timeout: 120_000 }, async seed => {
    const rich = await richOrganization(app);
    const administrator = await person(app, { isAdmin: true });
    const { records: before } = await read(rich);
    const draws = drawsFor(`deletes ${seed}`);
    for (let round = 1; ; round += 1) {
      const done = await deleteEach(rich, administrator.token, draws);
      if (done === 0) break;
      expect(round, 'deletes still succeed').toBeLessThan(8);
    }
    const { records: after } = await read(rich);
    const left = [...after].filter(([table]) => table !== 'audit_events').map(([table, { length }]) => [table, length]);
    expect(Object.fromEntries(left)).toEqual(kept);

    expect((await app.delete(`organizations/${rich.name}`, rich.owner.token)).status).toBe(204);
    expect(await rowsNaming(app.store.read, idsThatGo(rich, before), ['audit_events'])).toEqual([]);
  });

  test('all at once with the organization → 204, and no row of any table names one of its records', async () => {
    const rich = await richOrganization(app);
    const bystander = await richOrganization(app);
    const { records } = await read(rich);
    const ids = idsThatGo(rich, records);
    expect(ids.length).toBeGreaterThan(50);
    expect((await rowsNaming(app.store.read, ids, ['audit_events'])).length).toBeGreaterThan(50);

    expect((await app.delete(`organizations/${rich.name}`, rich.owner.token)).status).toBe(204);
    expect(await rowsNaming(app.store.read, ids, ['audit_events'])).toEqual([]);
    expect((await app.get(`organizations/${rich.name}`, rich.owner.token)).status).toBe(404);
    const { records: others } = await read(bystander);
    expect(others.get('workspaces')?.length).toBe(4);
  });
});

describe('what is in use', () => {
  test('a workspace that its owner locked → force delete answers 204', async () => {
    const rich = await richOrganization(app);
    const path = `workspaces/${rich.ids['locked']}`;
    expect((await app.post(`${path}/actions/safe-delete`, rich.owner.token)).status).toBe(409);
    expect((await app.delete(path, rich.owner.token)).status).toBe(204);
  });

  test('a project → 422 while it has workspaces, 204 after them', async () => {
    const rich = await richOrganization(app);
    const path = `projects/${rich.ids['platform']}`;
    const refused = await app.delete(path, rich.owner.token);
    expect([refused.status, refused.problems]).toEqual([422, [expect.stringContaining('still has workspaces')]]);
    for (const name of ['network', 'agents']) {
      expect((await app.delete(`workspaces/${rich.ids[name]}`, rich.owner.token)).status).toBe(204);
    }
    expect((await app.delete(path, rich.owner.token)).status).toBe(204);
  });

  test('an agent pool → 409 while a workspace or a project names it; an SSH key goes from its workspaces', async () => {
    const rich = await richOrganization(app);
    for (const name of ['pool', 'projectPool']) {
      const refused = await app.delete(`agent-pools/${rich.ids[name]}`, rich.owner.token);
      expect([refused.status, refused.problems]).toEqual([409, [expect.stringContaining('is used by')]]);
    }
    // Its agents are to fetch a configuration.
    const { status, problems } = await app.delete(`agent-pools/${rich.ids['sparePool']}`, rich.owner.token);
    expect([status, problems]).toEqual([409, [expect.stringContaining('fetch configurations')]]);
    await app.store.read`delete from jobs where jobs.agent_pool_id = ${rich.ids['sparePool']!}`;
    expect((await app.delete(`agent-pools/${rich.ids['sparePool']}`, rich.owner.token)).status).toBe(204);
    expect((await app.delete(`ssh-keys/${rich.ids['sshKey']}`, rich.owner.token)).status).toBe(204);
    const workspace = await app.get(`workspaces/${rich.ids['network']}`, rich.owner.token);
    expect(workspace.data.relationships['ssh-key']?.data ?? null).toBe(null);
  });

  test('a team with tokens and access → 204, and its token is nobody any more', async () => {
    const rich = await richOrganization(app);
    expect((await app.get(`workspaces/${rich.ids['network']}`, rich.tokens.team)).status).toBe(200);
    expect((await app.delete(`teams/${rich.ids['team']}`, rich.owner.token)).status).toBe(204);
    expect((await app.get(`workspaces/${rich.ids['network']}`, rich.tokens.team)).status).toBe(401);
  });
});

/** One request for each record and way to delete it, in random order. Returns how many succeeded. */
async function deleteEach(rich: RichOrganization, administratorToken: string, draws: Draws): Promise<number> {
  const { tables, records } = await read(rich);
  const protectedIds = new Set([rich.owner.id, ...(await ownersTokens(rich))]);
  const deletions = endpoints
    .filter(one => one.method === 'DELETE' || /delete|discard|cancel/.test(one.operation))
    .filter(one => one.operation !== 'organizations.delete' && !one.operation.startsWith('engine-versions'))
    .flatMap(one => deletionsOf(one, rich, records, tables))
    .filter(({ path }) => ![...protectedIds].some(id => path.includes(id)));
  let done = 0;
  for (const { method, path, body } of shuffled(deletions, draws)) {
    const token = path.startsWith('/admin/') ? administratorToken : rich.owner.token;
    const answer = await app.call(method, `/api/v2${path}`, { token, body });
    expect(answer.status, `${method} ${path}: ${answer.text}`).toBeLessThan(500);
    // Taking apart what links records, ending all sessions, and asking a run to stop, would succeed for ever.
    if (answer.status < 300 && body === undefined && !/\/(sessions|relationships\/data-retention-policy)$/.test(path))
      done += 1;
  }
  return done;
}

async function ownersTokens({ owner }: RichOrganization): Promise<string[]> {
  const rows = await app.store.read<{ id: string }[]>`select tokens.id from tokens where tokens.user_id = ${owner.id}`;
  return rows.map(({ id }) => id);
}

function deletionsOf(
  one: AnyEndpoint,
  rich: RichOrganization,
  records: Records,
  tables: readonly string[],
): Deletion[] {
  const body = bodyNamingEverything(one, records, tables);
  return one.paths
    .flatMap(path => filled(path, rich, records, tables))
    .map(path => ({ method: one.method as Deletion['method'], path, ...(body && { body }) }));
}

/** `{ "data": [{ "type", "id" }] }` with every record of the type that the body asks for. */
function bodyNamingEverything(one: AnyEndpoint, records: Records, tables: readonly string[]): object | undefined {
  if (!one.body || one.method === 'POST') return undefined;
  const deployment: Deployment = { ...app.config, publicUrl: '', sign: () => '', unseal: () => '' };
  const schema = one.body.schema(deployment) as unknown as {
    properties: { data: { items: { properties: { type: { enum?: string[]; const?: string } } } } };
  };
  const { type } = schema.properties.data.items.properties;
  const name = type.const ?? type.enum![0]!;
  const found = records.get(tableOf(name, tables) ?? '') ?? [];
  return { data: found.map(({ id }) => ({ type: name, id })) };
}

function filled(path: string, rich: RichOrganization, records: Records, tables: readonly string[]): string[] {
  const parameter = /:(\w+)/.exec(path)?.[1];
  if (!parameter) return [path];
  const found = records.get(tableOf(parameter, tables) ?? '') ?? [];
  const values =
    parameter === 'organization_name'
      ? [rich.name]
      : found.map(({ id, name }) => (parameter.endsWith('_name') ? name! : id));
  return values.flatMap(value =>
    filled(path.replace(`:${parameter}`, encodeURIComponent(value)), rich, records, tables),
  );
}

function shuffled<Value>(values: readonly Value[], draws: Draws): Value[] {
  return values
    .map(value => ({ value, place: draws.fraction() }))
    .sort((one, other) => one.place - other.place)
    .map(({ value }) => value);
}

/** The ids of an organization's records, but those of people and of what they sign in with, who outlive it. */
function idsThatGo(rich: RichOrganization, records: Records): string[] {
  const people = new Set([rich.owner.id, ...rich.members.map(({ id }) => id)]);
  return [...records]
    .filter(([table]) => !['audit_events', 'tokens', 'sessions', 'password_links', 'login_codes'].includes(table))
    .flatMap(([, found]) => found.map(({ id }) => id))
    .filter(id => !people.has(id));
}
