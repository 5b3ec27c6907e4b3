/** `npm run bench -- agents`: how fast waiting jobs are handed out, and what people who read meanwhile notice of it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { newId } from '../src/core/store/ids.ts';
import { openStore, row, type Sql, type Store } from '../src/core/store/store.ts';
import { insertRun } from '../src/runs/queue/insert.ts';
import type { Seen } from './crowd.ts';
import { type Database, encryptionKey, organization } from './databases.ts';
import { ask, load, type Target } from './load.ts';
import { percentile } from './measure.ts';
import { type Server, startTerrane } from './servers.ts';
import { readWorkloads, sample } from './workloads.ts';

interface Given {
  agents: number;
  /** Of the plans that wait, one to a workspace at most; each is applied at once, which is a job of its own. */
  jobs: number;
  /** How long an agent works on each. */
  jobSeconds: number;
  profile: boolean;
}

interface Latency {
  median: number;
  percentile99: number;
}

export interface CrowdFigures {
  /** That waited. */
  plans: number;
  jobsPerSecond: number;
  statuses: Record<number, number>;
  quiet: Latency;
  beside: Latency;
  /** From sending a piece of a log until it can be read. */
  log: Latency;
  /** From `apply_queued` to `applying`. */
  apply: Latency;
  /** Of the server, in milliseconds a job. */
  processor_ms: number;
}

const crowd = fileURLToPath(new URL('crowd.ts', import.meta.url));
const quiet_s = 3;

export async function besideAgents(database: Database, given: Given): Promise<CrowdFigures> {
  const server = await startTerrane(database, { profile: given.profile });
  const store = openStore(database.connection, { connections: 1, isPatient: true });
  try {
    const pool = await makePool(server);
    const plans = await fillQueue(store, pool.id, given.jobs);
    const next = await reader(server, database);
    await load(server, next, { connections: 4, seconds: 2 });
    const quiet = await load(server, next, { connections: 1, seconds: quiet_s });
    const before = server.processorTime();
    const began = performance.now();
    const child = spawn(
      process.execPath,
      ['--import', 'tsx', crowd, String(server.port), pool.token, String(given.agents), String(given.jobSeconds)],
      { stdio: ['pipe', 'pipe', 'inherit'] },
    );
    const latencies: number[] = [];
    while (await isAtWork(store, pool.id, child))
      latencies.push(...(await load(server, next, { connections: 1, seconds: 0.5 })).latencies);
    const seconds = (performance.now() - began) / 1000;
    const processor = server.processorTime() - before;
    const seen = await saw(child);
    return {
      plans,
      jobsPerSecond: seen.jobs / seconds,
      statuses: seen.statuses,
      quiet: latencyOf(quiet.latencies),
      beside: latencyOf(latencies),
      log: latencyOf(seen.pieces),
      apply: latencyOf(await applyWaits(store.read, pool.id)),
      processor_ms: (processor / seen.jobs) * 1000,
    };
  } finally {
    await store.close();
    await server.stop();
  }
}

function latencyOf(values: readonly number[]): Latency {
  const ascending = values.toSorted((one, other) => one - other);
  return { median: percentile(ascending, 0.5), percentile99: percentile(ascending, 0.99) };
}

async function reader(server: Server, database: Database) {
  const workloads = readWorkloads(await sample(server, database), database).filter(({ hasBaseline }) => hasBaseline);
  let turn = 0;
  return () => {
    turn += 1;
    return workloads[turn % workloads.length]!.next();
  };
}

async function makePool(target: Target): Promise<{ id: string; token: string }> {
  const make = async (path: string, type: string, attributes: object) => {
    const body = JSON.stringify({ data: { type, attributes } });
    const answer = await ask(target, { method: 'POST', path: `/api/v2/${path}`, body });
    if (answer.status !== 201) throw new Error(`${path}: ${answer.status} ${answer.body}`);
    return JSON.parse(answer.body).data;
  };
  const { id } = await make(`organizations/${organization}/agent-pools`, 'agent-pools', { name: newId('apool') });
  const made = await make(`agent-pools/${id}/authentication-tokens`, 'authentication-tokens', { description: 'crowd' });
  return { id, token: made.attributes.token };
}

/** A run in each of as many workspaces as there are, straight in the database: it is not making them that is measured. */
async function fillQueue(store: Store, poolId: string, count: number): Promise<number> {
  const { read: sql } = store;
  const workspaces = await sql<{ id: string; organization_id: string; user_id: string }[]>`
    select workspaces.id, workspaces.organization_id, administrators.id as user_id
    from workspaces
    join organizations on organizations.id = workspaces.organization_id and organizations.name = ${organization}
    join users as administrators on administrators.username = 'admin'
    where not workspaces.locked
    order by workspaces.id limit ${count}`;
  if (workspaces.length === 0) throw new Error('There is no workspace to run something in.');
  for (const { id, organization_id, user_id } of workspaces) {
    await store.transaction(async inner => {
      const origin = {
        organization_id,
        workspace_id: id,
        configuration_version_id: await configurationVersion(inner, id, user_id),
        created_by_id: user_id,
        source: 'tfe-api',
        terraform_version: '1.9.0',
        execution_mode: 'agent' as const,
        agent_pool_id: poolId,
      };
      const settings = { message: 'Measured', plan_only: false, save_plan: false, auto_apply: true, variables: [] };
      await insertRun(inner, { encryptionKey }, origin, settings);
    });
  }
  await sql`analyze`;
  return workspaces.length;
}

async function configurationVersion(sql: Sql, workspaceId: string, userId: string): Promise<string> {
  const id = newId('cv');
  const position = sql`(
    select coalesce(max(configuration_versions.position), 0) + 1 from configuration_versions
    where configuration_versions.workspace_id = ${workspaceId}
  )`;
  const columns = { id, workspace_id: workspaceId, position, source: 'tfe-api', created_by_id: userId };
  await sql`insert into configuration_versions ${row(sql, { ...columns, status: 'uploaded' })}`;
  return id;
}

async function isAtWork({ read: sql }: Store, poolId: string, child: ChildProcess): Promise<boolean> {
  if (child.exitCode !== null) throw new Error('The agents have ended.');
  const [left] = await sql`
    select from runs where runs.agent_pool_id = ${poolId} and runs.finished_at is null limit 1`;
  return left !== undefined;
}

async function applyWaits(sql: Sql, poolId: string): Promise<number[]> {
  const waits = await sql<{ wait_ms: number }[]>`
    select (extract(epoch from jobs.started_at - jobs.created_at) * 1000)::double precision as wait_ms
    from jobs where jobs.agent_pool_id = ${poolId} and jobs.phase = 'apply'`;
  return waits.map(({ wait_ms }) => wait_ms);
}

async function saw(child: ChildProcess): Promise<Seen> {
  child.stdin!.write('end\n');
  let text = '';
  for await (const chunk of child.stdout!) text += chunk;
  return JSON.parse(text);
}
