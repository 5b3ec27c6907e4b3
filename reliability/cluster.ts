/**
 * Two PostgreSQL under Patroni, with etcd and HAProxy, as operators run them: a primary, a replica that follows it over a
 * slow way, and one address that leads to whichever is the primary. Each node can die at once with all of its processes.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chownSync, closeSync, existsSync, mkdtempSync, openSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { end } from '../bench/ending.ts';
import { asUser, chooseIdentity } from '../src/core/store/embedded-binaries.ts';
import { postgresProcesses } from '../src/core/store/leftover-processes.ts';
import { openLink } from './link.ts';
import { atExit, freePort } from './processes.ts';

export interface Cluster {
  /** Of whichever is the primary. */
  url: string;
  /** Kills the primary and what watches it, with nothing said to anybody. Returns its name. */
  killPrimary: () => Promise<string>;
  /** Starts what was killed, and resolves when it follows the primary, ready to take its place. */
  revive: (name: string) => Promise<void>;
  /** The name of the primary; null while there is none. */
  primary: () => Promise<string | null>;
  /** Until `release`, nothing reaches the replica. */
  hold: () => void;
  release: () => void;
}

export interface ClusterOptions {
  /** Whether a change is acknowledged only when the replica has it as well. */
  isSynchronous: boolean;
  /** How long what the primary says is on its way to the replica. */
  delay_ms: number;
  /** Where PostgreSQL's programs are. */
  programs: string;
  say: (text: string) => void;
}

const user = 'terrane';
const startLimit_ms = 90_000;
/** Patroni takes no fewer seconds for the time after which a primary that says nothing has lost its place. */
const leaseTime_s = 20;
const packages = { etcd: 'etcd-server', patroni: 'patroni', haproxy: 'haproxy' };

export async function openCluster({ isSynchronous, delay_ms, programs, say }: ClusterOptions): Promise<Cluster> {
  const commands = findPrograms(programs);
  const identity = chooseIdentity([]);
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'terrane-cluster-')));
  const own = { ...asUser(identity), cwd: directory };
  const belongs = (path: string) => {
    if (identity) chownSync(path, identity.uid, identity.gid);
    return path;
  };
  belongs(directory);
  atExit(() => rmSync(directory, { recursive: true, force: true }));
  const write = (name: string, text: string) => {
    writeFileSync(join(directory, name), text);
    return belongs(join(directory, name));
  };
  const run = (name: string, command: keyof typeof packages, parameters: string[]): ChildProcess => {
    const log = openSync(join(directory, `${name}.log`), 'a');
    const child = spawn(commands[command], parameters, { ...own, stdio: ['ignore', log, log] });
    closeSync(log);
    atExit(() => end(child, 'SIGKILL'));
    return child;
  };

  const [keeper, peers] = [await freePort(), await freePort()];
  run('etcd', 'etcd', etcdParameters(join(directory, 'etcd'), keeper, peers));
  const nodes = await Promise.all(
    ['one', 'two'].map(async name => {
      const ports = { real: await freePort(), linked: await freePort(), rest: await freePort() };
      const data = join(directory, name);
      const settings = patroniSettings({ name, ports, keeper, directory, data, programs, isSynchronous });
      return {
        name,
        ...ports,
        data,
        settings: write(`${name}.yml`, JSON.stringify(settings, null, 2)),
        link: await openLink(ports.linked, ports.real, delay_ms),
        patroni: undefined as ChildProcess | undefined,
      };
    }),
  );
  type Node = (typeof nodes)[number];
  const startNode = (node: Node) => {
    node.patroni = run(node.name, 'patroni', [node.settings]);
  };
  const killNode = async (node: Node) => {
    node.patroni!.kill('SIGKILL');
    for (;;) {
      const left = await postgresProcesses(node.data);
      for (const pid of left) signalIfThere(pid);
      if (left.length === 0) return;
    }
  };
  atExit(async () => {
    for (const node of nodes) if (node.patroni) await killNode(node);
  });
  for (const node of nodes) {
    startNode(node);
    const role = node === nodes[0] ? 'primary' : 'replica';
    await until(
      () => answers(node.rest, role),
      `${node.name} is no ${role}`,
      () => tail(directory, node.name),
    );
  }
  const port = await freePort();
  run('haproxy', 'haproxy', ['-db', '-f', write('haproxy.cfg', haproxySettings(port, nodes))]);
  const follows = isSynchronous ? 'synchronous' : 'replica';
  await until(
    () => answers(nodes[1]!.rest, follows),
    'the replica does not follow',
    () => tail(directory, 'two'),
  );
  say(`${isSynchronous ? 'synchronous' : 'asynchronous'} replica, ${delay_ms} ms away`);

  const primary = async (): Promise<Node | undefined> => {
    for (const node of nodes) if (await answers(node.rest, 'primary')) return node;
    return undefined;
  };
  return {
    url: `postgres://${user}@127.0.0.1:${port}/postgres`,
    primary: async () => (await primary())?.name ?? null,
    killPrimary: async () => {
      const node = (await primary())!;
      await killNode(node);
      return node.name;
    },
    revive: async name => {
      const node = nodes.find(one => one.name === name)!;
      startNode(node);
      await until(
        () => answers(node.rest, follows),
        `${name} does not follow`,
        () => tail(directory, name),
      );
    },
    hold: () => {
      for (const { link } of nodes) link.hold();
    },
    release: () => {
      for (const { link } of nodes) link.release();
    },
  };
}

