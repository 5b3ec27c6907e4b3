// The whole program in processes of its own: what an operator sees, and what survives being killed.
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createDataDirectory, createEmptyDatabase, reachableUrl } from '../../test/running/database.ts';
import { killAll } from '../../test/running/kill.ts';
import { prepareDataDirectory } from '../../test/running/prepared.ts';
import { program } from '../../test/running/program.ts';
import { postgresProcesses } from '../core/store/leftover-processes.ts';

// A start takes a second, and many on a machine where other things run.
const patience = { timeout: 60_000, interval: 20 };
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });
let parent = '';
let dataDirectory = '';
let environment: Record<string, string> = {};
let children: ChildProcess[] = [];
let sockets: Socket[] = [];

beforeEach(() => {
  parent = realpathSync(createDataDirectory());
  dataDirectory = join(parent, 'data');
  environment = { PORT: '0', TERRANE_DATA_DIR: dataDirectory, TERRANE_DRAIN_SECONDS: '0' };
});

afterEach(async () => {
  for (const child of children) if (!hasEnded(child)) await end(child, 'SIGTERM');
  children = [];
  for (const socket of sockets) socket.destroy();
  sockets = [];
  expect(await processes()).toEqual([]);
  rmSync(parent, { recursive: true });
});

const processes = () => postgresProcesses(join(dataDirectory, 'postgresql'));
const hasEnded = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null;

type Running = { child: ChildProcess; address: string; errors: () => string; output: () => string };

/** Starts the server where PostgreSQL's part of a first start is done already, and waits for its welcome. */
async function serve(more: Record<string, string> = {}): Promise<Running> {
  if (!existsSync(dataDirectory) && !more['DATABASE_URL']) await prepareDataDirectory(dataDirectory);
  return serveThere(more);
}

/** As it is, even if there is nothing yet. */
async function serveThere(more: Record<string, string> = {}): Promise<Running> {
  const child = spawn(process.execPath, [...program, 'serve'], { env: { ...environment, ...more } });
  children.push(child);
  let errors = '';
  let output = '';
  child.stderr!.on('data', chunk => (errors += chunk));
  child.stdout!.on('data', chunk => (output += chunk));
  const address = await vi.waitFor(() => {
    const found = /Terrane answers at (\S+).*Ctrl-C/s.exec(errors)?.[1];
    if (found) return found;
    throw new Error(`The server has not answered: ${errors}`);
  }, patience);
  return { child, address, errors: () => errors, output: () => output };
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<unknown> {
  const exit = once(child, 'exit');
  child.kill(signal);
  return (await exit)[0];
}

/** Runs a command to its end. */
function run(command: string[], more: Record<string, string> = {}) {
  return spawnSync(process.execPath, [...program, ...command], {
    env: { ...environment, ...more },
    encoding: 'utf8',
    timeout: 25_000,
  });
}

/** 201 the first time, 422 when the name is taken: by that, an acknowledged one is recognised. */
async function createOrganization(address: string, name: string, token = adminToken()): Promise<number> {
  const answer = await fetch(`${address}/api/v2/organizations`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/vnd.api+json' },
    body: JSON.stringify({ data: { type: 'organizations', attributes: { name, email: 'admin@example.com' } } }),
  });
  return answer.status;
}

const adminToken = () => readFileSync(join(dataDirectory, 'admin-token'), 'utf8').trim();

const hasCurl = spawnSync('curl', ['--version']).status === 0;

test.runIf(hasCurl)('the first start says how to go on, and its three requests work when pasted', async () => {
  const { errors, output, child } = await serveThere();
  const requests = errors().match(/^ {2}curl .*$/gm) ?? [];
  const documents = requests.map(line =>
    JSON.parse(execFileSync('/bin/sh', ['-c', line], { encoding: 'utf8', stdio: 'pipe' })),
  );
  expect(documents.map(({ data }) => [data?.type, data?.attributes.name])).toEqual([
    ['organizations', 'acme'],
    ['teams', 'platform'],
    ['workspaces', 'network'],
  ]);
  expect(statSync(join(dataDirectory, 'admin-token')).mode & 0o777).toBe(0o600);
  expect(statSync(join(dataDirectory, 'token-pepper')).mode & 0o777).toBe(0o600);
  expect(errors() + output()).not.toContain(adminToken());
  expect(await end(child, 'SIGTERM')).toBe(0);
});

