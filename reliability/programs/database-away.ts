/** R7: PostgreSQL is away for half a minute. The server lives, says so at once, keeps little, and is back when it is. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Outcome, openClient } from '../client.ts';
import { loadAt, percentile, tally } from '../load.ts';
import { openPostgres } from '../postgres.ts';
import { atMost, type Finding, type Program, seen } from '../program.ts';
import { adminToken, server } from '../server.ts';
import { furnish, mixedRequests } from '../world.ts';

const perSecond = 200;
const limit_ms = 2000;
const memory_mb = 50;
const back_ms = 3000;
const probe_ms = 100;

export const databaseAway: Program = async ({ isQuick, say, ...told }) => {
  const away_s = isQuick ? 6 : 30;
  const before_s = isQuick ? 5 : 60;
  const postgres = await openPostgres(told.postgres);
  const one = await server(postgres, told);
  await one.start();
  const next = mixedRequests(await furnish(one, 'away', 20));
  const client = openClient({ port: one.port, token: adminToken });
  const balancer = openClient({ port: one.port, token: adminToken });
  const health: { path: string; outcome: Outcome }[] = [];
  const probe = setInterval(() => {
    for (const path of ['/healthz', '/readyz'])
      void balancer.ask('GET', path).then(outcome => health.push({ path, outcome }));
  }, probe_ms);
  const load = loadAt(perSecond, () => client.ask(...next()));
  // A server that has just begun takes more by the minute, whatever befalls it.
  await sleep(before_s * 1000);
  const before_mb = one.memory();
  say(`PostgreSQL goes, for ${away_s} s`);
  const going_ms = performance.now();
  await postgres.stop();
  const gone_ms = performance.now();
  let greatest_mb = before_mb;
  for (let second = 0; second < away_s; second += 1) {
    await sleep(1000);
    greatest_mb = Math.max(greatest_mb, one.memory());
  }
  await postgres.start();
  const returned_ms = performance.now();
  say('PostgreSQL is back');
  await sleep(10_000);
  const ended_ms = performance.now() - 1000;
  const outcomes = await load.end();
  clearInterval(probe);
  client.close();
  balancer.close();
  const periods = { going_ms, gone_ms, returned_ms, ended_ms };
  return [
    ...ofHealth(health, periods),
    keptUp(outcomes, going_ms, before_s),
    ...ofRequests(outcomes, periods),
    atMost('memory while it is away', greatest_mb - before_mb, memory_mb, ' MB'),
  ];
};

interface Periods {
  /** When it was asked to go. */
  going_ms: number;
  gone_ms: number;
  returned_ms: number;
  ended_ms: number;
}

function ofHealth(health: { path: string; outcome: Outcome }[], { gone_ms, returned_ms }: Periods): Finding[] {
  const lives = health.filter(({ path }) => path === '/healthz').map(({ outcome }) => outcome);
  const ready = health.filter(({ path }) => path === '/readyz').map(({ outcome }) => outcome);
  const toldAt_ms =
    ready.find(one => one.begun_ms > gone_ms && one.status === 503)?.begun_ms ?? Number.POSITIVE_INFINITY;
  const wrong = ready.filter(
    one =>
      one.begun_ms > gone_ms + limit_ms && one.begun_ms + one.milliseconds < returned_ms - 1000 && one.status !== 503,
  );
  return [
    seen('health checks', health.length),
    atMost('/healthz other than 200', lives.filter(({ status }) => status !== 200).length, 0),
    atMost('until /readyz is 503', toldAt_ms - gone_ms, limit_ms, ' ms'),
    atMost('/readyz other than 503 from then on', wrong.length, 0),
    atMost('slowest health check', Math.max(...health.map(({ outcome }) => outcome.milliseconds)), limit_ms, ' ms'),
  ];
}

/** Where requests waited already while PostgreSQL was there, what they wait for while it is away says nothing. */
function keptUp(outcomes: readonly Outcome[], going_ms: number, seconds: number): Finding {
  const answered = outcomes.filter(({ begun_ms, milliseconds }) => begun_ms + milliseconds < going_ms).length;
  const share = answered / (perSecond * seconds);
  const percent = `${Math.round(share * 100)} %`;
  return {
    what: 'answered before, of those begun',
    found: percent,
    goal: '≥ 95 %, or this shows nothing',
    holds: share >= 0.95,
  };
}

function ofRequests(outcomes: readonly Outcome[], { going_ms, gone_ms, returned_ms, ended_ms }: Periods): Finding[] {
  const before = outcomes.filter(one => one.begun_ms + one.milliseconds < going_ms);
  // What was begun a moment before its return may have met it.
  const during = outcomes.filter(one => one.begun_ms > gone_ms && one.begun_ms < returned_ms - limit_ms);
  const behind = outcomes.filter(one => one.begun_ms > returned_ms);
  const asked = (one: Outcome) => one.status === 503 && one.headers['retry-after'] !== undefined;
  return [
    seen('requests before, all of them answered', before.every(({ status }) => status < 300) ? before.length : 0),
    seen('requests while it is away', during.length),
    {
      ...atMost('of those, other than 503 with Retry-After', during.filter(one => !asked(one)).length, 0),
      found: tally(during),
      goal: 'all 503',
    },
    atMost('slowest of those', slowest(during), limit_ms, ' ms'),
    { ...atMost('slowest before, for what this machine is busy with', slowest(before), limit_ms, ' ms'), holds: true },
    seen('requests behind its return, in a second', Math.round((behind.length / (ended_ms - returned_ms)) * 1000)),
    atMost('until full speed: a second without a failure', fullSpeedAfter(behind, returned_ms, before), back_ms, ' ms'),
  ];
}

const slowest = (outcomes: readonly Outcome[]) => Math.max(...outcomes.map(({ milliseconds }) => milliseconds));

/** From the return to the end of the first second in which all are answered, and half of them about as fast as before. */
function fullSpeedAfter(behind: readonly Outcome[], returned_ms: number, before: readonly Outcome[]): number {
  const usual_ms = percentile(
    before.map(({ milliseconds }) => milliseconds),
    0.5,
  );
  for (let from_ms = 0; from_ms < 10_000; from_ms += 100) {
    const second = behind.filter(
      ({ begun_ms }) => begun_ms >= returned_ms + from_ms && begun_ms < returned_ms + from_ms + 1000,
    );
    const median_ms = percentile(
      second.map(({ milliseconds }) => milliseconds),
      0.5,
    );
    if (second.every(({ status }) => status >= 200 && status < 300) && median_ms <= 2 * usual_ms + 10)
      return from_ms + 1000;
  }
  return Number.POSITIVE_INFINITY;
}
