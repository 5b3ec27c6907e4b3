/** A call of the agents' door (docs/agent-protocol.md): like an endpoint it is data, but it opens to agents, not to people. */
import type { TSchema } from 'typebox';
import type { Download } from '../../core/blobs/download.ts';
import type { Config } from '../../core/config.ts';
import type { Deployment } from '../../core/jsonapi/fields.ts';
import type { RawQuery } from '../../core/jsonapi/query.ts';
import type { Params } from '../../core/jsonapi/records.ts';
import type { Store } from '../../core/store/store.ts';
import type { Holders } from './holders.ts';
import type { Waiting } from './waiting.ts';

export interface CallContext<Holder, Value> {
  holder: Holder;
  value: Value;
  params: Params;
  query: RawQuery;
  /** A body that is content; to be read once. */
  source: AsyncIterable<Buffer>;
  store: Store;
  config: Config;
  deployment: Deployment;
  waiting: Waiting;
  /** Aborted when the caller has gone away. */
  gone: AbortSignal;
  requestId: string;
  remoteAddress: string;
}

export type CallAnswer = { json: object } | { content: Download } | undefined;

export interface Call<Opens extends keyof Holders = keyof Holders, Value = unknown> {
  operation: string;
  summary: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  /** Below the protocol's own path. */
  path: `/${string}`;
  opens: Opens;
  /** Whether it may wait for long: of those, each organization has so many at once. */
  waits?: true;
  /** The form of a JSON body; without it there is none, or it is content. */
  body?: TSchema;
  /** Of a body that is content. */
  limitBytes?: (config: Config) => number;
  handle: (context: CallContext<Holders[Opens], Value>) => Promise<CallAnswer>;
}

// biome-ignore lint/suspicious/noExplicitAny: a table of calls holds all kinds of them.
export type AnyCall = Call<any, any>;

/** Fixes the types that the handler sees. */
export function call<const Opens extends keyof Holders, Value = undefined>(
  definition: Call<Opens, Value>,
): Call<Opens, Value> {
  return definition;
}