test('the first start prints a link by which the administrator signs in with a password; the next start none, a command another', async () => {
  const first = await serveThere();
  const linkIn = (text: string) => /http:\S+\/app\/~\/password#user=admin&link=(\w+)/.exec(text)?.[1];
  const link = linkIn(first.errors())!;
  expect(first.output()).not.toContain(link);
  const setPassword = (attributes: object) =>
    fetch(`${first.address}/api/v2/passwords`, {
      method: 'POST',
      headers: { 'content-type': 'application/vnd.api+json' },
      body: JSON.stringify({ data: { type: 'passwords', attributes } }),
    });
  const answer = await setPassword({ link, password: 'four words of my own' });
  expect(answer.status).toBe(201);
  const cookie = answer.headers.get('set-cookie')!.split(';')[0]!;
  const shown = await fetch(`${first.address}/api/v2/account/session?include=user`, {
    headers: { cookie, referer: `${first.address}/app/` },
  });
  expect(JSON.parse(await shown.text()).included[0].attributes['username']).toBe('admin');
  const other = run(['sign-in-link', '--user', 'admin', '--url', first.address]);
  expect((await setPassword({ link: linkIn(other.stdout)!, password: 'four other words of mine' })).status).toBe(201);
  expect(run(['sign-in-link', '--user', 'nobody']).stderr).toContain('There is no user "nobody".');
  await end(first.child, 'SIGTERM');
  const second = await serve();
  expect(linkIn(second.errors())).toBeUndefined();
  expect(await end(second.child, 'SIGTERM')).toBe(0);
});

test('SIGTERM → the request under way is answered, /readyz says 503, the exit code is 0', async () => {
  const { child, address } = await serve();
  const { slow, probe, finish } = await beginRequest(address);
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  await vi.waitFor(() => expect(open(address)).rejects.toThrow('ECONNREFUSED'), patience);
  probe.socket.write('\r\n');
  await vi.waitFor(() => expect(probe.received()).toContain('503 Service Unavailable'), patience);
  finish();
  await vi.waitFor(() => expect(slow.received()).toMatch(/^HTTP\/1.1 201/), patience);
  expect((await exit)[0]).toBe(0);
});

test('SIGTERM → connections are told to close, new ones are taken, and the server goes when none is left', async () => {
  const { child, address } = await serve({ TERRANE_DRAIN_SECONDS: '300' });
  const kept = await open(address);
  kept.socket.write('GET /healthz HTTP/1.1\r\nHost: terrane\r\n\r\n');
  await vi.waitFor(() => expect(kept.received()).toMatch(/^HTTP\/1.1 200/), patience);
  expect(kept.received().toLowerCase()).toContain('connection: keep-alive');
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  await vi.waitFor(async () => expect((await fetch(`${address}/readyz`)).status).toBe(503), patience);
  expect([kept.socket.readableEnded, hasEnded(child)]).toEqual([false, false]);
  kept.socket.write('GET /api/v2/ping HTTP/1.1\r\nHost: terrane\r\n\r\n');
  await once(kept.socket, 'close');
  expect(kept.received().toLowerCase().split('http/1.1 ')[2]).toMatch(/^204 .*connection: close/s);
  expect((await exit)[0]).toBe(0);
});

test('Ctrl-C → the server goes at once, whoever keeps a connection', async () => {
  const { child, address } = await serve({ TERRANE_DRAIN_SECONDS: '300' });
  await open(address);
  expect(await end(child, 'SIGINT')).toBe(0);
});

