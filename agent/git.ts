/** The git of this machine, and what it finds around it: its settings and its environment, and nothing of the agent's. */
import { execFile } from 'node:child_process';
import { access, constants, writeFile } from 'node:fs/promises';
import { isIPv4 } from 'node:net';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { gte } from 'semver';
import type { IngressDescription } from './protocol.ts';
import { sshCommand, withLineEnd } from './settings.ts';

export interface Git {
  path: string;
  version: string;
}

/** The first that connects to an address that it is given, whatever the name of the host means. */
const oldest = '2.37.0';
const answerLimit_ms = 20_000;

/** Null where there is none, or an older one; `reason` says so. */
export async function findGit(searchPath: string): Promise<{ git: Git | null; reason: string | null }> {
  for (const place of searchPath.split(delimiter).filter(one => one !== '')) {
    const path = join(place, 'git');
    const version = await versionOf(path, searchPath);
    if (version === null) continue;
    if (gte(version, oldest)) return { git: { path, version }, reason: null };
    return { git: null, reason: `${path} is of version ${version}, and ${oldest} is the oldest that will do` };
  }
  return { git: null, reason: 'there is no git on the PATH' };
}

async function versionOf(path: string, searchPath: string): Promise<string | null> {
  try {
    await access(path, constants.X_OK);
    const env = { PATH: searchPath, LC_ALL: 'C' };
    const { stdout } = await promisify(execFile)(path, ['--version'], { timeout: answerLimit_ms, env });
    const [, digits] = /(\d+\.\d+(?:\.\d+)?)/.exec(stdout) ?? [];
    return digits === undefined ? null : digits.split('.').length === 2 ? `${digits}.0` : digits;
  } catch {
    // Not there, or nothing that can be run here.
    return null;
  }
}

/** The places of one fetch. */
export interface GitPlaces {
  /** Removed when the job is over. */
  root: string;
  /** What the repository holds. */
  configuration: string;
  home: string;
  temporary: string;
  files: string;
  /** What the agent itself writes. */
  reports: string;
}

/** Writes the settings and the key. Returns the environment of every command. */
export async function settleGit(
  job: IngressDescription,
  places: GitPlaces,
  inherited: Readonly<Record<string, string>>,
): Promise<Record<string, string>> {
  await writeFile(join(places.home, '.gitconfig'), settingsOf(job), { mode: 0o600 });
  if (job.ssh_key !== null) {
    await writeFile(join(places.files, 'ssh-key'), withLineEnd(job.ssh_key), { mode: 0o600 });
  }
  const certificates = inherited['SSL_CERT_FILE'];
  return {
    ...inherited,
    // What git says is looked through for what it means.
    LC_ALL: 'C',
    HOME: places.home,
    TMPDIR: places.temporary,
    GIT_ALLOW_PROTOCOL: [...new Set(['https', 'ssh', schemeOf(job)])].join(':'),
    GIT_ATTR_NOSYSTEM: '1',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_LFS_SKIP_SMUDGE: '1',
    GIT_SSH_COMMAND: sshCommand(places, sshOptions(job)),
    GIT_TERMINAL_PROMPT: '0',
    ...(certificates !== undefined && { GIT_SSL_CAINFO: certificates }),
  };
}

const schemeOf = ({ url }: IngressDescription) => new URL(url).protocol.slice(0, -1);
const nameOfHost = ({ url }: IngressDescription) => new URL(url).hostname;

function sshOptions(job: IngressDescription): string[] {
  // Ssh is told one alone, and every machine speaks the older protocol.
  const address = job.addresses?.find(one => isIPv4(one)) ?? job.addresses?.[0];
  return [
    ...['BatchMode=yes', 'ConnectTimeout=20', 'ServerAliveInterval=15', 'ServerAliveCountMax=4'],
    // The key of a host belongs to its name, however it is reached.
    ...(address === undefined ? [] : [`HostName=${address}`, `HostKeyAlias=${nameOfHost(job)}`, 'ProxyCommand=none']),
  ];
}

/** The whole configuration of git: what a repository brings along changes nothing of it. */
function settingsOf(job: IngressDescription): string {
  const origin = originOf(job);
  const resolved = (job.addresses?.length ?? 0) > 0 ? pinned(job) : [];
  return [
    '[core]',
    ...['hooksPath = /dev/null', 'fsmonitor = false', 'autocrlf = false', 'attributesFile = /dev/null'],
    ...['[init]', 'defaultBranch = main', 'templateDir =', '[gc]', 'auto = 0', '[maintenance]', 'auto = false'],
    ...['[advice]', 'detachedHead = false', '[fetch]', 'recurseSubmodules = false', 'writeCommitGraph = false'],
    ...['[credential]', 'helper =', '[http]', 'followRedirects = false', 'lowSpeedLimit = 1000', 'lowSpeedTime = 60'],
    ...resolved.map(one => `curloptResolve = ${quoted(one)}`),
    ...(job.login && origin !== null
      ? [`[http ${quoted(origin)}]`, `extraHeader = ${quoted(`Authorization: ${basic(job.login)}`)}`]
      : []),
    '',
  ].join('\n');
}

export const basic = ({ username, password }: { username: string; password: string }) =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;

const quoted = (text: string) => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;

/** `https://git.example:8443/`: every repository of the host. Null of one that is read by ssh. */
function originOf({ url }: IngressDescription): string | null {
  const { protocol, host } = new URL(url);
  return protocol === 'ssh:' ? null : `${protocol}//${host}/`;
}

/** Also for the usual port: a submodule may be read by https where the repository is not. */
function pinned(job: IngressDescription): string[] {
  const { port, hostname, protocol } = new URL(job.url);
  const own = protocol === 'ssh:' ? '443' : port || (protocol === 'http:' ? '80' : '443');
  return [...new Set([own, '443'])].map(one => `${hostname}:${one}:${job.addresses!.map(bracketed).join(',')}`);
}

const bracketed = (address: string) => (address.includes(':') ? `[${address}]` : address);
