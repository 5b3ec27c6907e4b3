/**
 * What stands between the code of a run and the machine. Bubblewrap, where it works, leaves a run the programs of the
 * machine, read-only, and its own places; the agent, the server and other runs are not there for it, neither as files
 * nor as processes. Limits of single processes are kept by the kernel, with or without it.
 */
import { execFile } from 'node:child_process';
import { accessSync, constants, existsSync, lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

export interface Isolation {
  /** The program; null where runs are executed without it. */
  bubblewrap: string | null;
  /** Why they are, in words for people. */
  reason: string | null;
}

/** What a run may use of the machine. */
export interface Confinement {
  isolation: Isolation;
  /** Directories that it may change, under the paths that they have outside. */
  writable: readonly string[];
  /** Stands at the places for temporary files. */
  temporary: string;
  /** Files and directories that it may read besides the programs of the machine. */
  readable: readonly string[];
  /** Of all its processes together. Null without a limit. */
  memory_bytes: number | null;
  /** Of all that it writes. Null without a limit. */
  disk_bytes: number | null;
}

const probeLimit_ms = 10_000;

/** Tries it out: a kernel may refuse what it needs, above all within containers. */
export async function findIsolation(path: string): Promise<Isolation> {
  if (process.platform !== 'linux') return without('bubblewrap is for Linux alone');
  const bubblewrap = path
    .split(delimiter)
    .map(place => join(place, 'bwrap'))
    .find(isExecutable);
  if (!bubblewrap) return without('bubblewrap is not installed: there is no bwrap on the PATH');
  const parameters = [...walls(), '--', '/bin/sh', '-c', ':'];
  try {
    await promisify(execFile)(bubblewrap, parameters, { timeout: probeLimit_ms, env: {} });
    return { bubblewrap, reason: null };
  } catch (error) {
    const said = String((error as { stderr?: string }).stderr ?? '').trim() || (error as Error).message;
    return without(`the kernel refuses it: ${said.split('\n')[0]!.replace(/\.$/, '')}`);
  }
}

export const without = (reason: string): Isolation => ({ bubblewrap: null, reason });

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const programs = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/nix/store', '/run/current-system/sw'];
/** Of /etc what programs need to find names, hosts, certificates and libraries, and nothing that anybody keeps secret. */
const settings = [
  ...['alternatives', 'ca-certificates', 'crypto-policies', 'gai.conf', 'gitconfig', 'group', 'host.conf', 'hosts'],
  ...['ld.so.cache', 'ld.so.conf', 'ld.so.conf.d', 'localtime', 'mime.types', 'nsswitch.conf', 'os-release', 'passwd'],
  ...['pki/ca-trust', 'pki/tls/certs', 'pki/tls/cert.pem', 'protocols', 'resolv.conf', 'services', 'ssh/ssh_config'],
  ...['ssh/ssh_config.d', 'ssh/ssh_known_hosts', 'ssl/certs', 'ssl/openssl.cnf', 'timezone'],
].map(name => `/etc/${name}`);

/** Namespaces of its own, and the machine's programs, for whoever runs within. */
function walls(): string[] {
  return [
    ...['--unshare-user', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'],
    // Without the agent nobody would see to it that it ends.
    ...['--die-with-parent', '--cap-drop', 'ALL'],
    ...programs.flatMap(path => (isLink(path) ? ['--symlink', readlinkSync(path), path] : readOnly(path, path))),
    ...settings.flatMap(path => readOnly(path, path)),
    ...['--proc', '/proc', '--dev', '/dev'],
  ];
}

const readOnly = (from: string, to: string) => ['--ro-bind-try', from, to];

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}

/**
 * The parameters of bubblewrap but for the command. They hold the environment, which nobody is to see in a list of
 * processes, and which must not change how bubblewrap itself runs: they are given by a pipe.
 */
export function bubbleParameters(
  { writable, temporary, readable }: Confinement,
  directory: string,
  environment: Readonly<Record<string, string>>,
): string[] {
  const bound = (path: string, at: string) => ['--bind', path, at];
  return [
    ...walls(),
    ...['/tmp', '/var/tmp'].flatMap(place => bound(temporary, place)),
    // Memory that no limit would count, if it were not on the disk.
    ...['--remount-ro', '/dev', ...bound(temporary, '/dev/shm')],
    ...readable.filter(path => existsSync(path)).flatMap(path => readOnly(realpathSync(path), path)),
    ...writable.flatMap(path => bound(path, path)),
    ...['--remount-ro', '/', '--chdir', directory],
    ...Object.entries(environment).flatMap(([name, value]) => ['--setenv', name, value]),
  ];
}

/**
 * For a shell: each process gets so much at most, and none leaves its memory in a file when it fails. Where the machine
 * gives it less, that stays.
 */
export function kernelLimits({ memory_bytes, disk_bytes }: Confinement): string {
  return [
    'ulimit -c 0',
    ...(memory_bytes === null ? [] : [`ulimit -d ${Math.ceil(memory_bytes / 1024)} 2> /dev/null`]),
    ...(disk_bytes === null ? [] : [`ulimit -f ${Math.ceil(disk_bytes / 512)} 2> /dev/null`]),
  ].join('; ');
}
