/** build(config, store): the Fastify instance. What every request passes through, in its order, is on this page. */
import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import type { Callers } from '../core/access/actor.ts';
import { recordEvent } from '../core/audit/record.ts';
import { sweepBlobs } from '../core/blobs/blob-store.ts';
import { signedPath } from '../core/blobs/signed-path.ts';
import type { Config } from '../core/config.ts';
import { ApiError, errorDocument } from '../core/errors.ts';
import type { Deployment } from '../core/jsonapi/fields.ts';
import type { Registry } from '../core/jsonapi/include.ts';
import { openApiDocument } from '../core/jsonapi/openapi.ts';
import { compile } from '../core/jsonapi/resource.ts';
import { transferPathItems } from '../core/jsonapi/transfer.ts';
import { limits } from '../core/limits.ts';
import { storeFault } from '../core/store/faults.ts';
import { newId } from '../core/store/ids.ts';
import { open } from '../core/store/secrets.ts';
import type { Store } from '../core/store/store.ts';
import { callersByToken } from '../people/tokens/authenticate.ts';
import { lastUsed } from '../people/tokens/last-used.ts';
import { tokenHash } from '../people/tokens/secret.ts';
import { mediaType } from './answer.ts';
import { clientHeaders, openPathItems, pingHeaders, readiness, services } from './discovery.ts';
import { endpoints, resources, transfers } from './endpoints.ts';
import { type Allowance, rateLimiter } from './rate-limit.ts';
import type { Caller } from './receive.ts';
import { mount, mountTransfers } from './routes.ts';

const headerLimitBytes = 64 * 1024;
const lastUsedIntervalMilliseconds = 5000;
const sweepIntervalMilliseconds = 3_600_000;
const api = '/api/v2/';

/** Paths below `/api/v2` that need no token. */
const openPaths = new Set(['/api/v2/ping', '/api/v2/openapi.json']);

export function buildApp(config: Config, store: Store): FastifyInstance {
  const app = Fastify({
    logger: { level: config.logLevel },
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: limits.body_bytes.value,
    genReqId: () => newId('req'),
    ...listener(config),
    // While closing, open connections are served to their end; /readyz tells balancers to send no more.
    return503OnClosing: false,
    routerOptions: { maxParamLength: headerLimitBytes },
    frameworkErrors: (error, request, reply) => {
      reply.headers({ ...clientHeaders(deployment), 'x-request-id': request.id });
      refuse(error, request, reply);
    },
    clientErrorHandler: (error, socket) => refuseBytes(error as NodeJS.ErrnoException, socket),
  });
  const deployment: Deployment = {
    edition: config.edition,
    release: config.release,
    profile: config.profile,
    // The port may be the system's choice, which is known once the server listens.
    get publicUrl() {
      return (
        config.publicUrl ??
        (app.server.listening ? app.listeningOrigin : `${scheme(config)}://${config.host}:${config.port}`)
      );
    },
    unseal: (sealed, context) => open(config, sealed, context),
    sign: (method, path) => `${deployment.publicUrl}${signedPath(config.tokenPepper ?? '', method, path)}`,
  };
  const callers = callersByToken();
  const registry: Registry = new Map(
    resources.map(resource => [resource.type, { resource, compiled: compile(resource, deployment) }]),
  );
  app.decorateRequest('caller', null);
  acceptBodies(app);
  passEveryRequest(app, config, deployment, store, callers);
  app.setErrorHandler(refuse);
  app.setNotFoundHandler(() => {
    throw new ApiError('not-found');
  });
  let openApi: string | undefined;
  app.get('/api/v2/openapi.json', (_request, reply) => {
    const others = { ...openPathItems, ...transferPathItems(transfers) };
    openApi ??= JSON.stringify(openApiDocument(endpoints, resources, deployment, others));
    return reply.type('application/json').send(openApi);
  });
  answerOpenly(app, config, deployment, store);
  const presentation = { config, deployment, store, callers, record: recordEvent, registry };
  mount(app, endpoints, presentation);
  mountTransfers(app, transfers, presentation);
  sweepNowAndThen(app, store);
  return app;
}

/** What needs no token: ping, service discovery, and the two questions of balancers. */
function answerOpenly(app: FastifyInstance, config: Config, deployment: Deployment, store: Store): void {
  let isDraining = false;
  app.addHook('preClose', async () => {
    isDraining = true;
  });
  const json = 'application/json';
  app.get('/api/v2/ping', (_request, reply) => reply.code(204).headers(pingHeaders(deployment, config)).send());
  app.get('/.well-known/terraform.json', (_request, reply) => reply.type(json).send(services));
  app.get('/healthz', (_request, reply) => reply.type(json).send({ status: 'ok' }));
  app.get('/readyz', async (_request, reply) => {
    if (isDraining) return reply.code(503).type(json).send({ status: 'draining' });
    const { fault, ...document } = await readiness(store);
    if (fault) app.log.warn(fault, 'not ready');
    return reply
      .code(fault ? 503 : 200)
      .type(json)
      .send(document);
  });
}

export const scheme = ({ tlsKey }: Config) => (tlsKey ? 'https' : 'http');

