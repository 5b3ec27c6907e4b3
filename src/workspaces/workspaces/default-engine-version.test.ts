import { beforeAll, beforeEach, expect, test } from 'vitest';
import { useApp } from '../../../test/app.ts';
import { agentRow } from '../../../test/builders/agent.ts';
import { bodyOf, organization, randomName, type TestOrganization } from '../../../test/builders/records.ts';
import { agentPool } from '../../../test/builders/workspace.ts';

const app = useApp();
let acme: TestOrganization;
let newest: string;
beforeAll(async () => {
  acme = await organization(app);
  newest = await versionOf();
});
beforeEach(() => app.store.read`delete from agents`);

/** The `engine-version` of a workspace that is made without one. */
async function versionOf(attributes: object = {}, relationships?: object): Promise<string> {
  const body = bodyOf('workspaces', { name: randomName('made'), ...attributes }, relationships);
  const answer = await app.post(`organizations/${acme.name}/workspaces`, acme.owner.token, body);
  expect(answer.problems).toEqual([]);
  return answer.data.attributes['engine-version'];
}

const has = (poolId: string | null, versions: string[], members: object = {}) => {
  const engines = versions.map(version => ({ name: 'terraform', version }));
  const sql = app.store.read;
  return agentRow(app, { agent_pool_id: poolId, engines: sql.json(engines), ...members });
};

test('§4.2 a workspace made without a version takes the newest that the server’s own agent has', async () => {
  await has(null, ['1.5.7', '1.11.4', '1.9.8']);
  await has(null, ['1.10.5']);
  expect(await versionOf()).toBe('1.11.4');
  expect(await versionOf({ 'engine-version': '' })).toBe('1.11.4');
  expect(await versionOf({ 'engine-version': '1.6.0' })).toBe('1.6.0');
});

test('§4.2 …or that an agent of its pool has, whether it names the pool or its project or organization does', async () => {
  const [pool, other] = [await agentPool(app, acme), await agentPool(app, acme)];
  await has(pool, ['1.8.2']);
  await has(other, ['1.9.1']);
  await has(null, ['1.11.4']);
  expect(await versionOf({ 'execution-mode': 'agent', 'agent-pool-id': pool })).toBe('1.8.2');
  const attributes = { name: 'by-agents', 'default-execution-mode': 'agent', 'default-agent-pool-id': other };
  const made = await app.post(`organizations/${acme.name}/projects`, acme.owner.token, bodyOf('projects', attributes));
  expect(made.problems).toEqual([]);
  expect(await versionOf({}, { project: { data: { type: 'projects', id: made.data.id } } })).toBe('1.9.1');
});

test('§4.2 the newest release of all where its runs are not executed, or no agent is there that has any', async () => {
  await has(null, ['1.11.4'], { exited_at: new Date() });
  await has(null, ['1.11.4'], { last_ping_at: new Date(Date.now() - 3_600_000) });
  await has(await agentPool(app, acme), ['1.11.4']);
  expect(await versionOf()).toBe(newest);
  await has(null, ['1.11.4']);
  expect(await versionOf({ 'execution-mode': 'local' })).toBe(newest);
});

test('§4.2 of what an agent has, only what a workspace may be set to counts: no pre-release, nothing disabled or unknown', async () => {
  await has(null, ['1.12.0-rc1', '99.0.0', 'unreadable', '1.9.8']);
  const sql = app.store.read;
  await sql`update engine_versions set enabled = false where engine_versions.version = '1.9.8'`;
  await sql`update engine_versions set deprecated = true where engine_versions.version = '1.10.4'`;
  expect(await versionOf()).toBe(newest);
  await has(null, ['1.10.4', '1.10.3']);
  expect(await versionOf()).toBe('1.10.3');
});

test('§4.2 a patch that came out after those of the table counts, too', async () => {
  await has(null, ['1.10.99', '1.10.3']);
  expect(await versionOf()).toBe('1.10.99');
});
