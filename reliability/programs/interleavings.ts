/**
 * R2: a few callers at once, on two servers, about one record. Whatever they were answered, there must be an order of single
 * moments that explains it by the rules of §3.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { drawsFor } from '../../src/commands/seed/draws.ts';
import { atOnce } from '../../test/running/at-once.ts';
import type { Client } from '../client.ts';
import { explain, type Step } from '../linearizable.ts';
import { clientOf, openPair } from '../pair.ts';
import { atMost, type Program, seen } from '../program.ts';
import { type Action, type Prepared, scenarios } from '../scenarios.ts';
import { account, furnish } from '../world.ts';

const historiesAtOnce = 4;
const longestPause_ms = 4;
const shownOnes = 10;

export const interleavings: Program = async ({ isQuick, count = isQuick ? 500 : 10_000, seed, say, ...told }) => {
  const environment = { ...told.environment, TERRANE_INVITATIONS: 'immediate' };
  const { servers, clients } = await openPair({ ...told, environment });
  const { organization } = await furnish(servers[0], 'interleaved', 0);
  const users = [await owner(clients[0], organization, 'ada'), await owner(clients[0], organization, 'bob')];
  const doors = servers.map(one => clientOf(one, ''));
  const [unexplained, silent]: [string[], string[]] = [[], []];
  const answers = new Map<string, number>();
  await atOnce(historiesAtOnce, count, async turn => {
    const scenario = scenarios[turn % scenarios.length]!;
    const prepared = await scenario.prepare({ organization, client: clients[turn % 2]! }, `record-${turn}`);
    const history = await play(prepared, { users, doors }, `${seed} ${turn}`);
    for (const { action, status } of history) {
      const what = `${scenario.name}: ${action.what} ${status}`;
      answers.set(what, (answers.get(what) ?? 0) + 1);
      if (status === 0) silent.push(what);
    }
    if (!explain(prepared.model, history)) {
      const what = `${scenario.name} (${turn}): ${written(history)}`;
      unexplained.push(what);
      if (unexplained.length <= shownOnes) say(what);
    }
    if (turn % 500 === 499) say(`${turn + 1} of ${count}, ${unexplained.length} unexplained`);
  });
  for (const [what, times] of [...answers].sort()) say(`${String(times).padStart(7)} × ${what}`);
  return [
    seen('histories', count),
    seen(
      'requests',
      [...answers.values()].reduce((sum, times) => sum + times, 0),
    ),
    atMost('histories without an order that explains them', unexplained.length, 0),
    atMost('requests without an answer', silent.length, 0),
  ];
};

interface Player {
  name: string;
  token: string;
}

/** Two to four callers, each with one or two requests, at moments drawn by lot. */
async function play(
  { asks }: Prepared,
  { users, doors }: { users: readonly Player[]; doors: readonly Client[] },
  seed: string,
): Promise<Step<Action>[]> {
  const draws = drawsFor(seed);
  const callers = Array.from({ length: 2 + draws.below(3) }, () =>
    Array.from({ length: 1 + draws.below(2) }, () => ({
      ask: draws.pick(asks),
      user: draws.pick(users),
      door: draws.pick(doors),
      pause_ms: draws.below(longestPause_ms),
    })),
  );
  const history: Step<Action>[] = [];
  await Promise.all(
    callers.map(async turns => {
      for (const { ask, user, door, pause_ms } of turns) {
        await sleep(pause_ms);
        const outcome = await door.ask(ask.method, ask.path, ask.body, user.token);
        const { begun_ms, milliseconds, status, document } = outcome;
        const shown = status === 200 ? ask.shows?.(document.data) : undefined;
        history.push({
          action: { what: ask.what, by: user.name },
          status,
          shown,
          begun_ms,
          ended_ms: begun_ms + milliseconds,
        });
      }
    }),
  );
  return history;
}

const written = (history: readonly Step<Action>[]) =>
  history
    .toSorted((one, other) => one.begun_ms - other.begun_ms)
    .map(({ action, status, shown, begun_ms, ended_ms }) => {
      const [from, to] = [begun_ms, ended_ms].map(at => (at - history[0]!.begun_ms).toFixed(1));
      return `[${from}–${to}] ${action.by} ${action.what} → ${status}${shown === undefined ? '' : ` ${JSON.stringify(shown)}`}`;
    })
    .join('; ');

async function owner(client: Client, organization: string, name: string): Promise<Player> {
  const { token } = await account(client, name);
  const teams = await client.ask('GET', `organizations/${organization}/teams?filter[names]=owners`);
  const path = `organizations/${organization}/organization-memberships`;
  const data = [{ type: 'teams', id: teams.document.data[0].id }];
  await client.make(path, 'organization-memberships', { email: `${name}@example.com` }, { teams: { data } });
  return { name, token };
}
