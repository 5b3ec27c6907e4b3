/** Writes beside pgbench: the same rows written in a transaction of its own, by as many clients, on the same database, in turns. */
import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openStore, type Sql } from '../src/core/store/store.ts';
import { type Database, scratch } from './databases.ts';
import { ask, load } from './load.ts';
import { median } from './measure.ts';
import { processorTimeOf, startTerrane } from './servers.ts';
import { sample, type Workload, writeWorkloads } from './workloads.ts';

export interface BesidePgbench {
  workload: string;
  /** Changes a second: of Terrane, of pgbench, and the median of the rounds' ratios. */
  terrane: number;
  pgbench: number;
  ratio: number;
  /** Processor time in microseconds a change: of the server alone, of PostgreSQL under it, and of PostgreSQL under pgbench. */
  processor: number;
  database: number;
  databaseOfPgbench: number;
}

export interface Limits {
  rounds: number;
  seconds: number;
  connections: number;
  profile: boolean;
}

export async function besidePgbench(database: Database, limits: Limits): Promise<BesidePgbench[]> {
  requirePgbench();
  const folder = mkdtempSync(join(tmpdir(), 'terrane-writes-'));
  const server = await startTerrane(database, { profile: limits.profile });
  const store = openStore(database.connection, { connections: 1, isPatient: true });
  try {
    const samples = await sample(server, database);
    const found: BesidePgbench[] = [];
    for (const workload of writeWorkloads(samples)) {
      const { body } = await ask(server, workload.next());
      const { id } = JSON.parse(body).data;
      const script = join(folder, `${workload.name}.sql`);
      const writes =
        workload.name === 'update' ? update(samples.workspaces.map(one => one.id)) : await create(store.read);
      writeFileSync(script, `${writes}\n${event(await lastEvent(store.read, id))}\ncommit;\n`);
      const databaseTime = await clockOf(store.read);
      found.push(await inTurns(workload, server, databaseTime, () => pgbench(database, script, limits), limits));
    }
    return found;
  } finally {
    await store.close();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Twice as many as there are samples. */
const warmRequests = 1000;

interface Round {
  terrane: number;
  pgbench: number;
  processor: number;
  database: number;
  databaseOfPgbench: number;
}

async function inTurns(
  workload: Workload,
  server: Awaited<ReturnType<typeof startTerrane>>,
  databaseTime: () => number,
  other: () => Promise<number>,
  limits: Limits,
): Promise<BesidePgbench> {
  const rounds: Round[] = [];
  // Code is compiled before the clock runs.
  await load(server, workload.next, { ...limits, seconds: 20, requests: 3000 });
  const ofPgbench = async () => {
    const before = databaseTime();
    const rate = await other();
    const changes = rate * Math.ceil(limits.seconds);
    return { pgbench: rate, databaseOfPgbench: ((databaseTime() - before) / changes) * 1_000_000 };
  };
  for (let round = 0; round < limits.rounds; round += 1) {
    const first = round % 2 === 0 ? await ofPgbench() : undefined;
    // pgbench has changed each of these records behind the server's back: what it knew of them is another question.
    await load(server, workload.next, { ...limits, seconds: 20, requests: warmRequests });
    const before = [server.processorTime(), databaseTime()] as const;
    const { requests, seconds } = await load(server, workload.next, limits);
    const each = (after: number, earlier: number) => ((after - earlier) / requests) * 1_000_000;
    const processor = each(server.processorTime(), before[0]);
    const database = each(databaseTime(), before[1]);
    rounds.push({ terrane: requests / seconds, processor, database, ...(first ?? (await ofPgbench())) });
  }
  const of = (value: (round: Round) => number) => median(rounds.map(value));
  return {
    workload: workload.name,
    terrane: of(({ terrane }) => terrane),
    pgbench: of(({ pgbench }) => pgbench),
    ratio: of(({ terrane, pgbench }) => terrane / pgbench),
    processor: of(({ processor }) => processor),
    database: of(({ database }) => database),
    databaseOfPgbench: of(({ databaseOfPgbench }) => databaseOfPgbench),
  };
}

/** Tells how much processor time PostgreSQL has used, in seconds: all of its processes, those that have ended too. */
async function clockOf(sql: Sql): Promise<() => number> {
  const [found] = await sql<{ postmaster: number }[]>`
    select split_part(pg_read_file('postmaster.pid'), e'\\n', 1)::integer as postmaster`;
  const { postmaster } = found!;
  return () => {
    const living = execFileSync('ps', ['-o', 'pid=', '--ppid', String(postmaster)], { encoding: 'utf8' });
    const processes = living.split('\n').filter(line => line.trim() !== '');
    return processes.reduce(
      (sum, pid) => sum + processorTimeOf(Number(pid)),
      processorTimeOf(postmaster, 'and children'),
    );
  };
}

function requirePgbench(): void {
  try {
    execFileSync('pgbench', ['--version'], { stdio: 'ignore' });
  } catch {
    throw new Error('There is no pgbench: it comes with PostgreSQL (Debian: postgresql-15).');
  }
}

/** Transactions a second. */
async function pgbench({ connection }: Database, script: string, { connections, seconds }: Limits): Promise<number> {
  const { socketDirectory, user, database } = connection;
  const shape = [
    '-n',
    '-M',
    'prepared',
    '-c',
    `${connections}`,
    '-j',
    '2',
    '-T',
    `${Math.ceil(seconds)}`,
    '-f',
    script,
  ];
  const { stdout } = await promisify(execFile)('pgbench', [...shape, '-h', socketDirectory, '-U', user, database]);
  const [, rate] = /tps = ([\d.]+)/.exec(stdout) ?? [];
  const [, failed] = /failed transactions: (\d+)/.exec(stdout) ?? [];
  if (!rate || Number(failed ?? 0) > 0) throw new Error(`pgbench:\n${stdout}`);
  return Number(rate);
}

const update = (ids: readonly string[]) => `\\set at random(1, ${ids.length})
begin;
select workspaces.id from workspaces where workspaces.id = (array[${ids.map(id => `'${id}'`)}])[:at] for update \\gset
update workspaces set description = 'change ' || random(), updated_at = now(), revision = default where workspaces.id = :id;`;

async function create(sql: Sql): Promise<string> {
  const [place] = await sql<{ organization_id: string; project_id: string }[]>`
    select organizations.id as organization_id, projects.id as project_id
    from organizations join projects on projects.organization_id = organizations.id
    where organizations.name = ${scratch}
    order by projects.id limit 1`;
  const { organization_id: organization, project_id: project } = place!;
  return `\\set slot random(0, 7)
begin;
select organizations.id, 'ws-' || substr(md5(random()::text), 1, 16) as made from organizations
where organizations.id = '${organization}' for key share \\gset
insert into workspaces (id, organization_id, project_id, name, engine_version)
values (:made, '${organization}', '${project}', :made, '1.9.0');
insert into workspace_counts (organization_id, slot, workspaces) values ('${organization}', :slot, 1)
on conflict (organization_id, slot) do update set workspaces = workspace_counts.workspaces + 1;
insert into project_workspace_counts (project_id, slot, workspaces) values ('${project}', :slot, 1)
on conflict (project_id, slot) do update set workspaces = project_workspace_counts.workspaces + 1;`;
}

type Event = Record<string, string>;

async function lastEvent(sql: Sql, id: string): Promise<Event> {
  const [last] = await sql<Event[]>`
    select audit_events.organization_id, audit_events.action, audit_events.actor_type, audit_events.actor_id,
      audit_events.resource_id, audit_events.changes::text as changes
    from audit_events where audit_events.resource_id = ${id} order by audit_events.occurred_at desc, audit_events.id limit 1`;
  return last!;
}

/** As large as Terrane's. In hexadecimal, since pgbench takes what stands behind a colon for a variable of its own. */
function event({ organization_id, action, actor_type, actor_id, resource_id, changes }: Event): string {
  const written = `convert_from(decode('${Buffer.from(changes!).toString('hex')}', 'hex'), 'utf8')`;
  return `insert into audit_events
  (id, organization_id, action, actor_type, actor_id, resource_type, resource_id, changes, request_id)
values ('ae-' || substr(md5(random()::text), 1, 16), '${organization_id}', '${action}', '${actor_type}', '${actor_id}',
  'workspaces', '${resource_id}', ${written}::jsonb, 'req-pgbench');`;
}