test('a second signal ends the server at once, and PostgreSQL still goes', async () => {
  const { child, address } = await serve();
  const { slow } = await beginRequest(address);
  const exit = once(child, 'exit');
  const signals = setInterval(() => child.kill('SIGINT'), 100);
  expect((await exit)[0]).toBe(1);
  clearInterval(signals);
  expect(slow.received()).toBe('');
  await vi.waitFor(async () => expect(await processes()).toEqual([]), patience);
});

test('with --end-with-parent a server whose parent is killed stops by itself', async () => {
  await prepareDataDirectory(dataDirectory);
  const command = [process.execPath, ...program, 'serve', '--end-with-parent'];
  const parent = spawn('/bin/sh', ['-c', '"$@"; exit', 'sh', ...command], { env: environment, stdio: 'pipe' });
  children.push(parent);
  let errors = '';
  parent.stderr.on('data', chunk => (errors += chunk));
  await vi.waitFor(() => expect(errors).toContain('Terrane answers'), patience);
  await end(parent, 'SIGKILL');
  await vi.waitFor(async () => expect(await processes()).toEqual([]), patience);
});

/** A request of which the server has half the body, and a connection on which one to /readyz lacks its last line. */
async function beginRequest(address: string) {
  const [slow, probe] = [await open(address), await open(address)];
  const body = '{"data":{"type":"organizations","attributes":{"name":"acme","email":"admin@example.com"}}}';
  slow.socket.write(
    `POST /api/v2/organizations HTTP/1.1\r\nHost: terrane\r\nAuthorization: Bearer ${adminToken()}\r\n` +
      `Content-Type: application/vnd.api+json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 20)}`,
  );
  probe.socket.write('GET /healthz HTTP/1.1\r\nHost: terrane\r\n\r\nGET /readyz HTTP/1.1\r\nHost: terrane\r\n');
  await vi.waitFor(() => expect(probe.received()).toContain('200 OK'), patience);
  return { slow, probe, finish: () => slow.socket.write(body.slice(20)) };
}

async function open(address: string): Promise<{ socket: Socket; received: () => string }> {
  const socket = connect(Number(new URL(address).port), '127.0.0.1');
  let text = '';
  socket.on('data', chunk => (text += chunk));
  await once(socket, 'connect');
  socket.on('error', () => undefined);
  sockets.push(socket);
  return { socket, received: () => text };
}

test('kill -9 of the server, then a start again → what was acknowledged is there, under the same token', async () => {
  const { child, address } = await serve();
  expect(await createOrganization(address, 'acme')).toBe(201);
  await end(child, 'SIGKILL');
  const next = await serve();
  expect(await createOrganization(next.address, 'acme')).toBe(422);
  expect(await end(next.child, 'SIGINT')).toBe(0);
});

test('kill -9 of every postgres process while serving → the same server answers again', async () => {
  const { child, address } = await serve({ TERRANE_LOG_LEVEL: 'silent' });
  expect(await createOrganization(address, 'acme')).toBe(201);
  killAll(await processes());
  await vi.waitFor(async () => {
    expect((await fetch(`${address}/readyz`)).status).toBe(200);
    expect(await createOrganization(address, 'acme')).toBe(422);
  }, patience);
  expect(hasEnded(child)).toBe(false);
});

test('a second server on the same data directory says who holds it and exits with 1', async () => {
  const { child, address } = await serve();
  const second = run(['serve']);
  expect(second.status).toBe(1);
  expect(second.stderr).toMatch(new RegExp(`^The data directory .* is in use .*\\(process ${child.pid}\\)\\.\\n$`));
  expect((await fetch(`${address}/readyz`)).status).toBe(200);
});

test('a port in use → one line, exit code 1, PostgreSQL is stopped', async () => {
  const holder = createServer().listen(0, '127.0.0.1');
  await once(holder, 'listening');
  const { port } = holder.address() as AddressInfo;
  await prepareDataDirectory(dataDirectory);
  const { status, stderr } = run(['serve'], { PORT: String(port) });
  holder.close();
  expect(stderr).toBe(`Port ${port} of 127.0.0.1 is in use by another program. Set PORT to a free one.\n`);
  expect(status).toBe(1);
  expect(await processes()).toEqual([]);
});

