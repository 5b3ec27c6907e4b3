/** The engines of this machine: those on the PATH, and those below directories. */
import { execFile } from 'node:child_process';
import { access, constants, readdir } from 'node:fs/promises';
import { basename, delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import type { Engine, EngineName } from './protocol.ts';

export interface InstalledEngine extends Engine {
  path: string;
}

const names: readonly EngineName[] = ['terraform', 'tofu'];
const answerLimit_ms = 20_000;
/** Below the directory: `1.9.0/terraform`, `terraform/1.9.0/terraform`. */
const depth = 3;

/** Of two of the same name and version the first one found; those on the PATH come last. */
export async function findEngines(path: string, directories: readonly string[]): Promise<InstalledEngine[]> {
  const candidates = [
    ...(await Promise.all(directories.map(directory => executablesBelow(directory, depth)))).flat(),
    ...path.split(delimiter).flatMap(place => (place === '' ? [] : names.map(name => join(place, name)))),
  ];
  const found = new Map<string, InstalledEngine>();
  for (const candidate of candidates) {
    const engine = await engineAt(candidate, path);
    const key = engine && `${engine.name} ${engine.version}`;
    if (key && !found.has(key)) found.set(key, engine);
  }
  return [...found.values()];
}

/** Terraform where both are there in this version. Undefined where neither is. */
export function engineOf(engines: readonly InstalledEngine[], version: string): InstalledEngine | undefined {
  const matching = engines.filter(one => one.version === version);
  return matching.find(({ name }) => name === 'terraform') ?? matching[0];
}

async function executablesBelow(directory: string, levels: number): Promise<string[]> {
  if (levels === 0) return [];
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
  const below = entries
    .sort((one, other) => one.name.localeCompare(other.name))
    .map(entry => {
      const path = join(directory, entry.name);
      // What is being downloaded is not there yet.
      if (entry.isDirectory() && entry.name.startsWith('.')) return Promise.resolve([]);
      if (entry.isDirectory()) return executablesBelow(path, levels - 1);
      return Promise.resolve(names.some(name => nameOf(path) === name) ? [path] : []);
    });
  return (await Promise.all(below)).flat();
}

/** `terraform`, `terraform_1.9.0`, `tofu-1.10.0`. */
const nameOf = (path: string) => /^(terraform|tofu)(?:[-_.]v?\d[\w.+-]*)?$/.exec(basename(path))?.[1];

async function engineAt(path: string, searchPath: string): Promise<InstalledEngine | null> {
  try {
    await access(path, constants.X_OK);
    const { stdout } = await promisify(execFile)(path, ['version', '-json'], {
      timeout: answerLimit_ms,
      env: { PATH: searchPath, CHECKPOINT_DISABLE: '1', TF_CLI_CONFIG_FILE: '/dev/null' },
    });
    const version: unknown = JSON.parse(stdout).terraform_version;
    if (typeof version !== 'string') return null;
    return { name: nameOf(path) as EngineName, version, path };
  } catch {
    // Not there, or nothing that can be run here.
    return null;
  }
}