/** Where each lies. Throws with the names of the packages that are not there. */
function findPrograms(postgres: string): Record<keyof typeof packages, string> {
  const missing: string[] = existsSync(join(postgres, 'pg_rewind')) ? [] : ['postgresql-15'];
  const found = Object.entries(packages).map(([command, packageName]) => {
    const directory = ['/usr/bin', '/usr/sbin', '/usr/local/bin'].find(one => existsSync(join(one, command)));
    if (!directory) missing.push(packageName);
    return [command, join(directory ?? '', command)];
  });
  if (missing.length === 0) return Object.fromEntries(found);
  throw new Error(
    `This needs packages of Debian: apt-get install ${missing.join(' ')}. Other PostgreSQL: --postgres DIRECTORY.`,
  );
}

function etcdParameters(directory: string, port: number, peers: number): string[] {
  const [clients, others] = [port, peers].map(one => `http://127.0.0.1:${one}`) as [string, string];
  const options = {
    'data-dir': directory,
    'listen-client-urls': clients,
    'advertise-client-urls': clients,
    'listen-peer-urls': others,
    'initial-advertise-peer-urls': others,
    'initial-cluster': `default=${others}`,
    'log-level': 'warn',
  };
  return Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
}

interface NodeSettings {
  name: string;
  ports: { real: number; linked: number; rest: number };
  keeper: number;
  directory: string;
  data: string;
  programs: string;
  isSynchronous: boolean;
}

/** In JSON, which is YAML. The replica reaches the primary by the address that this says: the slow way. */
function patroniSettings({ name, ports, keeper, directory, data, programs, isSynchronous }: NodeSettings): object {
  const anybody = ['local all all trust', 'host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'];
  return {
    scope: 'terrane',
    name,
    restapi: { listen: `127.0.0.1:${ports.rest}`, connect_address: `127.0.0.1:${ports.rest}` },
    etcd3: { host: `127.0.0.1:${keeper}` },
    bootstrap: {
      dcs: {
        ttl: leaseTime_s,
        loop_wait: 1,
        retry_timeout: 3,
        maximum_lag_on_failover: 2 ** 30,
        synchronous_mode: isSynchronous,
        postgresql: { use_pg_rewind: true, parameters: { max_connections: 200, wal_log_hints: 'on' } },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C' }],
      pg_hba: anybody,
    },
    postgresql: {
      listen: `127.0.0.1:${ports.real}`,
      connect_address: `127.0.0.1:${ports.linked}`,
      data_dir: data,
      bin_dir: programs,
      pgpass: join(directory, `${name}.pgpass`),
      pg_hba: anybody,
      parameters: { unix_socket_directories: directory, shared_buffers: '64MB', jit: 'off' },
      authentication: { superuser: { username: user }, replication: { username: user }, rewind: { username: user } },
    },
  };
}

/** Patroni says which node is the primary; connections to one that is it no longer are ended. */
function haproxySettings(port: number, nodes: readonly { name: string; real: number; rest: number }[]): string {
  return `defaults
  mode tcp
  timeout connect 2s
  timeout client 1h
  timeout server 1h
  timeout check 1s
listen primary
  bind 127.0.0.1:${port}
  option httpchk GET /primary
  http-check expect status 200
  default-server inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
${nodes.map(({ name, real, rest }) => `  server ${name} 127.0.0.1:${real} check port ${rest}`).join('\n')}
`;
}

/** Whether Patroni says that the node is that. */
async function answers(port: number, what: string): Promise<boolean> {
  try {
    return (await fetch(`http://127.0.0.1:${port}/${what}`, { signal: AbortSignal.timeout(2000) })).status === 200;
  } catch {
    return false;
  }
}

async function until(holds: () => Promise<boolean>, otherwise: string, log: () => string): Promise<void> {
  const deadline_ms = Date.now() + startLimit_ms;
  while (!(await holds())) {
    if (Date.now() > deadline_ms) throw new Error(`After ${startLimit_ms / 1000} s ${otherwise}:\n${log()}`);
    await sleep(200);
  }
}

const tail = (directory: string, name: string): string =>
  execFileSync('tail', ['-n', '30', join(directory, `${name}.log`)], { encoding: 'utf8' });

function signalIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
