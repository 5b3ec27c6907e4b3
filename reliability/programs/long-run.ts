/** R9: a very long run of mixed requests. The heap of its second half does not grow, nothing stays open, nothing piles up. */
import { setTimeout as sleep } from 'node:timers/promises';
import { atOnce } from '../../test/running/at-once.ts';
import { openClient } from '../client.ts';
import { tally } from '../load.ts';
import { openPostgres } from '../postgres.ts';
import { atMost, type Program, seen } from '../program.ts';
import { adminToken, type Server, server } from '../server.ts';
import { furnish, mixedRequests } from '../world.ts';

const samples = 40;
const heap_mb = 5;
const connections = 16;
/**
 * When it is asked to by a signal: collects garbage and says, under the number of the question, how large the heap is, and how
 * often it was warned that listeners pile up. All the rest of the log may be gone by then.
 */
const tellHeap = `data:text/javascript,let [asked,warned]=[0,0];
process.on("warning",({name})=>{if(name==="MaxListenersExceededWarning")warned+=1});
process.on("SIGUSR2",()=>{gc();asked+=1;console.error(\`heap \${asked} \${process.memoryUsage().heapUsed} \${warned}\`)})`.replaceAll(
  '\n',
  '',
);

export const longRun: Program = async ({ isQuick, count = isQuick ? 20_000 : 1_000_000, say, ...told }) => {
  const postgres = await openPostgres(told.postgres);
  const one = await server(postgres, { ...told, options: ['--expose-gc', '--import', tellHeap] });
  await one.start();
  const next = mixedRequests(await furnish(one, 'long', 500));
  const idle = one.descriptors();
  const heaps: number[] = [];
  let warnings = 0;
  const failed: Awaited<ReturnType<ReturnType<typeof openClient>['ask']>>[] = [];
  for (let sample = 0; sample < samples; sample += 1) {
    const client = openClient({ port: one.port, token: adminToken, connections });
    await atOnce(connections, Math.ceil(count / samples), async () => {
      const outcome = await client.ask(...next());
      if (outcome.status !== 200) failed.push(outcome);
    });
    client.close();
    const told = await heapOf(one, sample + 1);
    heaps.push(told.megabytes);
    warnings = told.warnings;
    say(
      `${Math.round((count * (sample + 1)) / samples)} requests: heap ${heaps.at(-1)!.toFixed(1)} MB, ${one.memory().toFixed(0)} MB resident`,
    );
  }
  await sleep(1000);
  const later = one.descriptors();
  const sessions = await postgres.query(
    sql => sql`select pg_stat_activity.pid from pg_stat_activity where pg_stat_activity.application_name = 'terrane'`,
  );
  return [
    seen('requests', count),
    { ...atMost('failed', failed.length, 0), found: tally(failed) },
    atMost('growth of the heap in the second half', growth(heaps.slice(samples / 2)), heap_mb, ' MB'),
    // Those to PostgreSQL are opened as they are needed, and kept.
    atMost('more files and connections open than before', later - idle, sessions.length),
    atMost('warnings of listeners that pile up', warnings, 0),
  ];
};

/** @param number of the question, from 1 */
async function heapOf(one: Server, number: number): Promise<{ megabytes: number; warnings: number }> {
  one.signal('SIGUSR2');
  const answer = new RegExp(`heap ${number} (\\d+) (\\d+)\\n`);
  for (let waited = 0; waited < 1000; waited += 1) {
    const [, bytes, warnings] = answer.exec(one.log()) ?? [];
    if (bytes) return { megabytes: Number(bytes) / 2 ** 20, warnings: Number(warnings) };
    await sleep(10);
  }
  throw new Error('The server does not say how large its heap is.');
}

/** By the straight line that comes closest to the values: how much it rises from the first to the last. */
function growth(values: readonly number[]): number {
  const middle = (values.length - 1) / 2;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const slope =
    values.reduce((sum, value, at) => sum + (at - middle) * (value - mean), 0) /
    values.reduce((sum, _value, at) => sum + (at - middle) ** 2, 0);
  return slope * (values.length - 1);
}
