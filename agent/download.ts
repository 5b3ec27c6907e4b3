/** Engines from where they are published, or from a mirror of it: signed checksums first, then the archive that they name. */
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fromBuffer } from 'yauzl';
import type { EngineName } from './protocol.ts';
import { publishers } from './publishers.ts';

export interface DownloadOptions {
  name: EngineName;
  /** In place of the publisher's; without a slash at the end. */
  mirror: string | undefined;
  /** Armored public keys, in place of the publisher's. */
  keys: string | undefined;
  /** Engines lie below it, each in `name/version/`. */
  directory: string;
}

const sums_bytes = 1024 * 1024;
const signature_bytes = 64 * 1024;
const archive_bytes = 256 * 1024 * 1024;
const engine_bytes = 1024 * 1024 * 1024;
const short_ms = 30_000;
const long_ms = 600_000;

/** Resolves to the path of the engine, which is there whole or not at all. Throws what is wrong, in words for people. */
export async function download(options: DownloadOptions, version: string): Promise<string> {
  const { name, directory } = options;
  const publisher = publishers[name];
  const base = `${options.mirror ?? publisher.address}${publisher.directory(version)}`;
  const archive = `${name}_${version}_${platform()}.zip`;
  const sumsName = `${name}_${version}_SHA256SUMS`;
  const sums = await fetched(`${base}/${sumsName}`, sums_bytes, short_ms);
  const signature = await fetched(`${base}/${sumsName}${publisher.signature}`, signature_bytes, short_ms);
  await requireSigned(sums, signature, options.keys ?? publisher.key);
  const expected = sumOf(sums.toString('utf8'), archive);
  const content = await fetched(`${base}/${archive}`, archive_bytes, long_ms);
  const found = createHash('sha256').update(content).digest('hex');
  if (found !== expected) throw new Error(`${archive} is not what its checksum says: ${found} instead of ${expected}.`);
  return place(content, name, join(directory, name), version);
}

export const platform = () => `${process.platform}_${process.arch === 'x64' ? 'amd64' : process.arch}`;

async function fetched(url: string, most_bytes: number, timeout_ms: number): Promise<Buffer> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(timeout_ms) }).catch(error => {
    throw new Error(`${url} cannot be reached: ${reasonOf(error)}.`);
  });
  if (!answer.ok) {
    await answer.body?.cancel();
    throw new Error(`${url} is answered with ${answer.status}.`);
  }
  const pieces: Buffer[] = [];
  const take = async (content: AsyncIterable<Buffer>) => {
    for await (const piece of content) pieces.push(piece);
  };
  // Not `pipe`, which says nothing of a source that breaks off, and then waits for ever.
  await pipeline(Readable.fromWeb(answer.body as never), bounded(most_bytes, url), take).catch(error => {
    throw new Error(`${url} did not come whole: ${reasonOf(error)}`);
  });
  return Buffer.concat(pieces);
}

const reasonOf = (error: { message: string; cause?: Error }) => error.cause?.message ?? error.message;

function bounded(most_bytes: number, what: string): Transform {
  let bytes = 0;
  return new Transform({
    transform: (piece, _encoding, done) => {
      bytes += piece.length;
      if (bytes <= most_bytes) done(null, piece);
      else done(new Error(`${what} is larger than ${most_bytes} bytes.`));
    },
  });
}

async function requireSigned(sums: Buffer, signature: Buffer, keys: string): Promise<void> {
  // Loaded by who needs it: it takes 18 MB, and the server brings this file along.
  const openpgp = await import('openpgp');
  const verified = await openpgp.verify({
    message: await openpgp.createMessage({ binary: new Uint8Array(sums) }),
    signature: await openpgp.readSignature({ binarySignature: new Uint8Array(signature) }),
    verificationKeys: await openpgp.readKeys({ armoredKeys: keys }),
    format: 'binary',
  });
  const outcomes = await Promise.allSettled(verified.signatures.map(one => one.verified));
  if (outcomes.some(({ status }) => status === 'fulfilled')) return;
  const [first] = outcomes as PromiseRejectedResult[];
  throw new Error(`The checksums are not signed by the publisher: ${first?.reason.message ?? 'no signature'}.`);
}

/** `<digest>  <name>` in each line. */
function sumOf(sums: string, archive: string): string {
  for (const line of sums.split('\n')) {
    const [digest, name] = line.trim().split(/\s+/, 2);
    if (name === archive && /^[0-9a-f]{64}$/.test(digest ?? '')) return digest!;
  }
  throw new Error(`There is no ${archive}: the engine is not published for this kind of machine.`);
}

/** Beside its place first; who comes second finds it there. */
async function place(content: Buffer, name: EngineName, directory: string, version: string): Promise<string> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const partial = await mkdtemp(join(directory, `.${version}-`));
  try {
    await unzip(content, name, join(partial, name));
    await chmod(join(partial, name), 0o755);
    await rename(partial, join(directory, version)).catch(async error => {
      if (!['ENOTEMPTY', 'EEXIST'].includes(error.code)) throw error;
      await readFile(join(directory, version, name));
    });
    return join(directory, version, name);
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
}

/** The one file of this name; licences and notes beside it stay where they are. */
function unzip(content: Buffer, name: string, into: string): Promise<void> {
  return new Promise((resolve, reject) => {
    fromBuffer(content, { lazyEntries: true, strictFileNames: true }, (fault, archive) => {
      if (fault) return reject(fault);
      archive.on('error', reject);
      archive.on('end', () => reject(new Error(`The archive holds no ${name}.`)));
      archive.on('entry', entry => {
        if (entry.fileName !== name) return archive.readEntry();
        archive.openReadStream(entry, (unread, stream) => {
          if (unread) return reject(unread);
          pipeline(stream, bounded(engine_bytes, name), createWriteStream(into, { mode: 0o600 })).then(resolve, reject);
        });
      });
      archive.readEntry();
    });
  });
}
