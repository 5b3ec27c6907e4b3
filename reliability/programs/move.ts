/** An organization moves from one Terrane to another, is broken off twice on the way, and afterwards `compare` finds all of it. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, type Document, openClient } from '../client.ts';
import { type Command, command, run } from '../command.ts';
import { openPostgres, type Postgres } from '../postgres.ts';
import { atExit } from '../processes.ts';
import { atMost, type Finding, type Program, seen, type Told } from '../program.ts';
import { adminToken, server } from '../server.ts';

const organization = 'globex';
const atOnce = 8;
/** When it is broken off, as a part of the workspaces that have come, and how. */
const breaks = [
  { part: 0.3, signal: 'SIGTERM' },
  { part: 0.65, signal: 'SIGKILL' },
] as const;
/** Receivers stand on this machine. */
const reachable = { TERRANE_ALLOW_PRIVATE_ADDRESSES: '127.0.0.0/8' };

/** `count` is how many workspaces move. */
export const move: Program = async given => {
  const { isQuick, count = isQuick ? 100 : 2000, say } = given;
  const told = { ...given, environment: { ...reachable, ...given.environment } };
  const alone = { ...told, isAlone: true };
  const [first, second] = [await openPostgres(told.postgres), await openPostgres(told.postgres)];
  const [source, target] = [await server(first, alone), await server(second, alone)];
  await Promise.all([source.start(), target.start()]);
  const teams = Math.ceil(count / 40);
  await command(first, told, [
    'seed',
    '--organization',
    organization,
    '--workspaces',
    `${count}`,
    '--teams',
    `${teams}`,
  ]);
  const client = openClient({ port: source.port, token: adminToken, connections: atOnce });
  await furnish(client, await receiver());
  client.close();
  say(`${count} workspaces, ${teams} teams, variables, states, notifications and a run task are there`);
  const folder = mkdtempSync(join(tmpdir(), 'terrane-move-'));
  atExit(() => rmSync(folder, { recursive: true, force: true }));
  const report = join(folder, 'report');
  const both = [
    ...['--from', `http://127.0.0.1:${source.port}`, '--to', `http://127.0.0.1:${target.port}`],
    ...['--organization', organization, '--state', 'all'],
  ];
  const importing = () => run(second, own(told), ['import', ...both, '--report', report]);
  for (const { part, signal } of breaks) {
    const child = importing();
    const came = await until(second, count * part, child);
    child.kill(signal);
    await child.ended;
    say(`broken off by ${signal} when ${came} of them had come`);
  }
  const last = importing();
  const code = await last.ended;
  const comparing = run(second, own(told), ['compare', ...both, '--json']);
  const same = await comparing.ended;
  if (same !== 0) say(comparing.output().slice(0, 4000));
  const came = await arrived(second);
  return [
    { what: 'workspaces that came', found: String(came), goal: String(count), holds: came === count },
    ...figures(JSON.parse(readFileSync(`${report}.json`, 'utf8')), last),
    atMost('exit code of the third call', code ?? 1, 0),
    atMost('exit code of compare, 1 where anything differs', same ?? 1, 0),
    { ...seen('compare', comparing.seconds()), found: used(comparing) },
  ];
};

/** Commands learn both tokens by the environment. */
const own = (told: Told): Told => ({
  ...told,
  environment: { ...told.environment, TERRANE_FROM_TOKEN: adminToken, TERRANE_TO_TOKEN: adminToken },
});

const used = (one: Command) =>
  `${one.seconds().toFixed(0)} s, of which ${one.processor_s().toFixed(0)} s of its own; ${one.memory_mb().toFixed(0)} MB`;

