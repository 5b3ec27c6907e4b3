/** What every request passes through, in its order: one host, a caller (or nobody, where that is enough), within the limits, of the right media type. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { protocolPath } from '../../agent/protocol.ts';
import { type Actor, type Callers, type Credential, visitor } from '../core/access/actor.ts';
import { givenTo } from '../core/blobs/signed-path.ts';
import type { Config } from '../core/config.ts';
import { ApiError } from '../core/errors.ts';
import type { Services } from '../core/jsonapi/context.ts';
import type { Deployment } from '../core/jsonapi/fields.ts';
import type { RawQuery } from '../core/jsonapi/query.ts';
import type { Params } from '../core/jsonapi/records.ts';
import { limits } from '../core/limits.ts';
import type { Store } from '../core/store/store.ts';
import { lastUsed } from '../people/callers/last-used.ts';
import { sessionHash } from '../people/sessions/start.ts';
import { mayBeToken, tokenHash } from '../people/tokens/secret.ts';
import { mediaType } from './answer.ts';
import { boundRequests, callerKey, type RouteConfig } from './bounds.ts';
import { clientHeaders, safetyHeaders } from './discovery.ts';
import { pace } from './pace.ts';
import { type Allowance, rateLimiter } from './rate-limit.ts';
import type { Caller } from './receive.ts';
import { requireSameOrigin, sessionSecret } from './session-cookie.ts';

const lastUsedInterval_ms = 5000;
const api = '/api/v2/';

/** Paths below `/api/v2` that need no token. */
const openPaths = new Set(['/api/v2/ping', '/api/v2/openapi.json']);

const healthPaths = new Set(['/healthz', '/readyz']);

export function passEveryRequest(app: FastifyInstance, { config, deployment, store, callers }: Services): void {
  const limiter = config.rateLimitPerSecond > 0 ? rateLimiter(config.rateLimitPerSecond) : null;
  const bound = boundRequests();
  const uses = lastUsed(store);
  const timer = setInterval(() => void uses.flush().catch(fault => app.log.warn(fault)), lastUsedInterval_ms);
  timer.unref();
  app.addHook('onClose', async () => {
    clearInterval(timer);
    await uses.flush().catch(fault => app.log.warn(fault));
  });
  const headers = { ...clientHeaders(deployment), 'cache-control': 'no-store' };
  const { begin: paced, end } = pace();
  const begin = async (caller: string, request: FastifyRequest, reply: FastifyReply) => {
    const wait_ms = paced(caller, bound(request, caller));
    request.atEnd(() => end(caller, Number(reply.getHeader('content-length') ?? 0)));
    if (wait_ms > 0) await sleep(wait_ms);
  };
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({ 'x-request-id': request.id, ...safetyHeaders(config) });
    requireOneHost(request);
    requireFewHeaders(request);
    // By the route, not by the address as it was spelled: `/%61pi/v2/…` reaches the same endpoints.
    const route = request.is404 ? request.url : request.routeOptions.url!;
    // Balancers share their address with everyone whom they stand before, and must hear how the server is.
    if (healthPaths.has(route)) return;
    // Agents say who they are at their own door, and are counted there: many of them may stand behind one address.
    if (route.startsWith(protocolPath)) return;
    const { isOpen = false, isPatient = false, signed } = request.routeOptions.config as RouteConfig;
    if ((!signed && !route.startsWith(api)) || openPaths.has(route)) return begin(request.ip, request, reply);
    reply.headers(signed ? { 'cache-control': 'no-store' } : headers);
    const credential = isOpen
      ? null
      : signed
        ? addressOf(request, signed, config)
        : credentialOf(request, config, deployment);
    const known = credential ? callers.remembered(credential) : undefined;
    const key = known?.userId ?? request.ip;
    bound(request, key);
    // Whoever is known is counted before anything is read. Of the others, those whose address has failed too often
    // are refused, and only those who turn out to be nobody count against it.
    if (limiter) limit(known ? limiter.count(key) : limiter.look(key), config, reply);
    const find = () => callerOf(credential!, known, callers, store.askedBy(request.asker!));
    const caller = isOpen ? anybody : credential && (await (isPatient ? app.patiently(request, find) : find()));
    if (limiter && !known) limit(limiter.count((!isOpen && caller?.actor.userId) || key), config, reply);
    if (!caller) throw new ApiError(signed ? (credential ? 'address-ended' : 'address-not-signed') : 'unauthorized');
    if (caller.actor.tokenId) uses.note(caller.actor.tokenId);
    request.caller = caller;
    await begin(callerKey(request), request, reply);
    if (!signed && request.method !== 'GET' && request.method !== 'HEAD') requireMediaType(request);
  });
}

