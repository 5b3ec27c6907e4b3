// One server per data directory. The lock is a listening unix socket in it: the kernel closes it with its process, so a
// holder is alive exactly when its socket answers; no stale file and no reused process id can block a start.
import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** The directory belongs to a living process. */
export class DirectoryInUseError extends Error {
  readonly processId: number;
  constructor(directory: string, processId: number) {
    super(`The data directory ${directory} is in use by another Terrane server (process ${processId}).`);
    this.processId = processId;
  }
}

/**
 * Takes the directory for this process, or throws DirectoryInUseError. `path` may be a shorter name of the same
 * directory (the path of a unix socket has about a hundred bytes); `directory` is the name for messages.
 */
export async function lockDirectory(directory: string, path = directory): Promise<{ release(): Promise<void> }> {
  const folder = join(path, 'lock');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const claim = `${process.pid}-${randomBytes(3).toString('hex')}`;
  const server = createServer(socket => socket.destroy());
  // Published under its name only once it listens: a claim that refuses connections is therefore dead.
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(join(folder, `${claim}.new`), resolve);
  });
  server.unref();
  const release = async () => {
    await removeClaim(folder, claim);
    await new Promise(resolve => server.close(resolve));
  };
  try {
    await rename(join(folder, `${claim}.new`), join(folder, `${claim}.socket`));
    await outlastRivals(directory, folder, claim);
    await writeFile(join(folder, `${claim}.held`), '');
  } catch (error) {
    await release();
    throw error;
  }
  return { release };
}

/** Of two claims made at once the lower one waits and the higher one withdraws; a held claim beats both. */
async function outlastRivals(directory: string, folder: string, own: string): Promise<void> {
  for (;;) {
    let rivals = 0;
    const names = await readdir(folder);
    for (const name of names.filter(name => name.endsWith('.socket'))) {
      const claim = name.slice(0, -'.socket'.length);
      if (claim === own) continue;
      if (!(await answers(join(folder, name)))) {
        await removeClaim(folder, claim);
        continue;
      }
      if (names.includes(`${claim}.held`) || claim < own)
        throw new DirectoryInUseError(directory, Number.parseInt(claim, 10));
      rivals += 1;
    }
    if (rivals === 0) return;
    await sleep(20);
  }
}

function answers(path: string): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    // Anything but a refusal or a missing file (a full backlog, say) means that somebody is there.
    socket.once('error', (error: NodeJS.ErrnoException) => {
      resolve(error.code !== 'ECONNREFUSED' && error.code !== 'ENOENT');
    });
  });
}

async function removeClaim(folder: string, claim: string): Promise<void> {
  for (const ending of ['held', 'socket', 'new']) await rm(join(folder, `${claim}.${ending}`), { force: true });
}