function figures(report: Document, child: Command): Finding[] {
  const records = Object.values<Record<string, number>>(report.counts)
    .flatMap(({ made = 0, changed = 0, unchanged = 0 }) => [made, changed, unchanged])
    .reduce((sum, one) => sum + one, 0);
  const { from, to } = report.requests;
  return [
    { ...seen('the third call', records), found: used(child) },
    {
      ...seen('records it looked at, by second', records),
      found: `${records}, ${(records / child.seconds()).toFixed(0)}/s`,
    },
    { ...seen('requests to the source and to the target', from + to), found: `${from} and ${to}` },
    atMost('records that failed', report.failed.length, 0),
  ];
}

const arrived = (postgres: Postgres) =>
  postgres.query(async sql => Number((await sql<{ count: string }[]>`select count(*) from workspaces`)[0]!.count));

/** Resolves with how many workspaces there are, once there are so many. Throws where the command is over before. */
async function until(postgres: Postgres, least: number, child: Command): Promise<number> {
  for (;;) {
    const came = await arrived(postgres);
    if (came >= least) return came;
    if (await child.isOver(100))
      throw new Error(`It was over when ${came} had come:\n${child.output()}${child.errors()}`);
  }
}

/** Answers 200 to whatever runs are shown to. Returns its address. */
async function receiver(): Promise<string> {
  const listening = createServer((request, response) => request.resume().once('end', () => response.end('taken')));
  listening.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  atExit(() => {
    listening.closeAllConnections();
    listening.close();
  });
  return `http://127.0.0.1:${(listening.address() as AddressInfo).port}/`;
}

/** What `seed` does not make: two variables, a notification and a run task for each workspace, and two states for every other one. */
async function furnish(client: Client, url: string): Promise<void> {
  const task = await client.make(`organizations/${organization}/tasks`, 'tasks', {
    name: 'scan',
    url,
    category: 'task',
  });
  const workspaces = await listed(client);
  let next = 0;
  const work = async () => {
    while (next < workspaces.length) {
      const position = next;
      next += 1;
      await furnishOne(client, workspaces[position]!, { url, task: task.id, hasStates: position % 2 === 0 });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}

async function furnishOne(
  client: Client,
  path: string,
  { url, task, hasStates }: { url: string; task: string; hasStates: boolean },
): Promise<void> {
  await client.make(`${path}/vars`, 'vars', { key: 'REGION', value: 'eu', category: 'env' });
  await client.make(`${path}/vars`, 'vars', { key: 'TOKEN', value: path, category: 'env', sensitive: true });
  const told = { 'destination-type': 'generic', name: 'operations', url, enabled: true, triggers: ['run:errored'] };
  await client.make(`${path}/notification-configurations`, 'notification-configurations', told);
  const use = { 'enforcement-level': 'advisory', stages: ['post_plan'] };
  await client.make(`${path}/tasks`, 'workspace-tasks', use, { task: { data: { type: 'tasks', id: task } } });
  if (!hasStates) return;
  const locked = await client.ask('POST', `${path}/actions/lock`, {});
  // Some of the seeded ones are locked already.
  if (locked.status !== 200) return;
  for (const serial of [1, 2]) await client.make(`${path}/state-versions`, 'state-versions', stateOf(path, serial));
  await client.ask('POST', `${path}/actions/unlock`);
}

function stateOf(lineage: string, serial: number): object {
  const outputs = { id: { value: lineage.repeat(100), type: 'string' } };
  const state = { version: 4, terraform_version: '1.9.0', serial, lineage, outputs, resources: [] };
  const bytes = Buffer.from(JSON.stringify(state));
  return { serial, lineage, md5: createHash('md5').update(bytes).digest('hex'), state: bytes.toString('base64') };
}

/** The path of each workspace. */
async function listed(client: Client): Promise<string[]> {
  const all: string[] = [];
  for (let page: number | null = 1; page !== null; ) {
    const path = `organizations/${organization}/workspaces?page[size]=100&page[number]=${page}`;
    const { document } = await client.ask('GET', path);
    all.push(...document.data.map(({ id }: Document) => `workspaces/${id}`));
    page = document.meta.pagination['next-page'];
  }
  return all;
}
