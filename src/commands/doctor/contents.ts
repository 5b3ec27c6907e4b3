/** Whether the object store for contents can be used, where there is one. */
import { randomBytes } from 'node:crypto';
import { objectStoreOf } from '../../core/blobs/object-store.ts';
import { isInObjects } from '../../core/blobs/removals.ts';
import type { Config } from '../../core/config.ts';
import { knownVersion, schemaVersion } from '../../core/store/migrate.ts';
import type { Store } from '../../core/store/store.ts';
import { type Diagnosis, ok, problem } from './diagnosis.ts';

const name = 'object store';

/** Writes a few bytes, reads them and takes them away: nothing less says that a server can. */
export async function ofContents(store: Store, config: Config): Promise<Diagnosis[]> {
  const objects = objectStoreOf(config);
  if (!objects) {
    if ((await schemaVersion(store.read)) !== knownVersion() || !(await isInObjects(store))) return [];
    return [
      problem(name, 'Contents lie in one, and TERRANE_BLOBS is not set.', 'Set it: no server starts without it.'),
    ];
  }
  const place = `s3://${objects.bucket.name}/${objects.bucket.prefix}`;
  const probe = `doctor.${randomBytes(8).toString('hex')}`;
  const bytes = randomBytes(16);
  try {
    await objects.write(
      probe,
      (async function* () {
        yield bytes;
      })(),
    );
    const read: Buffer[] = [];
    for await (const piece of objects.read(probe)) read.push(piece);
    await objects.remove(probe, true);
    if (!Buffer.concat(read).equals(bytes)) throw new Error('it gives back other bytes than it was given');
    return [ok(name, `${place} takes, gives and removes objects.`)];
  } catch (fault) {
    const { message, cause } = fault as Error;
    const why = cause instanceof Error ? cause.message : message;
    return [
      problem(
        name,
        `${place} cannot be used: ${why}.`,
        'Look at TERRANE_BLOBS, the access key, and what it may do: put, get, delete, and multipart uploads.',
      ),
    ];
  }
}
