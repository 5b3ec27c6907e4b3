/**
 * Objects in an S3-compatible store. What was written is durable there; what is asked has an end; a store that does not
 * answer, or refuses us, is 503 for whoever needs it and for nobody else.
 */
import { addAbortSignal, type Readable } from 'node:stream';
import type { S3Client } from '@aws-sdk/client-s3';
import type { Bucket } from '../bucket.ts';
import type { Config } from '../config.ts';
import { ApiError } from '../errors.ts';
import { limits } from '../limits.ts';

export interface ObjectStore {
  bucket: Bucket;
  /** Resolves when all of it is durable. Where the content breaks off, so does the object. */
  write: (name: string, content: AsyncIterable<Buffer>) => Promise<void>;
  /** All of it, in pieces. Throws MissingObject. */
  read: (name: string) => AsyncGenerator<Buffer>;
  /** Also where there is none. `isPartial`: an upload of it may not have come to its end. */
  remove: (name: string, isPartial: boolean) => Promise<void>;
}

/** The store answers, and has no such object. */
export class MissingObject extends Error {}

/** Parts of an upload, which may not be smaller but for the last one; what is read comes in as much at once. */
const part_bytes = 5 * 1024 * 1024;

type Configured = Pick<Config, 'blobs' | 'blobsKey'>;

const stores = new WeakMap<Bucket, ObjectStore>();

/** The store that the configuration names; undefined where it names none. */
export function objectStoreOf({ blobs: bucket, blobsKey }: Configured): ObjectStore | undefined {
  if (!bucket) return undefined;
  const known = stores.get(bucket) ?? open(bucket, blobsKey);
  stores.set(bucket, known);
  return known;
}

function open(bucket: Bucket, key: Config['blobsKey']): ObjectStore {
  const connected = connecting(bucket, key);
  const at = (name: string) => ({ Bucket: bucket.name, Key: bucket.prefix + name });
  return {
    bucket,
    write: async (name, content) => write(await connected(), at(name), content),
    read: async function* (name) {
      yield* read(await connected(), at(name));
    },
    remove: async (name, isPartial) => remove(await connected(), at(name), isPartial),
  };
}

interface Place {
  Bucket: string;
  Key: string;
}

async function write({ client, s3 }: Connected, place: Place, content: AsyncIterable<Buffer>): Promise<void> {
  let upload: Upload | undefined;
  try {
    for await (const { bytes: Body, isLast } of inParts(content)) {
      if (isLast && !upload) {
        const whole = new s3.PutObjectCommand({ ...place, ...checked, Body });
        await asked(abortSignal => client.send(whole, { abortSignal }));
        return;
      }
      upload ??= await beginUpload({ client, s3 }, place);
      await upload.add(Body);
    }
    await upload!.complete();
  } catch (fault) {
    // Best effort: whoever removes the object breaks it off once more.
    await upload?.abort().catch(() => undefined);
    throw fault;
  }
}

/** The store compares it with what came. Of an upload it is asked for at the beginning, too, or no part is known at the end. */
const checked = { ChecksumAlgorithm: 'CRC32' } as const;

type Upload = Awaited<ReturnType<typeof beginUpload>>;

async function beginUpload({ client, s3 }: Connected, place: Place) {
  const begin = new s3.CreateMultipartUploadCommand({ ...place, ...checked });
  const { UploadId } = await asked(abortSignal => client.send(begin, { abortSignal }));
  const upload = { ...place, UploadId };
  const Parts: { PartNumber: number; ETag: string | undefined; ChecksumCRC32: string | undefined }[] = [];
  return {
    add: async (Body: Buffer) => {
      const PartNumber = Parts.length + 1;
      const part = new s3.UploadPartCommand({ ...upload, ...checked, PartNumber, Body });
      const { ETag, ChecksumCRC32 } = await asked(abortSignal => client.send(part, { abortSignal }));
      Parts.push({ PartNumber, ETag, ChecksumCRC32 });
    },
    complete: () => {
      const complete = new s3.CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } });
      return asked(abortSignal => client.send(complete, { abortSignal }));
    },
    abort: () => asked(abortSignal => client.send(new s3.AbortMultipartUploadCommand(upload), { abortSignal })),
  };
}

