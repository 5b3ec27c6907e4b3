/**
 * R5: the primary dies under write load from two servers, and the replica takes its place. What was acknowledged is there,
 * and both servers go on by themselves. With a replica that nobody waits for, writes are lost: so the check would see it.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { atOnce } from '../../test/running/at-once.ts';
import { type Client, type Outcome, openClient } from '../client.ts';
import { type Cluster, openCluster } from '../cluster.ts';
import { tally } from '../load.ts';
import { endEverything } from '../processes.ts';
import { atMost, type Program, seen, type Told } from '../program.ts';
import { adminToken, server } from '../server.ts';
import { described, furnish } from '../world.ts';

const writersOfEach = 4;
const changesOfEach = 10;
const delay_ms = 50;
const still_ms = 3000;
const back_s = 60;
/** Debian's. */
const ownPrograms = '/usr/lib/postgresql/15/bin';

/** `count` is how often the primary dies. */
export const failover: Program = async ({ isQuick, count = isQuick ? 1 : 4, ...told }) => {
  const awaited = await underDeaths(told, count, true);
  await endEverything();
  const control = await underDeaths(told, 1, false);
  return [
    seen('deaths of the primary', awaited.deaths_s.length),
    seen('writes acknowledged', awaited.acknowledged),
    atMost('of those lost', awaited.lost, 0),
    atMost('workspaces newer than was ever sent', awaited.newer, 0),
    { ...atMost('answers other than 200, 201 and 503', awaited.others.length, 0), found: tally(awaited.others) },
    atMost('the longest until both servers wrote again', Math.max(...awaited.deaths_s), back_s, ' s'),
    seen('where nobody waits for the replica: writes acknowledged', control.acknowledged),
    seen('  of those lost, as they must be', control.lost),
  ];
};

/** One workspace, of which one writer writes: each change has the number behind the one before. */
interface Ledger {
  id: string;
  sent: number;
  acknowledged: number[];
}

interface Load {
  ledgers: Ledger[];
  /** What was answered other than done, or not now. */
  others: Outcome[];
  /** When the last request was sent that was acknowledged. */
  lastGood_ms: () => number;
  end: () => Promise<void>;
}

interface Found {
  acknowledged: number;
  lost: number;
  newer: number;
  others: Outcome[];
  /** From each death until both servers wrote again. */
  deaths_s: number[];
}

async function underDeaths(
  told: Pick<Told, 'program' | 'environment' | 'postgres' | 'say'>,
  count: number,
  isSynchronous: boolean,
): Promise<Found> {
  const { say, postgres: programs = ownPrograms } = told;
  const cluster = await openCluster({ isSynchronous, delay_ms, programs, say });
  const servers = [await server(cluster, told), await server(cluster, told)];
  for (const one of servers) await one.start();
  const { organization } = await furnish(servers[0]!, 'failover', 0);
  const clients = servers.map(({ port }) => openClient({ port, token: adminToken }));
  const loads = clients.map((client, at) => startWriting(client, organization, `server-${at}`));
  const deaths_s: number[] = [];
  for (let death = 0; death < count; death += 1) {
    await sleep(5000);
    // Every second time the replica hears nothing for a while before: whatever is acknowledged meanwhile would be lost.
    const dead = await die(cluster, death % 2 === 0);
    const died_ms = performance.now();
    while (loads.some(({ lastGood_ms }) => lastGood_ms() < died_ms)) await sleep(50);
    deaths_s.push((performance.now() - died_ms) / 1000);
    say(`${dead} died, both servers wrote again after ${deaths_s.at(-1)!.toFixed(1)} s`);
    if (death + 1 < count) await cluster.revive(dead);
  }
  for (const load of loads) await load.end();
  const ledgers = loads.flatMap(load => load.ledgers);
  const found = { acknowledged: 0, lost: 0, newer: 0, others: loads.flatMap(({ others }) => others), deaths_s };
  await atOnce(writersOfEach, ledgers.length, turn => compare(clients[turn % 2]!, ledgers[turn]!, found));
  for (const client of clients) client.close();
  return found;
}

async function die(cluster: Cluster, isStill: boolean): Promise<string> {
  if (isStill) {
    cluster.hold();
    await sleep(still_ms);
  }
  const dead = await cluster.killPrimary();
  cluster.release();
  return dead;
}

/** Each writer makes a workspace, changes it a few times, and goes on to the next. What was not answered is neither done nor not done. */
function startWriting(client: Client, organization: string, name: string): Load {
  const [ledgers, others]: [Ledger[], Outcome[]] = [[], []];
  let [isOver, made, lastGood_ms] = [false, 0, 0];
  const write = async (...asked: Parameters<Client['ask']>): Promise<Outcome> => {
    const outcome = await client.ask(...asked);
    if (outcome.status === 200 || outcome.status === 201) lastGood_ms = Math.max(lastGood_ms, outcome.begun_ms);
    else {
      if (outcome.status !== 503) others.push(outcome);
      await sleep(100);
    }
    return outcome;
  };
  const writer = async () => {
    while (!isOver) {
      made += 1;
      const body = { data: { type: 'workspaces', attributes: { name: `${name}-${made}` } } };
      const { status, document } = await write('POST', `organizations/${organization}/workspaces`, body);
      if (status !== 201) continue;
      const ledger: Ledger = { id: document.data.id, sent: 0, acknowledged: [0] };
      ledgers.push(ledger);
      while (ledger.sent < changesOfEach && !isOver) {
        ledger.sent += 1;
        const number = ledger.sent;
        const changed = await write('PATCH', `workspaces/${ledger.id}`, described(String(number)));
        if (changed.status === 200) ledger.acknowledged.push(number);
      }
    }
  };
  const all = Array.from({ length: writersOfEach }, writer);
  return {
    ledgers,
    others,
    lastGood_ms: () => lastGood_ms,
    end: async () => {
      isOver = true;
      await Promise.all(all);
    },
  };
}

/** Adds what became of a workspace: a change of a number was done where that number or a later one is there. */
async function compare(client: Client, { id, sent, acknowledged }: Ledger, found: Found): Promise<void> {
  const { status, document } = await client.ask('GET', `workspaces/${id}`);
  if (status !== 200 && status !== 404) throw new Error(`GET ${id}: ${status}`);
  const last = status === 404 ? -1 : Number(document.data.attributes.description ?? 0);
  found.acknowledged += acknowledged.length;
  found.lost += acknowledged.filter(number => number > last).length;
  if (last > sent) found.newer += 1;
}
