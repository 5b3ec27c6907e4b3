/** A configuration as command lines pack it: an archive of its files, without those that `.terraformignore` names. */
import type { Dirent } from 'node:fs';
import { lstat, mkdir, open, readdir, readFile, readlink, stat, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { create } from 'tar';
import { isLeft } from './bench.ts';
import { FetchError } from './git-faults.ts';
import { type GitBench, runGit } from './repository.ts';
import { leadsOutside, most_bytes, most_entries, targetOf } from './unpack.ts';

const rulesName = '.terraformignore';
const rules_bytes = 64 * 1024;
/** What engines leave behind is made anew; their modules may be part of the repository. */
const usualRules = '.terraform/*\n!.terraform/modules/\n';

/** Returns the path of the archive. Throws FetchError. */
export async function pack(bench: GitBench): Promise<string> {
  const { configuration, reports } = bench.places;
  const all = await filesOf(configuration);
  const ignored = await ignoredOf(bench, all);
  const archive = join(reports, 'configuration.tar.gz');
  // A name that begins with @ would mean an archive to take in.
  const paths = all.filter(path => !ignored.has(path)).map(path => (path.startsWith('@') ? `./${path}` : path));
  await create({ file: archive, cwd: configuration, gzip: true, portable: true, noDirRecurse: true }, paths);
  const { size } = await stat(archive);
  if (size > bench.job.content_limit_bytes) {
    const limit = bench.job.content_limit_bytes / 1024 ** 2;
    throw new FetchError('too_large', `Packed, the configuration takes more than ${limit} MiB: ${advice}.`);
  }
  return archive;
}

const advice = `name what no run needs in ${rulesName}`;

/** Files and links, each by its path below the directory. A link that leads out of it leads nowhere in a run. */
async function filesOf(root: string): Promise<string[]> {
  const found: string[] = [];
  let bytes = 0;
  const waiting = [''];
  for (let below = waiting.pop(); below !== undefined; below = waiting.pop()) {
    const entries = await readdir(join(root, below), { withFileTypes: true });
    for (const entry of entries.sort(byName)) {
      const path = join(below, entry.name);
      if (entry.name === '.git') continue;
      if (entry.isDirectory()) waiting.push(path);
      else if (entry.isFile() || (entry.isSymbolicLink() && (await leadsWithin(root, path)))) {
        found.push(path);
        bytes += await sizeOf(root, path);
      }
      if (found.length > most_entries) {
        throw new FetchError('too_large', `The repository holds more than ${most_entries} files.`);
      }
    }
  }
  if (bytes > most_bytes) {
    throw new FetchError('too_large', `The files of the repository take more than ${most_bytes / 1024 ** 2} MiB.`);
  }
  return found;
}

/** Names reach us as text: one that is none names nothing. */
async function sizeOf(root: string, path: string): Promise<number> {
  const found = await lstat(join(root, path)).catch(() => null);
  if (found) return found.size;
  throw new FetchError('failed', `The name of a file is not UTF-8: ${JSON.stringify(path.slice(0, 200))}.`);
}

const byName = (one: Dirent, other: Dirent) => (one.name < other.name ? -1 : 1);

async function leadsWithin(root: string, path: string): Promise<boolean> {
  return !leadsOutside(targetOf(path, await readlink(join(root, path))));
}

/** Git itself says what the rules mean: in a repository of its own, whose only rules they are. */
async function ignoredOf(bench: GitBench, paths: readonly string[]): Promise<Set<string>> {
  const { configuration, files, reports } = bench.places;
  const beside = join(files, 'ignored');
  await mkdir(beside);
  await runGit(bench, ['init', '--quiet', '.'], { directory: beside });
  await mkdir(join(beside, '.git/info'), { recursive: true });
  await writeFile(join(beside, '.git/info/exclude'), `${usualRules}${await rulesOf(configuration)}`);
  const [list, answer] = [join(files, 'paths'), join(reports, 'ignored')];
  await writeFile(list, paths.map(path => `${path}\0`).join(''));
  const command = ['check-ignore', '--no-index', '--stdin', '-z'];
  // It ends with 1 where it ignores none of them.
  await runGit(bench, command, { directory: beside, from: list, into: answer, allowed: [1] });
  return new Set((await readFile(answer, 'utf8')).split('\0'));
}

async function rulesOf(configuration: string): Promise<string> {
  const path = join(configuration, rulesName);
  if (!(await isLeft(path, configuration))) return '';
  if ((await stat(path)).size > rules_bytes) {
    throw new FetchError('too_large', `${rulesName} has more than ${rules_bytes} bytes.`);
  }
  return readFile(path, 'utf8');
}

const readmeNames = [/^readme\.(?:md|markdown)$/i, /^readme(?:\.txt)?$/i];

/** The README of the working directory, else that of the repository, as far as it is shown. Null where there is none. */
export async function readmeOf({ job, places }: GitBench): Promise<string | null> {
  const { configuration } = places;
  for (const directory of new Set([join(configuration, job.working_directory), configuration])) {
    if (directory !== configuration && leadsOutside(relative(configuration, directory))) continue;
    const names = (await readdir(directory).catch(() => [])).sort();
    const name = readmeNames.map(form => names.find(one => form.test(one))).find(one => one !== undefined);
    const path = join(directory, name ?? '');
    if (name !== undefined && (await isLeft(path, configuration))) return beginningOf(path, job.readme_limit_bytes);
  }
  return null;
}

async function beginningOf(path: string, most: number): Promise<string> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(most), 0, most, 0);
    // Half a character at the end is none.
    const text = new TextDecoder().decode(buffer.subarray(0, bytesRead), { stream: true });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: no reader shows them, and databases keep no NUL.
    return text.replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, '');
  } finally {
    await file.close();
  }
}
