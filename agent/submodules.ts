/** The submodules of a commit, and theirs: fetched one level at a time, so that each address is looked at before git follows it. */
import { lstat, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { isLeft } from './bench.ts';
import { FetchError } from './git-faults.ts';
import { type GitBench, requireRoom, runGit, wholeAnswerOf } from './repository.ts';

const most_items = 100;
const deepest = 5;

export async function fetchSubmodules(bench: GitBench): Promise<void> {
  let left = most_items;
  const below = async (directory: string, level: number): Promise<void> => {
    if (!(await isLeft(join(directory, '.gitmodules'), bench.places.configuration))) return;
    if (level > deepest) {
      throw new FetchError('too_large', `Its submodules have submodules, ${deepest} levels deep and deeper.`);
    }
    await runGit(bench, ['submodule', '--quiet', 'init'], { directory });
    const addresses = await settingsOf(bench, directory, ['config'], 'url');
    left -= addresses.size;
    if (left < 0) throw new FetchError('too_large', `It has more than ${most_items} submodules.`);
    for (const [name, address] of addresses) requireNear(bench, name, address);
    await runGit(bench, ['submodule', '--quiet', 'update', '--depth=1', '--checkout', '--force'], { directory });
    await requireRoom(bench);
    const paths = await settingsOf(bench, directory, ['config', '--file', '.gitmodules'], 'path');
    for (const name of addresses.keys()) {
      const place = join(directory, paths.get(name) ?? '.');
      if (place !== directory && (await isDirectoryWithin(place, directory))) await below(place, level + 1);
    }
  };
  await below(bench.places.configuration, 1);
}

/** Of each submodule by its name, what git has resolved by then: addresses may be relative to that of the repository. */
async function settingsOf(
  bench: GitBench,
  directory: string,
  command: readonly string[],
  member: 'url' | 'path',
): Promise<Map<string, string>> {
  const pattern = `^submodule\\..*\\.${member}$`;
  // It ends with 1 where there is none.
  const said = await wholeAnswerOf(bench, [...command, '--null', '--get-regexp', pattern], { directory, allowed: [1] });
  const settings = said.split('\0').flatMap(one => {
    const end = one.indexOf('\n');
    return end < 0 ? [] : [[one.slice('submodule.'.length, end - member.length - 1), one.slice(end + 1)] as const];
  });
  return new Map(settings);
}

/** What was judged is the address of the repository's own host. */
function requireNear({ job }: GitBench, name: string, address: string): void {
  if (job.addresses === null) return;
  const { hostname, port, protocol } = new URL(job.url);
  const isHttp = protocol !== 'ssh:';
  const places = [
    `(?:https|ssh)://(?:[\\w.~%-]+@)?${literal(hostname)}/[^\\\\\\s]*`,
    `(?:[\\w.-]+@)?${literal(hostname)}:(?!//)[^\\\\\\s]*`,
    `${isHttp ? protocol.slice(0, -1) : 'ssh'}://(?:[\\w.~%-]+@)?${literal(hostname)}${port && `:${port}`}/[^\\\\\\s]*`,
  ];
  if (places.some(place => new RegExp(`^${place}$`, 'i').test(address))) return;
  const reason = `The submodule ${JSON.stringify(name.slice(0, 200))} is at another host than the repository.`;
  throw new FetchError('not_allowed', `${reason} Here it can be fetched by an agent of a pool only.`);
}

const literal = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\/-]/g, '\\$&');

async function isDirectoryWithin(place: string, directory: string): Promise<boolean> {
  try {
    const real = await realpath(place);
    return real.startsWith(`${await realpath(directory)}${sep}`) && (await lstat(real)).isDirectory();
  } catch {
    return false;
  }
}