test('a mistaken configuration → every problem on a line, nothing is started', () => {
  const { status, stderr } = run(['serve'], { PORT: 'http', TERRANE_EDITION: 'big' });
  expect(status).toBe(1);
  expect(stderr.split('\n').slice(1, 3)).toEqual([
    expect.stringMatching('PORT'),
    expect.stringMatching('TERRANE_EDITION'),
  ]);
  expect(existsSync(dataDirectory)).toBe(false);
});

test('a database that cannot be reached → one line without the password, exit code 1', () => {
  const url = 'postgres://terrane:hunter2@127.0.0.1:1/terrane?password=hunter2';
  const { status, stderr } = run(['serve'], {
    DATABASE_URL: url,
    TERRANE_TOKEN_PEPPER: 'sixteen characters',
    TERRANE_ENCRYPTION_KEY: 'sixteen characters',
  });
  expect(stderr).toBe(
    'The database 127.0.0.1:1/terrane of DATABASE_URL cannot be used: connect ECONNREFUSED 127.0.0.1:1.\n',
  );
  expect(status).toBe(1);
});

test('on the database of the operator: migrated, the administrator has the configured token, no file is written', async () => {
  const database = await createEmptyDatabase();
  const { url, close } = await reachableUrl(database.connection);
  const token = 'a-token-of-the-operator';
  const settings = {
    DATABASE_URL: url,
    TERRANE_TOKEN_PEPPER: 'sixteen characters',
    TERRANE_ENCRYPTION_KEY: 'sixteen characters',
    TERRANE_ADMIN_TOKEN: token,
  };
  const { child, address, errors } = await serve(settings);
  expect(errors()).toContain('Bearer $TERRANE_ADMIN_TOKEN');
  expect(await createOrganization(address, 'acme', token)).toBe(201);
  expect(await end(child, 'SIGTERM')).toBe(0);
  expect(existsSync(dataDirectory)).toBe(false);
  close();
  await database.drop();
});

test('token create: beside a running server and without one; an unknown user is refused', async () => {
  const { child, address } = await serve();
  const { stdout } = run(['token', 'create', '--user', 'admin', '--description', 'laptop', '--json']);
  const created = JSON.parse(stdout);
  expect(created).toMatchObject({ user: 'admin', description: 'laptop' });
  expect(await createOrganization(address, 'acme', created.token)).toBe(201);
  const headers = { authorization: `Bearer ${created.token}` };
  const told = await fetch(`${address}/api/v2/admin/audit-events?filter[resource][id]=${created.id}`, { headers });
  const { data } = (await told.json()) as { data: { attributes: object }[] };
  expect(data.map(({ attributes }) => attributes)).toMatchObject([
    { action: 'authentication-tokens.create-for-user', 'actor-name': 'Command line', changes: { username: 'admin' } },
  ]);
  expect(await end(child, 'SIGTERM')).toBe(0);
  const unknown = run(['token', 'create', '--user', 'nobody-here']);
  expect([unknown.status, unknown.stdout, unknown.stderr]).toEqual([1, '', 'There is no user "nobody-here".\n']);
  expect(await processes()).toEqual([]);
});

test('migrate --json says what it applied, and nothing the second time', () => {
  expect(JSON.parse(run(['migrate', '--json']).stdout).applied).toContain('0001_foundation.sql');
  expect(JSON.parse(run(['migrate', '--json']).stdout).applied).toEqual([]);
});

test('every command explains itself with an example', () => {
  for (const command of [
    [],
    ['serve'],
    ['mock'],
    ['import'],
    ['compare'],
    ['export'],
    ['migrate'],
    ['token', 'create'],
    ['reseal'],
    ['seed'],
  ]) {
    const { status, stdout } = run([...command, '--help']);
    expect([status, stdout]).toEqual([0, expect.stringContaining('Example:\n  $ ')]);
  }
});

