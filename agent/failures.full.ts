/** §2.2 What goes wrong while an agent works: no run is stuck, nothing is applied twice, and the log says what happened. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { ownTicket } from '../src/runs/door/sign-in.ts';
import { endLostJobs } from '../src/runs/door/watch.ts';
import { openAppOn, type TestApp } from '../test/app.ts';
import { signedIn } from '../test/builders/agent.ts';
import { organization, type TestOrganization } from '../test/builders/records.ts';
import { createDatabase, createDirectory } from '../test/running/database.ts';
import { program } from '../test/running/program.ts';
import { type Proxied, proxied } from '../test/running/proxied.ts';
import {
  addressOf,
  agentOf,
  askForRun,
  comesTo,
  logOf,
  type Script,
  scriptedEngine,
  show,
} from '../test/running/scripted.ts';
import type { Agent } from './agent.ts';
import { type Server, serverAt } from './server.ts';

vi.setConfig({ testTimeout: 120_000 });
let app: TestApp;
let acme: TestOrganization;
let door: Proxied;
let agent: Agent | undefined;
/** Scripts leave here what they did. */
const traces = createDirectory();
const trace = (name: string) => join(traces, name);
const traced = (name: string) => (existsSync(trace(name)) ? readFileSync(trace(name), 'utf8') : '');

beforeAll(async () => {
  door = await proxied(await createDatabase());
  app = await openAppOn(door.database);
  acme = await organization(app);
});
afterEach(async () => {
  await agent?.interrupt();
  agent = undefined;
});
afterAll(async () => {
  await app.close();
  await door.database.drop();
});

const begin = async (script: Script, given: Partial<Parameters<typeof agentOf>[1]> = {}) => {
  agent = await agentOf(app, { engines: [scriptedEngine(script)], ...given });
};
const act = (id: string, action: string) => app.post(`runs/${id}/actions/${action}`, acme.owner.token);
const workspaceOf = async (id: string) => (await app.get(`workspaces/${id}`, acme.owner.token)).data.attributes;
const logSays = (id: string, phase: 'plan' | 'apply', text: string) =>
  expect.poll(() => logOf(app, acme, id, phase), { timeout: 30_000, interval: 100 }).toContain(text);
const isAlive = (pid: number) => spawnSync('kill', ['-0', String(pid)]).status === 0;

test('§5.4 an engine that ignores a cancel is ended by force, with all that it started, and the next run begins', async () => {
  const stubborn = `if [ -e stubborn ]; then
    trap '' INT TERM
    sleep 300 & echo $! > ${trace('child')}
    echo $$ > ${trace('parent')}; echo begun
    while :; do sleep 1; done
  fi`;
  await begin({ plan: stubborn });
  const { id, workspaceId } = await askForRun(app, acme, { files: { stubborn: '' } });
  await logSays(id, 'plan', 'begun');
  const other = await askForRun(app, acme);
  expect((await act(id, 'cancel')).status).toBe(202);
  await sleep(4000);
  expect((await show(app, acme, id)).attributes.status).toBe('planning');
  expect((await act(id, 'force-cancel')).status).toBe(409);
  await app.store.read`update runs set force_cancel_available_at = now() where runs.id = ${id}`;
  expect((await act(id, 'force-cancel')).status).toBe(202);
  const ended = (await show(app, acme, id)).attributes;
  expect([ended.status, typeof ended['status-timestamps']['force-canceled-at']]).toEqual(['canceled', 'undefined']);
  expect((await workspaceOf(workspaceId)).locked).toBe(false);
  const processes = [Number(traced('parent')), Number(traced('child'))];
  await expect.poll(() => processes.filter(isAlive), { timeout: 20_000 }).toEqual([]);
  await comesTo(app, acme, other.id, 'planned');
});

test('§5.4 a log that never ends is cut at its limit and says so; the run can be canceled', async () => {
  await begin({ plan: `trap 'exit 1' INT; yes "$(head -c 60000 /dev/zero | tr '\\0' x)" & wait` });
  const { id } = await askForRun(app, acme);
  const length = async () =>
    (await app.store.read<{ log_bytes: number }[]>`select jobs.log_bytes from jobs where jobs.run_id = ${id}`)[0]!
      .log_bytes;
  await expect.poll(length, { timeout: 90_000, interval: 200 }).toBe(64 * 1024 * 1024);
  await act(id, 'cancel');
  await comesTo(app, acme, id, 'canceled');
  expect((await logOf(app, acme, id, 'plan')).slice(-200)).toContain('has reached its limit of 67108864 bytes');
});

