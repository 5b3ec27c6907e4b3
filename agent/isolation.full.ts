/** §5 What code of a run reaches of the machine within bubblewrap, the real one: it tries, as an engine could. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { ownTicket } from '../src/runs/door/sign-in.ts';
import { openAppOn, type TestApp } from '../test/app.ts';
import { organization, type TestOrganization } from '../test/builders/records.ts';
import { createDatabase, createDirectory, type TestDatabase } from '../test/running/database.ts';
import { program } from '../test/running/program.ts';
import {
  type AskedRun,
  addressOf,
  agentOf,
  askForRun,
  comesTo,
  logOf,
  type Script,
  scriptedEngine,
} from '../test/running/scripted.ts';
import type { Agent } from './agent.ts';
import { findIsolation, without } from './isolation.ts';

vi.setConfig({ testTimeout: 90_000 });
const path = process.env['PATH'] ?? '';
const isolation = await findIsolation(path);
let database: TestDatabase;
let app: TestApp;
let acme: TestOrganization;
let agent: Agent | undefined;
const mebibyte = 1024 ** 2;

beforeAll(async () => {
  database = await createDatabase();
  app = await openAppOn(database);
  acme = await organization(app);
});
afterEach(async () => {
  await agent?.interrupt();
  agent = undefined;
});
afterAll(async () => {
  await app.close();
  await database.drop();
});

type Given = Partial<Parameters<typeof agentOf>[1]>;
async function begin(script: Script, given: Given = {}): Promise<void> {
  agent = await agentOf(app, { engines: [scriptedEngine(script)], isolation, ...given });
}
/** What its plan prints while it tries. */
async function planned(script: string, given: Given = {}, run: AskedRun = {}): Promise<string> {
  await begin({ plan: script }, given);
  const { id } = await askForRun(app, acme, run);
  await comesTo(app, acme, id, 'planned');
  await agent?.drain();
  return said(id);
}
/** The log of a plan but for its first three lines. */
async function said(id: string): Promise<string> {
  const log = await logOf(app, acme, id, 'plan');
  return log.slice(1, -1).split('\n').slice(3).join('\n');
}
/** That it could be had otherwise shows that the attempt is one. */
async function withinAndWithout(script: string, given: Given = {}): Promise<[string, string]> {
  return [await planned(script, given), await planned(script, { ...given, isolation: without('to compare') })];
}
const commandOf = (pid: string) => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
};

