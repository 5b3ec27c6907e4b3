/** A transfer is a route for content: bytes as they are, no JSON:API, and no token, since its address is signed. */
import type { Config } from '../config.ts';
import type { Store } from '../store/store.ts';
import type { Params } from './endpoint.ts';
import type { Deployment } from './fields.ts';
import type { RawQuery } from './page.ts';

export interface Transfer {
  /** `state-versions.upload`: the audit action. */
  operation: string;
  section: string;
  method: 'GET' | 'PUT';
  /** The whole path, below `/_blobs`; `Deployment.sign` makes an address of it. */
  path: `/_blobs/${string}`;
  /** Of what is sent. */
  limitBytes?: (config: Config) => number;
  handle: (context: TransferContext) => Promise<Download | undefined>;
}

export interface TransferContext {
  params: Params;
  query: RawQuery;
  /** What is sent, to be read once; throws `body-too-large` past the limit and `malformed-request` when it breaks off. */
  source: AsyncIterable<Buffer>;
  store: Store;
  config: Config;
  deployment: Deployment;
  requestId: string;
  remoteAddress: string;
}

export interface Download {
  mediaType: string;
  sizeBytes: number;
  content: AsyncIterable<Buffer>;
}

/** Bytes read before the first one is sent, so that damage found in them is answered as an error. */
const readAheadBytes = 4 * 1024 * 1024;

/** All of the content where that is little, else its beginning and the rest. */
export async function readAhead(content: AsyncIterable<Buffer>): Promise<Buffer | AsyncIterable<Buffer>> {
  const rest = content[Symbol.asyncIterator]();
  const pieces: Buffer[] = [];
  for (let length = 0; length < readAheadBytes; length += pieces.at(-1)!.length) {
    const { done, value } = await rest.next();
    if (done) return Buffer.concat(pieces);
    pieces.push(value);
  }
  return (async function* () {
    try {
      yield* pieces;
      for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
    } finally {
      await rest.return?.();
    }
  })();
}