/** Makes a process throw out of a callback, and reject a promise that nobody watches, at SIGUSR2. */
const planted = `--import data:text/javascript,${encodeURIComponent(`process.on('SIGUSR2', () => {
  setTimeout(() => { throw new Error('thrown out of a callback'); });
  Promise.reject(new Error('a promise that nobody watches'));
});`)}`;

/** Waits until both are in the log. */
async function toldOfFaults(output: () => string): Promise<void> {
  const told = await vi.waitFor(() => {
    const lines = output()
      .split('\n')
      .filter(line => line.startsWith('{"level":60'))
      .map(line => JSON.parse(line));
    expect(lines).toHaveLength(2);
    return lines;
  }, patience);
  expect(told.map(({ origin }) => origin).sort()).toEqual(['callback', 'promise']);
  for (const { err } of told) expect(err.stack).toMatch(/thrown out of a callback|a promise that nobody watches/);
}

test('a fault that nothing waited for is logged with its stack and counted, and the server answers on and ends well', async () => {
  const metricsToken = 'a-token-for-metrics';
  const { child, address, output } = await serve({ NODE_OPTIONS: planted, TERRANE_METRICS_TOKEN: metricsToken });
  child.kill('SIGUSR2');
  await toldOfFaults(output);
  expect(await createOrganization(address, 'acme')).toBe(201);
  const metrics = await fetch(`${address}/metrics`, { headers: { authorization: `Bearer ${metricsToken}` } });
  expect(await metrics.text()).toMatch(/^terrane_unexpected_faults_total 2$/m);
  expect(await end(child, 'SIGTERM')).toBe(0);
});

test('a fault that nothing waited for does not end an agent either', async () => {
  const { address } = await serve();
  await createOrganization(address, 'acme');
  const post = async (path: string, type: string, attributes: object) => {
    const answer = await fetch(`${address}/api/v2/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${adminToken()}`, 'content-type': 'application/vnd.api+json' },
      body: JSON.stringify({ data: { type, attributes } }),
    });
    return (await answer.json()) as { data: { id: string; attributes: { token: string } } };
  };
  const pool = await post('organizations/acme/agent-pools', 'agent-pools', { name: 'pool' });
  const { data } = await post(`agent-pools/${pool.data.id}/authentication-tokens`, 'authentication-tokens', {
    description: 'agent',
  });
  const agent = spawn(process.execPath, [...program, 'agent', '--url', address], {
    env: {
      NODE_OPTIONS: planted,
      PATH: process.env['PATH'],
      TERRANE_AGENT_TOKEN: data.attributes.token,
      TERRANE_AGENT_DIR: join(parent, 'agent'),
    },
  });
  children.push(agent);
  let output = '';
  agent.stdout!.on('data', chunk => (output += chunk));
  await vi.waitFor(() => expect(output).toMatch(/runs are (not )?isolated/), patience);
  agent.kill('SIGUSR2');
  await toldOfFaults(() => output);
  expect(hasEnded(agent)).toBe(false);
  expect(await end(agent, 'SIGTERM')).toBe(0);
});

test('no line of the log holds what stands in a query, at any level', async () => {
  const { address, output } = await serve({ TERRANE_LOG_LEVEL: 'trace' });
  const asked = [
    '/_blobs/state-versions/sv-1/state?expires=99999999999&signature=hush',
    '/api/v2/account/details?access_token=hush&x=1',
    '/_blobs/plans/plan-1/log/99999999999/hush',
    '/_blobs/nowhere/hush',
    '/nowhere?token=hush',
  ];
  for (const path of asked) await (await fetch(`${address}${path}`)).arrayBuffer();
  await vi.waitFor(() => expect(output()).toContain('/nowhere'), patience);
  expect(output()).not.toContain('hush');
  expect(output()).toContain(
    '"path":"/_blobs/state-versions/:state_version_id/state","parameters":["expires","signature"]',
  );
});