describe.skipIf(isolation.bubblewrap === null)('§5 within bubblewrap a run', () => {
  test('reads neither the key of the server nor the rest of its directory, and finds no socket of its database', async () => {
    const data = join(createDirectory(), 'terrane-data');
    mkdirSync(data);
    writeFileSync(join(data, 'encryption-key'), 'the key of all state\n', { mode: 0o600 });
    const socket = join(data, '.s.PGSQL.5432');
    const server = createServer().listen(socket);
    await once(server, 'listening');
    const script = `cat '${join(data, 'encryption-key')}' 2> /dev/null || echo 'no key'
      [ -S '${socket}' ] && echo 'a socket' || echo 'no socket'`;
    expect(await withinAndWithout(script)).toEqual(['no key\nno socket\n', 'the key of all state\na socket\n']);
    server.close();
  });

  test('finds neither the token of its agent nor any process but its own', async () => {
    const script = `cat /proc/[0-9]*/environ 2> /dev/null | tr '\\0' '\\n' | grep -a '^TERRANE_AGENT_TOKEN' || echo nothing
      [ $(ls /proc | grep -c '^[0-9]') -lt 9 ] && echo 'own processes'`;
    const found: string[] = [];
    for (const TERRANE_AGENT_ISOLATION of ['bubblewrap', 'off']) {
      const { path: enginePath } = scriptedEngine({ plan: script });
      const parameters = ['agent', '--built-in', '--url', await addressOf(app), '--name', 'robbed'];
      const child = spawn(process.execPath, [...program, ...parameters], {
        env: {
          PATH: `${dirname(enginePath)}:${path}`,
          TERRANE_AGENT_DIR: join(createDirectory(), 'agent'),
          TERRANE_AGENT_TOKEN: 'one of the pool',
          TERRANE_AGENT_ISOLATION,
        },
        stdio: ['pipe', 'ignore', 'ignore'],
      });
      child.stdin.write(`${ownTicket(app.config)}\n`);
      const { id } = await askForRun(app, acme);
      await comesTo(app, acme, id, 'planned');
      found.push(await said(id));
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    expect(found[0]).toBe('nothing\nown processes\n');
    expect(found[1]).toMatch(/TERRANE_AGENT_TOKEN=one of the pool/);
  });

  test('sees no other run, no home directory and no secret of /etc, and writes to its own places alone', async () => {
    const directory = createDirectory();
    mkdirSync(join(directory, 'run-another'), { mode: 0o700 });
    writeFileSync(join(directory, 'run-another', 'secret'), 'of another run');
    const log = await planned(
      `cat '${join(directory, 'run-another', 'secret')}' 2> /dev/null || echo 'no other run'
      for place in /root /home /run/docker.sock /etc/shadow /etc/ssl/private /sys; do [ -e $place ] && echo "sees $place"; done
      touch '${directory}/left' # of the temporary directory that it has there
      for place in / /usr /etc /dev; do touch "$place/left" 2> /dev/null && echo "wrote to $place"; done
      touch /tmp/left /var/tmp/left /dev/shm/left "$HOME/left" "$TMPDIR/left" ./left && echo 'wrote to its own'`,
      { directory },
    );
    expect(log).toBe('no other run\nwrote to its own\n');
    expect([...readdirSync('/tmp'), ...readdirSync(directory)]).not.toContain('left');
  });

  test('gets its variables, which are in no list of processes and do not reach bubblewrap itself', async () => {
    const environment = { LD_DEBUG: 'files', SEVERAL_LINES: 'one\n--bind / /' };
    const log = await planned(
      `echo "$SEVERAL_LINES"; unset LD_DEBUG; cat /proc/1/cmdline /proc/1/environ | tr '\\0' '\\n' | grep -cE 'LINES|LD_'`,
      {},
      { environment },
    );
    const own = log.split('\n').filter(line => !/^\s+\d+:/.test(line));
    expect(own.join('\n')).toBe('one\n--bind / /\n0\n');
    expect(log).not.toMatch(/calling init: .*libcap/);
  });

  test('leaves nobody behind, neither in a session of its own nor as an orphan', async () => {
    const orphans = () =>
      readdirSync('/proc').filter(pid => /^\d+$/.test(pid) && commandOf(pid).startsWith('sleep 86123'));
    const log = await planned(
      `(setsid sh -c 'sleep 86123 & sleep 86123' > /dev/null 2>&1 < /dev/null &); sleep 2; echo left`,
    );
    expect(log).toContain('left');
    await expect.poll(orphans, { timeout: 10_000 }).toEqual([]);
  });

  test('§5.4 is asked to stop as it is without: the engine itself, which saves what it has', async () => {
    await begin({ apply: `trap 'echo saved; exit 1' INT; echo begun; while :; do sleep 0.2; done` });
    const { id } = await askForRun(app, acme, { run: { 'auto-apply': true } });
    await expect.poll(() => logOf(app, acme, id, 'apply'), { timeout: 30_000 }).toContain('begun');
    await app.post(`runs/${id}/actions/cancel`, acme.owner.token);
    await comesTo(app, acme, id, 'canceled');
    expect(await logOf(app, acme, id, 'apply')).toContain('saved');
  });

  test('has its files taken, and not those that a link of its own leads to; nothing is written through one', async () => {
    const outside = createDirectory();
    const secret = join(outside, 'encryption-key');
    writeFileSync(secret, 'the key of all state');
    const links = (...names: string[]) => names.map(name => `rm -rf ${name}; ln -s '${secret}' ${name}`).join('; ');
    await begin({
      plan: links('.terraform.lock.hcl', '../files/plan.json', '../files/redacted.json', '../reports'),
      apply: `cat .terraform.lock.hcl; ${links('errored.tfstate')}; exit 1`,
    });
    const { id } = await askForRun(app, acme, { run: { 'auto-apply': true } });
    await comesTo(app, acme, id, 'errored');
    await agent?.drain();
    expect(readFileSync(secret, 'utf8')).toBe('the key of all state');
    const log = await logOf(app, acme, id, 'apply');
    expect([log.includes('the key'), log.includes('No such file')]).toEqual([false, true]);
    const apply = (await app.get(`runs/${id}/apply`, acme.owner.token)).data;
    expect((await app.get(`applies/${apply.id}/errored-state`, acme.owner.token)).status).toBe(404);
  });

  test('plans and applies at the same paths, and reads what the operator names', async () => {
    const mirror = createDirectory();
    writeFileSync(join(mirror, 'provider'), 'of the mirror\n');
    const script = `pwd; cat '${join(mirror, 'provider')}'`;
    await begin({ plan: script, apply: script }, { readable: [mirror] });
    const { id } = await askForRun(app, acme, { run: { 'auto-apply': true } });
    await comesTo(app, acme, id, 'applied');
    const read = async (phase: 'plan' | 'apply') =>
      /\n(\/.*)\nof the mirror\n/.exec(await logOf(app, acme, id, phase))?.[1];
    expect(await read('plan')).toContain(`/${id}/configuration`);
    expect(await read('apply')).toBe(await read('plan'));
  });
});

describe.skipIf(process.platform !== 'linux')('§5 a run that takes', () => {
  const errs = async (script: string, given: Given) => {
    await begin({ plan: script }, given);
    const { id } = await askForRun(app, acme);
    await comesTo(app, acme, id, 'errored');
    await agent?.drain();
    return said(id);
  };

  test('more memory in one process than it may is refused it by the kernel', async () => {
    const one = `head -c 300000000 /dev/zero | tail -c 300000000 > /dev/null || exit 1`;
    expect(await errs(one, { memory_bytes: 100 * mebibyte })).toMatch(/memory exhausted|annot allocate/i);
  });

  test.each([
    ['within bubblewrap', isolation],
    ['without it', without('to compare')],
  ])('more memory in all its processes is ended, and told the limit, %s', async (_where, given) => {
    const script = `for n in 1 2 3 4; do sh -c 'x=$(head -c 60000000 /dev/zero | tr "\\0" x); sleep 60' & done; wait`;
    const log = await errs(script, { memory_bytes: 200 * mebibyte, isolation: given });
    expect(log).toContain('it took more memory than a run may take of this agent, 200 MiB (TERRANE_RUN_MEMORY).');
  });

  test('more of the disk than it may, in one file or in many, is ended; the next one is done', async () => {
    const one = await errs(`head -c 60000000 /dev/zero > "$HOME/fill" || exit 1`, { disk_bytes: 20 * mebibyte });
    expect(one).toMatch(/File too large|File size limit/i);
    const many = `for n in $(seq 100); do head -c 5000000 /dev/zero > "/tmp/fill-$n-$$" || exit 1; done; sleep 60`;
    const log = await errs(many.replaceAll('/tmp', '$TMPDIR'), { disk_bytes: 20 * mebibyte });
    expect(log).toContain('it wrote more than a run may write on the disk of this agent, 20 MiB (TERRANE_RUN_DISK).');
    expect(await planned('echo enough', { disk_bytes: 20 * mebibyte })).toBe('enough\n');
  });
});

describe('§5 what keeps runs apart', () => {
  test('is looked for where the agent starts: not installed, refused, and there', async () => {
    expect((await findIsolation(createDirectory())).reason).toContain('bubblewrap is not installed');
    const refusing = createDirectory();
    const words = 'bwrap: setting up uid map: Permission denied';
    writeFileSync(join(refusing, 'bwrap'), `#!/bin/sh\necho '${words}' >&2; exit 1\n`, { mode: 0o755 });
    expect(await findIsolation(refusing)).toEqual({ bubblewrap: null, reason: `the kernel refuses it: ${words}` });
  });

  test('is insisted on where the operator says so: without it no agent starts', async () => {
    const child = spawn(process.execPath, [...program, 'agent', '--url', 'http://127.0.0.1:9'], {
      env: {
        PATH: '',
        TERRANE_AGENT_ISOLATION: 'bubblewrap',
        TERRANE_AGENT_TOKEN: 'any',
        TERRANE_AGENT_DIR: join(createDirectory(), 'agent'),
      },
    });
    let output = '';
    child.stderr.on('data', chunk => (output += chunk));
    const [code] = await once(child, 'exit');
    expect([code, output]).toEqual([1, expect.stringContaining('bubblewrap is not installed')]);
  });
});
