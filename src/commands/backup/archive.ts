/** The file of a backup: a tar archive, compressed, of entries that are small enough to hold in memory. */
import { createReadStream, createWriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Duplex, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createGunzip, createGzip } from 'node:zlib';
import { Header } from 'tar';
import { CommandError } from '../command-error.ts';

export interface Entry {
  path: string;
  bytes: Buffer;
}

const block_bytes = 512;
/** Of one entry; writers stay far below it. */
const entryLimit_bytes = 256 * 1024 * 1024;

/** Writes the entries to `path`, which is there whole and synced, or not at all. Throws where there is such a file already. */
export async function writeArchive(path: string, entries: AsyncIterable<Entry>): Promise<void> {
  const partial = `${path}.partial`;
  const taken = await open(path, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST')
      throw new CommandError(`There is a file ${path} already: a backup overwrites nothing.`);
    throw new CommandError(`The file ${path} cannot be written: ${error.message}.`);
  });
  await taken.close();
  try {
    // Most of it is sealed, which is as small as it gets: the little that helps is had for little.
    const compress = createGzip({ level: constants.Z_BEST_SPEED });
    await pipeline(entries, inTar(), compress, createWriteStream(partial, { mode: 0o600 }));
    await synced(partial);
    await rename(partial, path);
    await synced(dirname(path));
  } catch (error) {
    await rm(partial, { force: true });
    await rm(path, { force: true });
    throw error;
  }
}

async function synced(path: string): Promise<void> {
  const file = await open(path);
  await file.sync();
  await file.close();
}

function inTar(): Duplex {
  return new Transform({
    writableObjectMode: true,
    transform({ path, bytes }: Entry, _encoding, done) {
      const head = Buffer.alloc(block_bytes);
      new Header({ path, size: bytes.length, mode: 0o600, mtime: new Date(), type: 'File' }).encode(head);
      this.push(head);
      this.push(bytes);
      this.push(Buffer.alloc(padding(bytes.length)));
      done();
    },
    flush(done) {
      done(null, Buffer.alloc(2 * block_bytes));
    },
  });
}

const padding = (size: number) => (block_bytes - (size % block_bytes)) % block_bytes;

/** The entries in their order. Throws CommandError where the file is no backup, is damaged or breaks off. */
export async function* readArchive(path: string): AsyncGenerator<Entry> {
  const bytes = createReadStream(path).on('error', error => gunzip.destroy(error));
  const gunzip = createGunzip();
  const taken = takingFrom(bytes.pipe(gunzip));
  try {
    for (;;) {
      const head = new Header(await taken(block_bytes));
      if (head.nullBlock) return;
      const size = head.size ?? 0;
      if (!head.cksumValid || !head.path || size > entryLimit_bytes) throw new Error('it has another form');
      const content = await taken(size);
      await taken(padding(size));
      yield { path: head.path, bytes: content };
    }
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(`${path} is no backup, or a damaged one: ${(error as Error).message}.`);
  } finally {
    bytes.destroy();
    gunzip.destroy();
  }
}

/** A function that takes so many bytes from the stream. */
function takingFrom(source: AsyncIterable<Buffer>): (size: number) => Promise<Buffer> {
  const pieces = source[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);
  return async size => {
    const taken = [rest];
    let length = rest.length;
    while (length < size) {
      const { done, value } = await pieces.next();
      if (done) throw new Error('it breaks off');
      taken.push(value);
      length += value.length;
    }
    const whole = taken.length === 1 ? rest : Buffer.concat(taken);
    rest = whole.subarray(size);
    return whole.subarray(0, size);
  };
}
