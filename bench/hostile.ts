/** `npm run bench -- hostile`: what a good caller notices of one that floods the server, in turns with quiet. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { openStore } from '../src/core/store/store.ts';
import { type Database, organization, token } from './databases.ts';
import { kinds } from './floods.ts';
import { ask, load, type Target } from './load.ts';
import { median, percentile } from './measure.ts';
import { type Server, type Starting, startTerrane } from './servers.ts';
import { readWorkloads, sample } from './workloads.ts';

export interface Neighbour {
  kind: string;
  /** Latencies of the good caller in milliseconds: quiet, and beside the flood. */
  quiet: Pair;
  beside: Pair;
  /** The ratio in each round for itself, and of those the one in the middle. */
  ratio: Pair;
}

interface Pair {
  median: number;
  percentile99: number;
}

const floods = fileURLToPath(new URL('floods.ts', import.meta.url));
const settle_ms = 500;

/** The good caller reads records and pages one after the other, under an account of its own. */
export async function besideFloods(
  database: Database,
  { rounds, seconds, only }: { rounds: number; seconds: number; only: string },
  starting: Starting = {},
): Promise<Neighbour[]> {
  const server = await startTerrane(database, starting);
  try {
    const samples = await sample(server, database);
    const good = { port: server.port, token: await otherToken(server) };
    const workloads = readWorkloads(samples, database).filter(({ hasBaseline }) => hasBaseline);
    let turn = 0;
    const next = () => {
      turn += 1;
      return workloads[turn % workloads.length]!.next();
    };
    const held = samples.workspaces[0]!.id;
    await load(good, next, { connections: 4, seconds: 2 });
    const found: Neighbour[] = [];
    for (const kind of kinds.filter(name => name.includes(only))) {
      const [quiet, beside]: [Pair[], Pair[]] = [[], []];
      for (let round = 0; round < rounds; round += 1) {
        quiet.push(await latency(good, next, seconds));
        const end = await flood(kind, server, database, held);
        beside.push(await latency(good, next, seconds));
        await end();
      }
      const ratios = beside.map((pair, round) => ({
        median: pair.median / quiet[round]!.median,
        percentile99: pair.percentile99 / quiet[round]!.percentile99,
      }));
      found.push({ kind, quiet: middle(quiet), beside: middle(beside), ratio: middle(ratios) });
    }
    return found;
  } finally {
    await server.stop();
  }
}

/** Of the organization itself: another account than the administrator's, which is the hostile one. */
async function otherToken(target: Target): Promise<string> {
  const path = `/api/v2/organizations/${organization}/authentication-token`;
  const { status, body } = await ask(target, {
    method: 'POST',
    path,
    body: '{"data":{"type":"authentication-tokens"}}',
  });
  if (status !== 201) throw new Error(`No token for the good caller: ${status} ${body}`);
  return JSON.parse(body).data.attributes.token;
}

async function latency(target: Target, next: Parameters<typeof load>[1], seconds: number): Promise<Pair> {
  const { latencies } = await load(target, next, { connections: 1, seconds });
  return { median: percentile(latencies, 0.5), percentile99: percentile(latencies, 0.99) };
}

const middle = (pairs: readonly Pair[]): Pair => ({
  median: median(pairs.map(pair => pair.median)),
  percentile99: median(pairs.map(({ percentile99 }) => percentile99)),
});

/** Starts one, and returns what ends it. The row that its writers want is held meanwhile. */
async function flood(kind: string, { port }: Server, { connection }: Database, held: string) {
  const store = openStore(connection, { connections: 1, isPatient: true });
  let release = () => {};
  const holding = store.transaction(async sql => {
    await sql`select workspaces.id from workspaces where workspaces.id = ${held} for update`;
    await new Promise<void>(resolve => {
      release = resolve;
    });
  });
  const child: ChildProcess = spawn(process.execPath, ['--import', 'tsx', floods, kind, String(port), token, held], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await new Promise(resolve => setTimeout(resolve, settle_ms * 2));
  return async () => {
    if (child.exitCode !== null) throw new Error(`The flood of ${kind} ended by itself.`);
    child.kill('SIGKILL');
    await once(child, 'exit');
    release();
    await holding;
    await store.close();
    await new Promise(resolve => setTimeout(resolve, settle_ms));
  };
}
