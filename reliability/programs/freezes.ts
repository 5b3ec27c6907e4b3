/**
 * R8: a server is frozen while it holds a row, and then PostgreSQL is frozen. Who does not need what is frozen goes on,
 * who does gets an answer in bounded time, and what was held is free again.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { limits } from '../../src/core/limits.ts';
import type { Client, Outcome } from '../client.ts';
import { loadAt, tally } from '../load.ts';
import { clientOf, openPair, type Pair } from '../pair.ts';
import { atMost, type Finding, type Program, seen } from '../program.ts';
import { described, furnish, mixedRequests, type World } from '../world.ts';

const perSecond = 50;
/** So many that no request waits for a connection on this side. */
const crowdConnections = 2000;
const slack_ms = 2000;
/** A statement may last so long, and then its connection is given up (`core/store/lane.ts`). */
const answerLimit_ms = limits.statementTime_ms.value + limits.lockTime_ms.value + slack_ms;
const freeLimit_ms = limits.idleTransaction_ms.value + slack_ms;

export const freezes: Program = async ({ isQuick, say, ...told }) => {
  const pair = await openPair(told);
  const world = await furnish(pair.servers[0], 'frozen', 20);
  return [...(await freezeServer(pair, world, say)), ...(await freezeDatabase(pair, world, isQuick ? 8 : 20, say))];
};

async function freezeServer(
  { postgres, servers, clients }: Pair,
  world: World,
  say: (text: string) => void,
): Promise<Finding[]> {
  const [frozen, other] = clients;
  const crowd = clientOf(servers[1], undefined, crowdConnections);
  const { id } = world.workspaces[0]!;
  const change = (client: Client) => client.ask('PATCH', `workspaces/${id}`, described('changed'));
  const writers = loadAt(perSecond * 2, () => change(frozen));
  let held = 0;
  for (let attempt = 0; held === 0 && attempt < 500; attempt += 1) {
    await sleep(10);
    servers[0].freeze();
    await sleep(20);
    held = await heldBy(postgres, id);
    if (held === 0) servers[0].thaw();
  }
  say(held > 0 ? 'the server stands still, and holds the row' : 'the server was not caught holding the row');
  const frozenAt_ms = performance.now();
  const begun = writers.end();
  const next = mixedRequests({ ...world, workspaces: world.workspaces.slice(1) });
  const others = loadAt(perSecond, () => crowd.ask(...next()));
  const health: Outcome[] = [];
  const waiting: Outcome[] = [];
  do {
    health.push(await other.ask('GET', '/healthz'));
    waiting.push(await change(other));
  } while (waiting.at(-1)!.status !== 200 && performance.now() < frozenAt_ms + freeLimit_ms * 2);
  const free_ms = performance.now() - frozenAt_ms;
  say(`the row is free after ${Math.round(free_ms)} ms: ${tally(waiting)}`);
  servers[0].thaw();
  const thawn = await firstGood(() => change(frozen));
  const meanwhile = await others.end();
  return [
    seen('rows held by the frozen server', held),
    ...bounded('of the other server, for other rows', meanwhile, [200]),
    ...bounded('of the other server, for that row', waiting, [200, 503]),
    atMost('its health checks other than 200', health.filter(({ status }) => status !== 200).length, 0),
    atMost('until the row is free', free_ms, freeLimit_ms, ' ms'),
    atMost('until the server, thawn, changes the row', thawn, 5000, ' ms'),
    atMost('its requests without an answer', (await begun).filter(({ status }) => status === 0).length, 0),
    atMost('sessions left in a transaction', await idleTransactions(postgres), 0),
  ];
}

async function freezeDatabase(
  { postgres, servers, clients: [one] }: Pair,
  world: World,
  seconds: number,
  say: (text: string) => void,
): Promise<Finding[]> {
  const next = mixedRequests(world);
  const crowd = clientOf(servers[0], undefined, crowdConnections);
  const load = loadAt(perSecond, () => crowd.ask(...next()));
  await sleep(2000);
  const before_mb = servers[0].memory();
  await postgres.freeze();
  const frozenAt_ms = performance.now();
  say(`PostgreSQL stands still, for ${seconds} s`);
  const [health, ready]: [Outcome[], Outcome[]] = [[], []];
  while (performance.now() < frozenAt_ms + seconds * 1000) {
    health.push(await one.ask('GET', '/healthz'));
    ready.push(await one.ask('GET', '/readyz'));
    await sleep(100);
  }
  const grown_mb = servers[0].memory() - before_mb;
  await postgres.thaw();
  const back_ms = await firstGood(() => one.ask('PATCH', `workspaces/${world.workspaces[0]!.id}`, described('back')));
  await sleep(3000);
  const outcomes = await load.end();
  const during = outcomes.filter(({ begun_ms }) => begun_ms > frozenAt_ms && begun_ms < frozenAt_ms + seconds * 1000);
  const late = outcomes.filter(({ begun_ms }) => begun_ms > frozenAt_ms + seconds * 1000 + back_ms + 1000);
  return [
    atMost('health checks other than 200', health.filter(({ status }) => status !== 200).length, 0),
    atMost('the slowest', Math.max(...health.map(({ milliseconds }) => milliseconds)), slack_ms, ' ms'),
    {
      ...atMost('/readyz other than 503', ready.filter(({ status }) => status !== 503).length, 0),
      found: tally(ready),
    },
    ...bounded('while PostgreSQL stands still', during, [200, 429, 503]),
    atMost('memory meanwhile', grown_mb, 50, ' MB'),
    atMost('from its return to the first change', back_ms, 3000, ' ms'),
    ...bounded('from a second behind it', late, [200]),
    atMost('sessions left in a transaction', await idleTransactions(postgres), 0),
  ];
}

function bounded(what: string, outcomes: readonly Outcome[], statuses: readonly number[]): Finding[] {
  return [
    {
      ...seen(`answers ${what}`, outcomes.length),
      found: tally(outcomes),
      goal: statuses.join(', '),
      holds: outcomes.length > 0 && outcomes.every(({ status }) => statuses.includes(status)),
    },
    atMost('  the slowest', Math.max(0, ...outcomes.map(({ milliseconds }) => milliseconds)), answerLimit_ms, ' ms'),
  ];
}

async function firstGood(ask: () => Promise<Outcome>): Promise<number> {
  const started_ms = performance.now();
  while ((await ask()).status !== 200 && performance.now() < started_ms + 60_000) await sleep(20);
  return performance.now() - started_ms;
}

/** 1 where somebody else holds the workspace's row, and does nothing: a transaction whose next statement does not come. */
const heldBy = ({ query }: Pair['postgres'], id: string): Promise<number> =>
  query(async sql => {
    const free = await sql`select workspaces.id from workspaces where workspaces.id = ${id} for update skip locked`;
    const idle = await sql`
      select pg_stat_activity.pid from pg_stat_activity
      where pg_stat_activity.state = 'idle in transaction' and pg_stat_activity.query not like 'begin%'`;
    return free.length === 0 && idle.length > 0 ? 1 : 0;
  });

const idleTransactions = ({ query }: Pair['postgres']): Promise<number> =>
  query(async sql => {
    await sleep(1000);
    const rows = await sql`
      select pg_stat_activity.pid from pg_stat_activity
      where pg_stat_activity.state like 'idle in transaction%' and pg_stat_activity.state_change < now() - interval '1 second'`;
    return rows.length;
  });
