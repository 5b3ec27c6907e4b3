/** buildApp(config, store): the Fastify instance, put together from what stands beside this file. */
import Fastify, { type FastifyInstance, LogController } from 'fastify';
import { sweepBlobs } from '../core/blobs/blob-store.ts';
import { pathWithSignature, signedPath } from '../core/blobs/signed-path.ts';
import { type Config, scheme } from '../core/config.ts';
import { ApiError } from '../core/errors.ts';
import type { Deployment } from '../core/jsonapi/fields.ts';
import type { Registry } from '../core/jsonapi/include.ts';
import { compile } from '../core/jsonapi/resource.ts';
import { limits } from '../core/limits.ts';
import { logOptions } from '../core/log.ts';
import { newId } from '../core/store/ids.ts';
import { open } from '../core/store/secrets.ts';
import type { Store } from '../core/store/store.ts';
import { turns } from '../core/store/turns.ts';
import { eventOf } from '../organizations/audit/record.ts';
import { sweepAttempts } from '../people/attempts/attempts.ts';
import { rememberedCallers } from '../people/callers/authenticate.ts';
import { sweepLinks } from '../people/password-links/password-link.ts';
import { sweepSessions } from '../people/sessions/start.ts';
import { sweepArrivals } from '../people/single-sign-on/arrivals.ts';
import { sweepDeliveries } from '../runs/webhook-deliveries/take.ts';
import { logRequests } from './access-log.ts';
import { mountAgentCalls } from './agents.ts';
import { mediaType } from './answer.ts';
import { boundBodies, endRequests, placesForLongBodies } from './bounds.ts';
import { clientHeaders, safetyHeaders } from './discovery.ts';
import { serveDocs } from './docs.ts';
import { drainAtEnd } from './drain.ts';
import { endpoints, resources } from './endpoints.ts';
import { answerLogin } from './login.ts';
import { tellMetrics } from './metrics/door.ts';
import { answerOpenly } from './open.ts';
import { passEveryRequest } from './pass.ts';
import { waitForStore } from './patience.ts';
import { refuse, refuseBytes, refuseEvenly } from './refuse.ts';
import { mount } from './routes.ts';
import { answerSingleSignOn } from './single-sign-on.ts';
import { traceRequests } from './tracing.ts';
import { serveWeb } from './web.ts';
import { answerWebhooks } from './webhooks.ts';

const sweepInterval_ms = 3_600_000;
export function buildApp(config: Config, store: Store): FastifyInstance {
  const app = Fastify({
    logger: logOptions(config.logLevel),
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: limits.body_bytes.value,
    genReqId: () => newId('req'),
    trustProxy: config.trustProxy ? [...config.trustProxy] : false,
    ...listener(config),
    // While closing, open connections are served to their end; /readyz tells balancers to send no more.
    return503OnClosing: false,
    routerOptions: { maxParamLength: limits.headers_bytes.value },
    frameworkErrors: (error, request, reply) => {
      reply.headers({ ...clientHeaders(deployment), ...safetyHeaders(config), 'x-request-id': request.id });
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
    sign: (method, path, to, place = 'in query') => {
      const signed = place === 'in path' ? pathWithSignature : signedPath;
      return `${deployment.publicUrl}${signed(config.tokenPepper ?? '', method, path, to)}`;
    },
  };
  const callers = rememberedCallers();
  const registry: Registry = new Map(
    resources.map(resource => [resource.type, { resource, compiled: compile(resource, deployment) }]),
  );
  app.decorateRequest('caller', null);
  const services = { config, deployment, store, callers, registry, event: eventOf, turns: turns() };
  acceptBodies(app);
  drainAtEnd(app);
  endRequests(app);
  waitForStore(app);
  traceRequests(app, config);
  tellMetrics(app, config, store);
  logRequests(app, config);
  passEveryRequest(app, services);
  boundBodies(app);
  app.setErrorHandler(refuseEvenly(config));
  app.setNotFoundHandler(() => {
    throw new ApiError('not-found');
  });
  app.server.maxConnections = limits.connections_items.value;
  app.server.maxHeadersCount = limits.headers_items.value;
  answerOpenly(app, services);
  serveWeb(app);
  serveDocs(app);
  answerLogin(app, services);
  answerSingleSignOn(app, services);
  answerWebhooks(app, services);
  const edge = { ...services, places: placesForLongBodies() };
  mount(app, endpoints, edge);
  mountAgentCalls(app, edge);
  sweepNowAndThen(app, store);
  return app;
}

/** Node would refuse a request without Host itself, without saying why. */
function listener({ tlsCertificate: cert, tlsKey: key }: Config) {
  const options = {
    maxHeaderSize: limits.headers_bytes.value,
    requireHostHeader: false,
    headersTimeout: limits.headersTime_ms.value,
    requestTimeout: limits.longBodyTime_ms.value,
    connectionsCheckingInterval: 1000,
  };
  return cert && key ? { https: { ...options, cert, key } as object } : { http: options };
}

/** Content that nobody kept, since a server or a client ended in the middle of an upload; sessions and attempts of yesterday. */
function sweepNowAndThen(app: FastifyInstance, store: Store): void {
  const sweeps = [sweepArrivals, sweepBlobs, sweepSessions, sweepLinks, sweepAttempts, sweepDeliveries];
  const sweep = () => {
    for (const one of sweeps) void one(store.read).catch(fault => app.log.warn(fault));
  };
  const timer = setInterval(sweep, sweepInterval_ms);
  timer.unref();
  app.addHook('onClose', async () => clearInterval(timer));
}

/** Bodies stay bytes until the endpoint is known. Anything but the JSON:API media type is refused (§1). */
function acceptBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(mediaType, { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
}
