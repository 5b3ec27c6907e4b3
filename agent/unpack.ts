/** Unpacks a configuration that somebody uploaded: nothing of it lands outside of its directory, or fills the disk. */
import { mkdir } from 'node:fs/promises';
import { isAbsolute, join, normalize } from 'node:path';
import { extract, type ReadEntry } from 'tar';

export const most_entries = 100_000;
export const most_bytes = 1024 * 1024 * 1024;

/** Throws what is wrong with the archive, in words for people. */
export async function unpack(archive: string, directory: string): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  let [entries, bytes]: [number, number] = [0, 0];
  let fault: string | null = null;
  const isWanted = (path: string, entry: ReadEntry): boolean => {
    entries += 1;
    bytes += entry.size;
    fault ??= faultOf(path, entry);
    if (entries > most_entries) fault ??= `it holds more than ${most_entries} files`;
    if (bytes > most_bytes) fault ??= `its files are larger than ${most_bytes} bytes together`;
    return fault === null;
  };
  await extract({
    file: archive,
    cwd: directory,
    strict: true,
    preserveOwner: false,
    noChmod: true,
    filter: (path, entry) => isWanted(path, entry as ReadEntry),
  }).catch(error => {
    fault ??= (error as Error).message;
  });
  if (fault !== null) throw new Error(`The configuration cannot be unpacked: ${fault}.`);
}

const kinds = ['File', 'OldFile', 'ContiguousFile', 'Directory', 'SymbolicLink'];

function faultOf(path: string, { type, linkpath }: ReadEntry): string | null {
  if (!kinds.includes(type)) return `${JSON.stringify(path)} is a ${type}`;
  if (leadsOutside(path)) return `${JSON.stringify(path)} lies outside of it`;
  if (type !== 'SymbolicLink' || linkpath === undefined) return null;
  return leadsOutside(targetOf(path, linkpath)) ? `the link ${JSON.stringify(path)} leads outside of it` : null;
}

/** Of a link, below the directory that its own path is below. */
export const targetOf = (path: string, linkpath: string) =>
  isAbsolute(linkpath) ? linkpath : join(path, '..', linkpath);

export function leadsOutside(path: string): boolean {
  const plain = normalize(path);
  return isAbsolute(plain) || plain === '..' || plain.startsWith('../') || plain.includes('\0');
}
