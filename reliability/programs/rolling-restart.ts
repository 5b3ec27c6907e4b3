/** R6: two servers are restarted in turns under load. No request fails, none is refused, and no connection breaks. */
import { setTimeout as sleep } from 'node:timers/promises';
import { balance } from '../balancer.ts';
import { loadAt, tally } from '../load.ts';
import { openPostgres } from '../postgres.ts';
import { atMost, type Program, seen } from '../program.ts';
import { server } from '../server.ts';
import { furnish, mixedRequests } from '../world.ts';

const perSecond = 200;
const readyLimit_ms = 10_000;

export const rollingRestart: Program = async ({ isQuick, count = isQuick ? 2 : 20, say, ...told }) => {
  const postgres = await openPostgres(told.postgres);
  const both = [await server(postgres, told), await server(postgres, told)];
  for (const one of both) await one.start();
  const next = mixedRequests(await furnish(both[0]!, 'restarts', 20));
  const balancer = balance(both);
  const load = loadAt(perSecond, () => balancer.ask(...next()));
  await sleep(2000);
  const exits: (number | null)[] = [];
  let unheard = 0;
  for (let restart = 0; restart < count; restart += 1) {
    const one = both[restart % 2]!;
    const started_ms = performance.now();
    exits.push(await one.stop());
    const stopped_ms = performance.now();
    // On a machine that is too busy a balancer asks too late, and sends to a server that has gone: that shows nothing of it.
    if (balancer.isReady(one)) unheard += 1;
    await one.start();
    const deadline_ms = Date.now() + readyLimit_ms;
    while (!balancer.isReady(one) && Date.now() < deadline_ms) await sleep(20);
    await sleep(1000);
    say(`restart ${restart + 1}: gone after ${Math.round(stopped_ms - started_ms)} ms, ${tally(load.outcomes)}`);
  }
  const outcomes = await load.end();
  balancer.close();
  const failed = outcomes.filter(({ status }) => status < 200 || status >= 300);
  if (failed.length > 0) say(`readiness as the balancer saw it: ${balancer.history()}`);
  return [
    seen('restarts', exits.filter(code => code === 0).length),
    seen('requests', outcomes.length),
    { ...atMost('failed, refused or broken off', failed.length, 0), found: tally(failed) },
    atMost('restarts of which the balancer heard too late', unheard, 0),
    atMost('restarts that ended other than with 0', exits.filter(code => code !== 0).length, 0),
  ];
};