async function* read({ client, s3 }: Connected, place: Place): AsyncGenerator<Buffer> {
  for (let [from, size] = [0, 1]; from < size; ) {
    const range = new s3.GetObjectCommand({ ...place, Range: `bytes=${from}-${from + part_bytes - 1}` });
    // Fetched whole before it is passed on, so that slow readers keep no connection waiting.
    const { bytes, total } = await asked(async abortSignal => {
      const { Body, ContentRange } = await client.send(range, { abortSignal });
      const pieces = await addAbortSignal(abortSignal, Body as Readable).toArray();
      return { bytes: Buffer.concat(pieces as Buffer[]), total: Number(/\d+$/.exec(ContentRange ?? '')?.[0]) };
    });
    if (!(total > 0) || bytes.length === 0) throw new MissingObject('The object has another form.');
    [from, size] = [from + bytes.length, total];
    yield bytes;
  }
}

async function remove({ client, s3 }: Connected, place: Place, isPartial: boolean): Promise<void> {
  if (isPartial) {
    const listed = new s3.ListMultipartUploadsCommand({ Bucket: place.Bucket, Prefix: place.Key });
    const { Uploads = [] } = await asked(abortSignal => client.send(listed, { abortSignal }));
    for (const { UploadId } of Uploads) {
      const abort = new s3.AbortMultipartUploadCommand({ ...place, UploadId });
      await asked(abortSignal => client.send(abort, { abortSignal }));
    }
  }
  await asked(abortSignal => client.send(new s3.DeleteObjectCommand(place), { abortSignal }));
}

interface Connected {
  client: S3Client;
  s3: typeof import('@aws-sdk/client-s3');
}

/** Loaded when it is first needed, since it takes a quarter of a second. */
function connecting(bucket: Bucket, key: Config['blobsKey']): () => Promise<Connected> {
  let made: Promise<Connected> | undefined;
  const connect = async () => {
    const s3 = await import('@aws-sdk/client-s3');
    const client = new s3.S3Client({
      region: bucket.region,
      ...(bucket.endpoint && { endpoint: bucket.endpoint }),
      ...(key && { credentials: { accessKeyId: key.id, secretAccessKey: key.secret } }),
      forcePathStyle: bucket.isInPath,
      maxAttempts: 3,
      requestHandler: { connectionTimeout: limits.connecting_ms.value },
    });
    return { client, s3 };
  };
  return () => {
    made ??= connect();
    return made;
  };
}

/** What the store answers within its time, with what is tried again. Throws MissingObject or `content-store-unavailable`. */
async function asked<Answer>(ask: (signal: AbortSignal) => Promise<Answer>): Promise<Answer> {
  try {
    return await ask(AbortSignal.timeout(limits.objectRequest_ms.value));
  } catch (fault) {
    const { name, message } = fault as Error;
    // An object of nothing has no range.
    if (name === 'NoSuchKey' || name === 'InvalidRange') throw new MissingObject('There is no such object.');
    // The words alone: what else such a fault holds says how we prove who we are.
    throw Object.assign(new ApiError('content-store-unavailable'), { cause: new Error(`${name}: ${message}`) });
  }
}

/** As large as an upload wants them. An object of nothing is one empty part. */
async function* inParts(content: AsyncIterable<Buffer>): AsyncGenerator<{ bytes: Buffer; isLast: boolean }> {
  let [pieces, length]: [Buffer[], number] = [[], 0];
  for await (const piece of content) {
    if (length >= part_bytes) {
      yield { bytes: Buffer.concat(pieces), isLast: false };
      [pieces, length] = [[], 0];
    }
    pieces.push(piece);
    length += piece.length;
  }
  yield { bytes: Buffer.concat(pieces), isLast: true };
}
