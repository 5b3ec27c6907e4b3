/** The first of three steps: what a request says, read as far as it can be before anybody is asked for anything. */
import type { FastifyRequest } from 'fastify';
import type { Actor, Credential } from '../core/access/actor.ts';
import type { Asked } from '../core/jsonapi/context.ts';
import type { AnyEndpoint, CommandLine } from '../core/jsonapi/endpoint.ts';
import { inspectParams, inspectQuery } from '../core/jsonapi/guard.ts';
import { readInclude } from '../core/jsonapi/include.ts';
import type { Incoming } from '../core/jsonapi/incoming.ts';
import { pageFrom, pageParameters } from '../core/jsonapi/page.ts';
import { type RawQuery, readQuery } from '../core/jsonapi/query.ts';
import type { Params } from '../core/jsonapi/records.ts';
import { limits } from '../core/limits.ts';
import { callerKey, type Edge, isShort, type Places } from './bounds.ts';
import { incoming } from './incoming.ts';

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null;
  }
}

/** Who a request's token or session stands for, as far as is known before its subject is found. */
export interface Caller {
  /** Null for a visitor. */
  credential: Credential | null;
  actor: Actor;
  /** Whether it was read for this request, and not remembered from another one. */
  isCertain: boolean;
}

/** A request with what only its answer needs. */
export interface Received extends Asked {
  include: readonly (readonly string[])[];
  /** The address asked for, without its query. */
  path: string;
  rawQuery: RawQuery;
  ifNoneMatch: string | undefined;
}

const noBytes = Buffer.alloc(0);

/** @param shownBy the endpoints that show what `If-Match` may name */
export function receive(
  one: AnyEndpoint,
  shownBy: readonly AnyEndpoint[],
  request: FastifyRequest,
  { config, places }: Edge,
): Received {
  const params = request.params as Params;
  const rawQuery = request.query as RawQuery;
  inspectParams(params);
  inspectQuery(rawQuery, request.url);
  const ifMatch = one.method === 'GET' ? undefined : request.headers['if-match'];
  const always = 'document' in one.answer ? (one.answer.alwaysInclude ?? []) : [];
  const query = readQuery(rawQuery, { ...one.query, ...pageParameters(one.answer) });
  return {
    id: request.id,
    remoteAddress: request.ip,
    userAgent: request.headers['user-agent']?.slice(0, limits.userAgent_characters.value) ?? null,
    ...request.caller!,
    params,
    query,
    page: pageFrom(query, one.answer),
    include: [
      ...(one.include ? readInclude(rawQuery, one.include) : []),
      ...always.map((path: string) => path.split('.')),
    ],
    commandLine: commandLineOf(request),
    body: one.body && request.body instanceof Buffer ? request.body : noBytes,
    incoming: one.receives ? longBody(request, one.receives.limitBytes(config), places) : null,
    precondition: ifMatch === undefined ? null : { ifMatch, shownBy },
    ifNoneMatch: request.headers['if-none-match'],
    // A request may name an absolute address, of which only the path is ours to repeat.
    path: request.url.replace(/^https?:\/\/[^/]*/i, '').split('?', 1)[0]!,
    rawQuery,
  };
}

/** Both of its backends say which version they are of, and only one of them its name. */
function commandLineOf({ headers }: FastifyRequest): CommandLine | null {
  if (headers['x-terraform-integration'] === 'cloud') return 'cloud';
  return headers['terraform-version'] === undefined ? null : 'remote';
}

function longBody(request: FastifyRequest, limit: number, places: Places): Incoming {
  if (isShort(request.raw)) return incoming(request.raw, limit);
  return incoming(request.raw, limit, () => places(callerKey(request)));
}