const anybody: Caller = { credential: null, actor: visitor, isCertain: true };

/** A token before a session: a program that has one means it. */
function credentialOf(request: FastifyRequest, config: Config, deployment: Deployment): Credential | null {
  const { authorization } = request.headers;
  const token = /^bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
  if (token) return mayBeToken(token) ? { kind: 'token', hash: tokenHash(config.tokenPepper ?? '', token) } : null;
  const secret = authorization === undefined ? sessionSecret(request, deployment) : undefined;
  if (!secret) return null;
  requireSameOrigin(request, deployment);
  return { kind: 'session', hash: sessionHash(config, secret) };
}

/** The address itself, where it was signed for what is asked. */
function addressOf(
  { url, params, query }: FastifyRequest,
  { method, place }: NonNullable<RouteConfig['signed']>,
  config: Config,
): Credential | null {
  const path = url.split('?', 1)[0]!;
  const [bare, given] =
    place === 'in path' ? [path.split('/').slice(0, -3).join('/'), params as Params] : [path, query as RawQuery];
  const to = givenTo(config.tokenPepper ?? '', method, bare, given);
  return to === null ? null : { kind: 'address', givenTo: to };
}

/** Whom this process takes the caller for: remembered, and then to be proved with the first statement, or read now. */
async function callerOf(
  credential: Credential,
  known: Actor | undefined,
  callers: Callers,
  store: Store,
): Promise<Caller | null> {
  if (known) return { credential, actor: known, isCertain: false };
  const actor = await callers.read(store.identify, credential);
  return actor && { credential, actor, isCertain: true };
}

/** Without one, or with two, a proxy and this server could disagree about who is asked. */
function requireOneHost({ raw }: FastifyRequest): void {
  const hosts = raw.rawHeaders.filter((name, position) => position % 2 === 0 && name.toLowerCase() === 'host');
  if (hosts.length === 1 || (hosts.length === 0 && raw.httpVersion === '1.0')) return;
  throw new ApiError('malformed-request', { reason: 'A request has exactly one Host header.' }, { header: 'Host' });
}

/** Node leaves out those past its limit without a word, and one of them could matter. */
function requireFewHeaders({ raw }: FastifyRequest): void {
  if (raw.rawHeaders.length / 2 >= limits.headers_items.value) throw new ApiError('header-too-large');
}

/** §1: also without a body, since clients always say it and browsers cannot forge it. */
function requireMediaType(request: FastifyRequest): void {
  const type = (request.headers['content-type'] ?? '').split(';', 1)[0]!.trim().toLowerCase();
  if (type !== mediaType) throw new ApiError('media-type', undefined, { header: 'Content-Type' });
}

function limit(allowance: Allowance, config: Config, reply: FastifyReply): void {
  const reset = Math.max(0, allowance.resetSeconds).toFixed(3);
  reply.headers({
    'x-ratelimit-limit': String(config.rateLimitPerSecond),
    'x-ratelimit-remaining': String(allowance.remaining),
    'x-ratelimit-reset': reset,
  });
  if (allowance.isAllowed) return;
  reply.header('retry-after', reset);
  throw new ApiError('rate-limited');
}
