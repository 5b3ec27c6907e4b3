/** Every refusal and every failure leaves through here, as a JSON:API error document (§7). */
import { STATUS_CODES } from 'node:http';
import { performance } from 'node:perf_hooks';
import type { Duplex } from 'node:stream';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../core/config.ts';
import { ApiError, errorDocument } from '../core/errors.ts';
import { limits } from '../core/limits.ts';
import { storeFault } from '../core/store/faults.ts';
import { seemsOfRun } from '../people/tokens/secret.ts';
import { mediaType } from './answer.ts';
import { beats } from './beats.ts';
import { keepUntilRead, type RouteConfig } from './bounds.ts';

/** The statuses that say of a record that it is not there, in its own place or named in a body, whether or not it is hidden. */
const mayConceal = new Set([403, 404, 422]);

/** As `refuse`, at moments that do not tell how much there was to look at. What waits has given back all but its place among the requests. */
export function refuseEvenly({ refusalMs }: Config): Refuse {
  if (refusalMs === 0) return refuse;
  const beat = beats(refusalMs);
  return async (fault, request, reply) => {
    const isOfEndpoint = (request.routeOptions?.config as RouteConfig | undefined)?.operation !== undefined;
    if (isOfEndpoint && fault instanceof ApiError && mayConceal.has(fault.status))
      await beat(performance.now() - reply.elapsedTime);
    return refuse(fault, request, reply);
  };
}

type Refuse = (...given: Parameters<typeof refuse>) => FastifyReply | Promise<FastifyReply>;

export function refuse(fault: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const own = refusalOf(fault);
  if (isFailure(own, fault) && !request.asker?.hasLeft) request.log.error(fault);
  // What is not HTTP as it should be has no route.
  const route = request.routeOptions?.config as RouteConfig | undefined;
  if (own.status === 503 && route?.isAwaited)
    return reply.code(204).header('retry-after', String(own.retryAfter_s)).send();
  const error = own.status === 503 && isOfEngine(request) ? new ApiError('engine-must-wait') : own;
  // Some of the body may still be on its way: whatever comes next on this connection could be the rest of it.
  if (error.status === 408) reply.header('connection', 'close');
  else keepUntilRead(request, reply);
  if (error.retryAfter_s !== undefined) reply.header('retry-after', String(error.retryAfter_s));
  // An engine reads when to ask again in this header alone.
  if (error !== own) reply.header('x-ratelimit-reset', String(error.retryAfter_s));
  return reply.code(error.status).header('content-type', mediaType).send(errorDocument(error));
}

/** Of a run's own token. */
const isOfEngine = ({ headers: { authorization } }: FastifyRequest) =>
  seemsOfRun(/^bearer +(\S+)/i.exec(authorization ?? '')?.[1] ?? '');

/** Whether operators should hear of it. A refusal that means "not yet" is no failure of ours. */
function isFailure(error: ApiError, fault: unknown): boolean {
  const { name } = error.faults[0];
  if (name === 'content-store-unavailable') return true;
  return error.status === 500 || (error !== fault && name === 'store-unavailable');
}

function refusalOf(fault: unknown): ApiError {
  if (fault instanceof ApiError) return fault;
  const { code, statusCode, message } = fault as FastifyError;
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new ApiError('body-too-large', { limit: limits.body_bytes.value }, { pointer: '' });
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new ApiError('media-type', undefined, { header: 'Content-Type' });
    case 'FST_ERR_BAD_URL':
      return malformed('The path is not valid percent-encoding.', { parameter: 'path' });
  }
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) return malformed(message, { pointer: '' });
  const meant = storeFault(fault);
  return meant instanceof ApiError ? meant : new ApiError('internal');
}

const malformed = (reason: string, source: { parameter: string } | { pointer: string }) =>
  new ApiError('malformed-request', { reason }, source);

/** Bytes that are not HTTP, headers past the limit, or headers that do not come: there is no request, only a socket. */
export function refuseBytes(fault: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable) return void socket.destroy();
  const error =
    byCode[fault.code ?? '']?.() ?? new ApiError('malformed-request', { reason: 'This is not valid HTTP.' });
  const body = errorDocument(error);
  socket.end(
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}\r\ncontent-type: ${mediaType}\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}

const byCode: Record<string, () => ApiError> = {
  HPE_HEADER_OVERFLOW: () => new ApiError('header-too-large'),
  ERR_HTTP_REQUEST_TIMEOUT: () => new ApiError('request-too-slow'),
};