/** Node would refuse a request without Host itself, without saying why. */
function listener({ tlsCertificate: cert, tlsKey: key }: Config) {
  const options = { maxHeaderSize: headerLimitBytes, requireHostHeader: false };
  return cert && key ? { https: { ...options, cert, key } as object } : { http: options };
}

/** Content that nobody kept, since a server or a client ended in the middle of an upload. */
function sweepNowAndThen(app: FastifyInstance, store: Store): void {
  const sweep = () => void sweepBlobs(store.read).catch(fault => app.log.warn(fault));
  const timer = setInterval(sweep, sweepIntervalMilliseconds);
  timer.unref();
  app.addHook('onClose', async () => clearInterval(timer));
}

/** Bodies stay bytes until the endpoint is known. Anything but the JSON:API media type is refused (§1). */
function acceptBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(mediaType, { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
}

function passEveryRequest(
  app: FastifyInstance,
  config: Config,
  deployment: Deployment,
  store: Store,
  callers: Callers,
): void {
  const allow = config.rateLimitPerSecond > 0 ? rateLimiter(config.rateLimitPerSecond) : null;
  const uses = lastUsed(store);
  const timer = setInterval(() => void uses.flush().catch(fault => app.log.warn(fault)), lastUsedIntervalMilliseconds);
  timer.unref();
  app.addHook('onClose', async () => {
    clearInterval(timer);
    await uses.flush().catch(fault => app.log.warn(fault));
  });
  const headers = { ...clientHeaders(deployment), 'cache-control': 'no-store' };
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
    requireOneHost(request);
    // By the route, not by the address as it was spelled: `/%61pi/v2/…` reaches the same endpoints.
    const route = request.is404 ? request.url : request.routeOptions.url!;
    if (!route.startsWith(api) || openPaths.has(route)) return;
    reply.headers(headers);
    const token = /^bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1];
    const caller = token ? await callerOf(tokenHash(config.tokenPepper ?? '', token), callers, store) : null;
    if (allow) limit(allow(caller?.actor.userId ?? request.ip), config, reply);
    if (!caller) throw new ApiError('unauthorized');
    uses.note(caller.actor.tokenId);
    request.caller = caller;
    if (request.method !== 'GET' && request.method !== 'HEAD') requireMediaType(request);
  });
  app.addHook('onResponse', async (request, reply) => {
    const { method, url } = request;
    request.log.debug({ method, url, status: reply.statusCode, milliseconds: reply.elapsedTime }, 'request');
  });
}

/** Whom this process takes the caller for: remembered, and then to be proved with the first statement, or read now. */
async function callerOf(credential: Buffer, callers: Callers, store: Store): Promise<Caller | null> {
  const known = callers.remembered(credential);
  if (known) return { credential, actor: known, isCertain: false };
  const actor = await callers.read(store.read, credential);
  return actor && { credential, actor, isCertain: true };
}

/** Without one, or with two, a proxy and this server could disagree about who is asked. */
function requireOneHost({ raw }: FastifyRequest): void {
  const hosts = raw.rawHeaders.filter((name, position) => position % 2 === 0 && name.toLowerCase() === 'host');
  if (hosts.length === 1 || (hosts.length === 0 && raw.httpVersion === '1.0')) return;
  throw new ApiError('malformed-request', { reason: 'A request has exactly one Host header.' }, { header: 'Host' });
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

/** Every refusal and every failure leaves through here, as a JSON:API error document (§7). */
function refuse(fault: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const error = refusalOf(fault, request.routeOptions?.bodyLimit);
  // A refusal that means "not yet" is no failure of ours.
  if (error.status === 500 || (error.status > 500 && error !== fault)) request.log.error(fault);
  return reply.code(error.status).header('content-type', mediaType).send(errorDocument(error));
}

function refusalOf(fault: unknown, bodyLimit?: number): ApiError {
  if (fault instanceof ApiError) return fault;
  const { code, statusCode, message } = fault as FastifyError;
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    return new ApiError('body-too-large', { limit: bodyLimit ?? limits.body_bytes.value }, { pointer: '' });
  }
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return new ApiError('media-type', undefined, { header: 'Content-Type' });
  if (code === 'FST_ERR_BAD_URL') {
    return new ApiError(
      'malformed-request',
      { reason: 'The path is not valid percent-encoding.' },
      { parameter: 'path' },
    );
  }
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new ApiError('malformed-request', { reason: message }, { pointer: '' });
  }
  const meant = storeFault(fault);
  return meant instanceof ApiError ? meant : new ApiError('internal');
}

/** Bytes that are not HTTP, or headers past the limit: there is no request to answer, only a socket. */
function refuseBytes(fault: NodeJS.ErrnoException, socket: import('node:stream').Duplex): void {
  if (!socket.writable) return void socket.destroy();
  const error =
    fault.code === 'HPE_HEADER_OVERFLOW'
      ? new ApiError('header-too-large')
      : new ApiError('malformed-request', { reason: 'The request is not valid HTTP.' });
  const body = errorDocument(error);
  const status = `${error.status} ${error.status === 431 ? 'Request Header Fields Too Large' : 'Bad Request'}`;
  socket.end(
    `HTTP/1.1 ${status}\r\ncontent-type: ${mediaType}\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}
