/** How much a run takes of the machine: the memory of all its processes, and the room of all its files. */
import { readdirSync, readFileSync } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

interface Process {
  pid: number;
  parent: number;
  group: number;
}

/** Everything that descends from a process or is still of its group. */
export function processesOf(pid: number): number[] {
  const all = processes();
  const children = new Map<number, number[]>();
  for (const { pid: child, parent } of all) {
    const siblings = children.get(parent);
    if (siblings) siblings.push(child);
    else children.set(parent, [child]);
  }
  const found = new Set(all.filter(one => one.pid === pid || one.group === pid).map(one => one.pid));
  // A set grows while it is gone through.
  for (const one of found) for (const child of children.get(one) ?? []) found.add(child);
  return [...found];
}

function processes(): Process[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .flatMap(name => {
      const text = textOf(`/proc/${name}/stat`);
      // The name of the program stands in parentheses, and may hold any character.
      const [, parent, group] = text.slice(text.lastIndexOf(')') + 2).split(' ');
      return group === undefined ? [] : [{ pid: Number(name), parent: Number(parent), group: Number(group) }];
    });
}

/** What they hold in memory; programs and files that are only mapped do not count. */
export function memoryOf(pids: readonly number[]): number {
  const kibibytes = pids.flatMap(pid =>
    [...textOf(`/proc/${pid}/status`).matchAll(/^Rss(?:Anon|Shmem):\s*(\d+) kB$/gm)].map(([, count]) => Number(count)),
  );
  return kibibytes.reduce((sum, one) => sum + one, 0) * 1024;
}

/** The number of a process within the namespace in which it was started. */
export function innermostNumber(pid: number): number | undefined {
  const numbers = /^NSpid:\s*(.*)$/m.exec(textOf(`/proc/${pid}/status`))?.[1]?.split(/\s+/);
  return numbers && Number(numbers.at(-1));
}

/** Of a process that has ended there is nothing. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** What files below the directories take on the disk; not more than `enough_bytes` is counted. */
export async function diskOf(directories: readonly string[], enough_bytes: number): Promise<number> {
  const waiting = [...directories];
  let bytes = 0;
  while (waiting.length > 0 && bytes < enough_bytes) {
    const directory = waiting.pop()!;
    // What is removed meanwhile takes nothing.
    const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const path = join(directory, entry.name);
      if (entry.isDirectory()) waiting.push(path);
      bytes += await lstat(path).then(
        ({ blocks }) => blocks * 512,
        () => 0,
      );
    }
  }
  return bytes;
}
