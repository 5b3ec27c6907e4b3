/** §5 What a job may send: pieces of its log, all of its log, and what it leaves. */
import { beforeAll, expect, test } from 'vitest';
import { useApp } from '../../../test/app.ts';
import { signedIn, type TestJob } from '../../../test/builders/agent.ts';
import { organization, type TestOrganization } from '../../../test/builders/records.ts';
import { run } from '../../../test/builders/run.ts';
import { workspace } from '../../../test/builders/workspace.ts';
import { useLimits } from '../../../test/limits.ts';
import { limits } from '../../core/limits.ts';

useLimits({ runLogPiece_bytes: 1000, runLog_bytes: 2500, runPlan_bytes: 2000 });
const app = useApp();
let acme: TestOrganization;
let job: TestJob;
beforeAll(async () => {
  acme = await organization(app);
  const agent = await signedIn(app);
  await run(app, acme, await workspace(app, acme));
  job = (await agent.claim())!;
});

test('§5 a job is told how long it may take and how much it may print', async () => {
  expect(await job.start()).toMatchObject({
    phase: 'plan',
    timeout_s: limits.planTime_s.value,
    log_limit_bytes: limits.runLog_bytes.value,
  });
});

test('§5 a piece of the log, the log as a whole and what is left are refused where they are too long, and the job goes on', async () => {
  const piece = 'x'.repeat(limits.runLogPiece_bytes.value);
  expect((await job.log(0, `${piece}x`)).status).toBe(413);
  for (const offset of [0, 1000]) expect((await job.log(offset, piece)).json.length).toBe(offset + 1000);
  expect((await job.log(2000, piece)).status).toBe(413);
  expect((await job.log(2000, piece.slice(500))).json.length).toBe(limits.runLog_bytes.value);
  const plan = 'x'.repeat(limits.runPlan_bytes.value);
  expect((await job.leave('plan', `${plan}x`)).status).toBe(413);
  expect((await job.leave('plan', plan)).status).toBe(204);
  expect(await job.finish({ outcome: 'finished', has_changes: false })).toBe(204);
});