test('§2.2 a plan and an apply outlast a database that goes away: each is done once, and their logs are whole', async () => {
  const lines = (name: string) =>
    `echo once >> ${trace(name)}; for n in 1 2 3 4 5 6 7 8; do echo "line $n"; sleep 0.5; done`;
  await begin({ plan: lines('plans'), apply: lines('applies') });
  const { id, workspaceId } = await askForRun(app, acme, { run: { 'auto-apply': true } });
  for (const phase of ['plan', 'apply'] as const) {
    await logSays(id, phase, 'line 2');
    await door.shut();
    await sleep(3000);
    await door.open();
  }
  await comesTo(app, acme, id, 'applied');
  const whole = [1, 2, 3, 4, 5, 6, 7, 8].map(n => `line ${n}\n`).join('');
  for (const phase of ['plan', 'apply'] as const) expect(await logOf(app, acme, id, phase)).toContain(whole);
  expect([traced('plans'), traced('applies')]).toEqual(['once\n', 'once\n']);
  expect((await workspaceOf(workspaceId)).locked).toBe(false);
});

test('§4.2 without any engine the run errs, begins its log as clients expect, and says what is missing', async () => {
  await begin({}, { engines: [] });
  const { id } = await askForRun(app, acme);
  await comesTo(app, acme, id, 'errored');
  const log = await logOf(app, acme, id, 'plan');
  expect(log.slice(1)).toMatch(/^Terraform v1\.9\.0\non linux_\w+\nInitializing plugins and modules\.\.\.\n/);
  expect(log).toContain('no engine of version 1.9.0. It has none at all.');
});

test('§2.2 a disk that is full makes the run err and say so; with room again the next one is done', async context => {
  const directory = join(createDirectory(), 'agent');
  mkdirSync(directory, { mode: 0o700 });
  const mount = ['-t', 'tmpfs', '-o', 'size=4m,mode=0700', 'tmpfs', directory];
  const isMounted = process.platform === 'linux' && spawnSync('mount', mount).status === 0;
  context.skip(!isMounted, 'no small file system was mounted to fill'); // Only root may mount one.
  try {
    const fill = 'if [ -e large ]; then head -c 20000000 /dev/zero > "$TMPDIR/fill" || exit 1; fi';
    await begin({ plan: fill }, { directory });
    const engine = await askForRun(app, acme, { files: { large: 'yes' } });
    await comesTo(app, acme, engine.id, 'errored');
    expect(await logOf(app, acme, engine.id, 'plan')).toMatch(/No space left on device/);
    const archive = await askForRun(app, acme, { files: { content: randomBytes(4_000_000).toString('hex') } });
    await comesTo(app, acme, archive.id, 'errored');
    expect(await logOf(app, acme, archive.id, 'plan')).toMatch(/no space left on device/);
    const next = await askForRun(app, acme);
    await comesTo(app, acme, next.id, 'planned');
  } finally {
    await agent?.interrupt();
    agent = undefined;
    execFileSync('umount', ['--lazy', directory]);
  }
});

test.each(['plan', 'apply'] as const)(
  '§2.2 an agent that is killed in the middle of the %s: the run errs after its time, and nobody does it again',
  async phase => {
    const name = `killed-in-${phase}`;
    const script = { [phase]: `if [ -e doomed ]; then echo once >> ${trace(name)}; echo begun; sleep 5; fi` };
    const engine = scriptedEngine(script);
    const child = spawn(
      process.execPath,
      [...program, 'agent', '--built-in', '--url', await addressOf(app), '--name', 'doomed'],
      {
        env: {
          PATH: `${dirname(engine.path)}:${process.env['PATH']}`,
          TERRANE_AGENT_DIR: join(createDirectory(), 'agent'),
          // Its script leaves a trace outside of its places.
          TERRANE_AGENT_ISOLATION: 'off',
        },
        stdio: ['pipe', 'ignore', 'ignore'],
      },
    );
    child.stdin.write(`${ownTicket(app.config)}\n`);
    const { id, workspaceId } = await askForRun(app, acme, { run: { 'auto-apply': true }, files: { doomed: '' } });
    await logSays(id, phase, 'begun');
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(await endLostJobs(app.store)).toEqual([]);
    await app.store.read`update jobs set seen_at = jobs.seen_at - interval '301 seconds' where jobs.status = 'running'`;
    expect(await endLostJobs(app.store)).toContain(id);
    expect((await show(app, acme, id)).attributes.status).toBe('errored');
    expect((await workspaceOf(workspaceId)).locked).toBe(false);
    // An agent that would do it again, and takes what waits in its order.
    await begin(script);
    const next = await askForRun(app, acme);
    await comesTo(app, acme, next.id, 'planned');
    expect(traced(name)).toBe('once\n');
  },
);

