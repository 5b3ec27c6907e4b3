// A short name for a directory in which unix sockets lie: their path holds 103 bytes on some systems, 107 on others.
import { mkdtemp, readdir, readlink, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// The longest socket name below the data directory takes 30.
const longestDirectory = 70;
const prefix = 'terrane-socket-';

/** The directory itself, or, where its sockets would have too long a path, a link to it in a private short directory. */
export async function shortPath(directory: string): Promise<{ path: string; remove(): Promise<void> }> {
  if (Buffer.byteLength(directory) <= longestDirectory) return { path: directory, remove: async () => undefined };
  const folder = await mkdtemp(join(shortFolder(), prefix));
  await symlink(directory, join(folder, 'data'));
  return { path: join(folder, 'data'), remove: () => rm(folder, { recursive: true, force: true }) };
}

/** Removes what killed servers left for this directory. Only the holder of its lock may: no other one uses a link then. */
export async function removeShortPaths(directory: string, except: string): Promise<void> {
  for (const name of await readdir(shortFolder())) {
    const link = join(shortFolder(), name, 'data');
    if (!name.startsWith(prefix) || link === except) continue;
    if ((await readlink(link).catch(() => '')) === directory) await rm(join(link, '..'), { recursive: true });
  }
}

function shortFolder(): string {
  return Buffer.byteLength(tmpdir()) <= 40 ? tmpdir() : '/tmp';
}
