// An organization as a folder of JSON and state files: what `terrane export` writes and `terrane import` takes.
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CommandError } from '../command-error.ts';
import { kinds } from './kinds/all.ts';
import type { Origin, ServerOrigin } from './origin.ts';
import { inParallel } from './parallel.ts';
import type { MovedRecord } from './record.ts';
import type { State, Which } from './states.ts';

const form = 1;
const pageSize = 100;

export interface ExportOptions {
  states: Which;
  parallel: number;
  onProgress: (done: number, total: number, what: string) => void;
}

/** Files are made under another name first, so that each is whole or absent. States lie in it: only the owner reads it. */
export async function exportOrganization(
  origin: ServerOrigin,
  folder: string,
  options: ExportOptions,
): Promise<{ workspaces: number; states: number }> {
  await mkdir(join(folder, 'workspaces'), { recursive: true, mode: 0o700 });
  const head = await origin.head();
  for (const { type } of kinds) await writeJson(join(folder, `${type}.json`), head.get(type) ?? []);
  const counts = { workspaces: 0, states: 0 };
  for await (const { records, total } of origin.workspaces()) {
    await inParallel(records, options.parallel, async record => {
      const states = await origin.states(record, options.states);
      const written = await writeStates(join(folder, 'states', record.name), states);
      counts.states += written;
      await writeJson(join(folder, 'workspaces', `${record.name}.json`), record);
      counts.workspaces += 1;
      options.onProgress(counts.workspaces, total, 'workspaces');
    });
  }
  await writeJson(join(folder, 'export.json'), {
    form,
    from: origin.title,
    organization: origin.place.organization,
    leftBehind: await origin.leftBehind(),
  });
  return counts;
}

/** One that is there already is not fetched again: a state never changes. */
async function writeStates(folder: string, states: readonly State[]): Promise<number> {
  if (states.length === 0) return 0;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const present = new Set(await readdir(folder));
  for (const { serial, fetch } of states)
    if (!present.has(`${serial}.tfstate`)) await writeWhole(join(folder, `${serial}.tfstate`), await fetch());
  return states.length;
}

const writeJson = (path: string, value: unknown) => writeWhole(path, `${JSON.stringify(value, null, 2)}\n`);

async function writeWhole(path: string, content: string | Buffer): Promise<void> {
  await writeFile(`${path}.partial`, content, { mode: 0o600 });
  await rename(`${path}.partial`, path);
}

/** Throws CommandError where the folder holds no whole export. */
export async function folderOrigin(folder: string): Promise<Origin & { organization: string }> {
  const about = (await readJson(join(folder, 'export.json'))) as {
    form: number;
    from: string;
    organization: string;
    leftBehind: { title: string; count: number }[];
  };
  if (about.form !== form) throw new CommandError(`${folder} was exported by another version of Terrane.`);
  const names = (await readdir(join(folder, 'workspaces'))).filter(name => name.endsWith('.json')).sort();
  return {
    title: `${folder} (${about.from})`,
    organization: about.organization,
    head: async () => {
      const files = kinds.map(async ({ type }) => [type, await readJson(join(folder, `${type}.json`))] as const);
      return new Map((await Promise.all(files)) as [string, MovedRecord[]][]);
    },
    workspaces: async function* () {
      for (let from = 0; from < names.length; from += pageSize) {
        const page = names.slice(from, from + pageSize).map(name => readJson(join(folder, 'workspaces', name)));
        yield { records: (await Promise.all(page)) as MovedRecord[], total: names.length };
      }
    },
    states: ({ name }, which) => readStates(join(folder, 'states', name), which),
    leftBehind: async () => about.leftBehind,
  };
}

async function readStates(folder: string, which: Which): Promise<State[]> {
  if (which === 'none') return [];
  const files = (await readdir(folder).catch(() => [])).filter(name => /^\d+\.tfstate$/.test(name));
  const states = files.map(name => ({ serial: Number.parseInt(name, 10), fetch: () => readFile(join(folder, name)) }));
  states.sort((one, other) => one.serial - other.serial);
  return which === 'all' ? states : states.slice(-1);
}

async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    throw new CommandError(`${path} cannot be read: ${(error as Error).message}. Is it a whole export?`);
  }
}