/** The agent's server, but that a phase may take two seconds. */
async function hurried(): Promise<Server> {
  const server = serverAt(await addressOf(app), () => undefined);
  const ask: Server['ask'] = async (method, path, token, given) => {
    const answer = await server.ask(method, path, token, given);
    return path === '/job/start' ? { ...answer, timeout_s: 2 } : answer;
  };
  return { ask };
}

test.each(['plan', 'apply'] as const)(
  '§2.2 %s: a phase that takes longer than it may is asked to stop, and errs; its log says why',
  async phase => {
    const endless = `trap 'echo asked to stop; exit 1' INT; while :; do sleep 0.2; done`;
    await begin({ [phase]: endless }, { server: await hurried() });
    const { id, workspaceId } = await askForRun(app, acme, { run: { 'auto-apply': true } });
    await comesTo(app, acme, id, 'errored');
    const log = await logOf(app, acme, id, phase);
    expect(log).toMatch(/asked to stop\n[\s\S]*it took longer than it may, 2 seconds for all of it\./);
    expect((await workspaceOf(workspaceId)).locked).toBe(false);
  },
);

test('§2.2 a job that goes on long after its time is ended by the server, though its agent is heard', async () => {
  const { id } = await askForRun(app, acme);
  const job = (await (await signedIn(app)).claim())!;
  await job.start();
  const begunBefore = (time: string) =>
    app.store.read`update jobs set started_at = clock_timestamp() - ${time}::text::interval where jobs.id = ${job.id}`;
  await begunBefore('2 hours 14 minutes');
  expect(await endLostJobs(app.store)).toEqual([]);
  await begunBefore('2 hours 16 minutes');
  expect(await endLostJobs(app.store)).toEqual([id]);
  expect((await job.ask('POST', '/beat')).status).toBe(410);
});

test('§2.2 an initialization that fails makes the run err, and is shown', async () => {
  await begin({ init: 'echo no such module >&2; exit 1', plan: `echo once >> ${trace('uninitialized')}` });
  const { id } = await askForRun(app, acme);
  await comesTo(app, acme, id, 'errored');
  expect(await logOf(app, acme, id, 'plan')).toMatch(
    /no such module\n[\s\S]*The initialization failed: the engine ended with 1\./,
  );
  expect(traced('uninitialized')).toBe('');
});

test('§2.2 an agent that is killed before it began hands its job to the next one', async () => {
  const { id } = await askForRun(app, acme);
  const first = await signedIn(app);
  expect(await first.claim()).not.toBe(null);
  await app.store.read`update jobs set seen_at = jobs.seen_at - interval '61 seconds' where jobs.status = 'allocated'`;
  await endLostJobs(app.store);
  await begin({ plan: `echo once >> ${trace('handed')}` });
  await comesTo(app, acme, id, 'planned');
  expect(traced('handed')).toBe('once\n');
});

test('§5.4 an engine that saves what it has when it is asked to stop leaves its state, and the run is canceled', async () => {
  await begin({ apply: `trap 'echo saved; exit 1' INT; echo begun; while :; do sleep 0.2; done` });
  const { id } = await askForRun(app, acme, { run: { 'auto-apply': true } });
  await logSays(id, 'apply', 'begun');
  await act(id, 'cancel');
  await comesTo(app, acme, id, 'canceled');
  expect(await logOf(app, acme, id, 'apply')).toContain('saved');
});

test('§2.2 the state that an apply could not save is kept as its errored state, also when the run was ended by force', async () => {
  const state = '{"version":4,"serial":9,"lineage":"kept","outputs":{},"resources":[]}';
  await begin({ apply: `trap '' INT; echo '${state}' > errored.tfstate; echo begun; while :; do sleep 0.2; done` });
  const { id } = await askForRun(app, acme, { run: { 'auto-apply': true } });
  await logSays(id, 'apply', 'begun');
  await act(id, 'cancel');
  await app.store.read`update runs set force_cancel_available_at = now() where runs.id = ${id}`;
  expect((await act(id, 'force-cancel')).status).toBe(202);
  const apply = (await app.get(`runs/${id}/apply`, acme.owner.token)).data;
  const kept = () => app.get(`applies/${apply.id}/errored-state`, acme.owner.token);
  await expect.poll(async () => (await kept()).status, { timeout: 20_000 }).toBe(307);
  const { pathname, search } = new URL((await kept()).headers['location']!);
  expect((await app.app.inject({ method: 'GET', url: `${pathname}${search}` })).json()).toEqual(JSON.parse(state));
});
