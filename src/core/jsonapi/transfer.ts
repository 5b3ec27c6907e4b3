/** A transfer is a route for content: bytes as they are, no JSON:API, and no token, since its address is signed. */

import type { Actor } from '../access/actor.ts';
import type { Config } from '../config.ts';
import type { Sql, Store } from '../store/store.ts';
import type { Deployment } from './fields.ts';
import type { RawQuery } from './query.ts';
import type { Params } from './records.ts';

export interface Transfer {
  /** `state-versions.upload`: the audit action. */
  operation: string;
  section: string;
  method: 'GET' | 'PUT';
  /** The whole path, below `/_blobs`; `Deployment.sign` makes an address of it. */
  path: `/_blobs/${string}`;
  /** Whether expiry and signature are the last two parts of the path, which then ends in `/:expires/:signature`. */
  isSignedInPath?: true;
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
  /** The account that the address was given to, as it is now. Throws `address-ended` where it is gone. */
  actingFor: (sql: Sql, accountId: string) => Promise<Actor>;
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

const refusals = [400, 403, 404, 409, 410, 413, 422, 500, 503];

/** What the OpenAPI document says of transfers: they lie beside the API, and their addresses are all that they need. */
export function transferPathItems(transfers: readonly Transfer[]): Record<string, object> {
  const items: Record<string, Record<string, object>> = {};
  for (const one of transfers) {
    const address = one.path.replaceAll(/:(\w+)/g, '{$1}');
    const names = [...one.path.matchAll(/:(\w+)/g)].map(([, name]) => ({ name, in: 'path', required: true }));
    const signature = (one.isSignedInPath ? [] : ['expires', 'signature']).map(name => ({
      name,
      in: 'query',
      required: true,
    }));
    const bytes = { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } };
    const refusal = { 'application/vnd.api+json': { schema: { $ref: '#/components/schemas/errors' } } };
    items[address] = {
      servers: [{ url: '/' }] as object,
      ...items[address],
      [one.method.toLowerCase()]: {
        operationId: one.operation,
        summary: `${one.method === 'PUT' ? 'Send' : 'Fetch'} content at a signed address`,
        description: one.section,
        security: [],
        parameters: [...names, ...signature].map(each => ({ ...each, schema: { type: 'string' } })),
        ...(one.method === 'PUT' && { requestBody: { required: true, content: bytes } }),
        responses: {
          200: { description: 'Success', ...(one.method === 'GET' && { content: bytes }) },
          ...Object.fromEntries(refusals.map(status => [status, { description: 'Refused', content: refusal }])),
        },
      },
    };
  }
  return items;
}
