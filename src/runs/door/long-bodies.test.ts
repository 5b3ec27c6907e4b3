/** §5 What agents leave is long: of one job so much at once, and of all of them no more than a server can hold. */
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, test } from 'vitest';
import { protocolPath } from '../../../agent/protocol.ts';
import { useApp } from '../../../test/app.ts';
import { signedIn, type TestJob } from '../../../test/builders/agent.ts';
import { organization } from '../../../test/builders/records.ts';
import { run } from '../../../test/builders/run.ts';
import { workspace } from '../../../test/builders/workspace.ts';
import { useLimits } from '../../../test/limits.ts';
import { useListening } from '../../../test/running/sockets.ts';

useLimits({ callerLongBodies_items: 2, longBodies_items: 3, body_bytes: 10_000 });
const app = useApp();
const server = useListening(app);
let jobs: TestJob[];
beforeAll(async () => {
  const [acme, agent] = [await organization(app), await signedIn(app)];
  const claimed = async () => {
    await run(app, acme, await workspace(app, acme));
    const job = (await agent.claim())!;
    await job.start();
    return job;
  };
  jobs = [await claimed(), await claimed()];
});

const patience = { timeout: 10_000 };

const put = ({ token }: TestJob, bytes: number) =>
  `PUT ${protocolPath}/job/artifacts/plan HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${token}\r\n` +
  `content-type: application/octet-stream\r\ncontent-length: ${bytes}\r\n\r\n`;

test('§5 a job that leaves too much at once → 429; all jobs together → 503; the rest is taken, and so is what is sent again', async () => {
  const [first, second] = jobs as [TestJob, TestJob];
  const begin = async (job: TestJob) => {
    const one = await server.begin(put(job, 20_000));
    one.write('x'.repeat(1000));
    return one;
  };
  // One that is taken is not answered, as its rest does not come: those before it have not taken their places yet.
  const refused = async (job: TestJob) => {
    const one = await begin(job);
    const answer = await Promise.race([one.answer, sleep(500)]);
    one.end();
    return answer?.status;
  };
  const slow = [await begin(first), await begin(first)];
  await expect.poll(() => refused(first), patience).toBe(429);
  slow.push(await begin(second));
  await expect.poll(() => refused(second), patience).toBe(503);
  // A short one holds little, and waits for nobody.
  expect((await second.leave('lock', 'x')).status).toBe(204);
  for (const one of slow) one.end();
  const whole = Buffer.alloc(20_000);
  await expect
    .poll(async () => (await server.ask(`${put(second, whole.length).trimEnd()}\r\n`, whole.toString())).status)
    .toBe(204);
});
