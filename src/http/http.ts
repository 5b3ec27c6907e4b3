/** The edge: with app.ts the only file that knows HTTP. It turns an endpoint into a route and its answer into bytes. */
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Actor } from '../core/access/actor.ts';
import { recordEvent } from '../core/audit/record.ts';
import { isSigned } from '../core/blobs/signed-path.ts';
import type { Config } from '../core/config.ts';
import { ApiError, type ErrorName, type Fault } from '../core/errors.ts';
import type { Answer, AnyEndpoint, Collection, Context, Params, Subject } from '../core/jsonapi/endpoint.ts';
import type { Deployment, Row } from '../core/jsonapi/fields.ts';
import {
  inspectParams,
  inspectQuery,
  type LongTexts,
  type ReadBody,
  readJson,
  setLongTextsAside,
} from '../core/jsonapi/guard.ts';
import { gatherIncluded, loadIncluded, type Registry, readInclude } from '../core/jsonapi/include.ts';
import { type Page, pageMembers, type RawQuery, readPage, uncountedPageMembers } from '../core/jsonapi/page.ts';
import { readAhead, type Transfer } from '../core/jsonapi/transfer.ts';
import type { Sql, Store } from '../core/store/store.ts';
import { gathered, piecesOf, requireLength } from './incoming.ts';

declare module 'fastify' {
  interface FastifyRequest {
    actor: Actor | null;
  }
}

export const mediaType = 'application/vnd.api+json';

export interface Surroundings {
  config: Config;
  deployment: Deployment;
  store: Store;
  registry: Registry;
}

/** Adds the routes of every endpoint that this deployment has (§9). Long bodies stay streams until they are gathered. */
export function mount(app: FastifyInstance, endpoints: readonly AnyEndpoint[], surroundings: Surroundings): void {
  const present = endpoints.filter(one => one.when?.(surroundings.deployment) !== false);
  const isLong = (one: AnyEndpoint) => one.bodyLimitBytes !== undefined;
  for (const one of present.filter(one => !isLong(one))) addRoutes(app, one, surroundings);
  app.register(async scope => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(mediaType, (_request, payload, done) => done(null, payload));
    for (const one of present.filter(isLong)) addRoutes(scope, one, surroundings);
  });
}

function addRoutes(app: FastifyInstance, one: AnyEndpoint, surroundings: Surroundings): void {
  for (const path of one.paths) {
    app.route({
      method: one.method,
      url: `/api/v2${path}`,
      handler: (request, reply) => serve(one, request, reply, surroundings),
    });
  }
}

/** Adds the routes of content: their bodies stay streams, and their addresses are signed instead of asking for a token. */
export function mountTransfers(app: FastifyInstance, transfers: readonly Transfer[], surroundings: Surroundings): void {
  app.register(async scope => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
    for (const one of transfers) {
      scope.route({
        method: one.method,
        url: one.path,
        handler: (request, reply) => transfer(one, request, reply, surroundings),
      });
    }
  });
}

async function transfer(
  one: Transfer,
  request: FastifyRequest,
  reply: FastifyReply,
  { config, deployment, store }: Surroundings,
): Promise<FastifyReply> {
  const params = request.params as Params;
  inspectParams(params);
  const query = request.query as RawQuery;
  const path = request.url.split('?', 1)[0]!;
  if (!isSigned(config.tokenPepper ?? '', one.method, path, query)) {
    throw new ApiError('address-not-signed');
  }
  const limit = one.limitBytes?.(config) ?? 0;
  requireLength(request.raw, limit);
  const download = await one.handle({
    params,
    query,
    source: piecesOf(request.raw, limit),
    store,
    config,
    deployment,
    requestId: request.id,
    remoteAddress: request.ip,
  });
  reply.header('cache-control', 'no-store');
  if (!download) return reply.code(200).send();
  const content = await readAhead(download.content);
  reply.header('content-type', download.mediaType).header('content-length', download.sizeBytes);
  return reply.send(content instanceof Buffer ? content : Readable.from(content, { objectMode: false }));
}

const noBytes = Buffer.alloc(0);
const noTexts: LongTexts = new Map();

interface Asked {
  request: FastifyRequest;
  actor: Actor;
  params: Params;
  query: RawQuery;
  page: Page;
  integration: string | null;
  include: string[][];
  read: ReadBody;
  longTexts: LongTexts;
}

async function serve(
  one: AnyEndpoint,
  request: FastifyRequest,
  reply: FastifyReply,
  surroundings: Surroundings,
): Promise<FastifyReply> {
  const params = request.params as Params;
  const query = request.query as RawQuery;
  inspectParams(params);
  inspectQuery(query, request.url);
  const always = 'document' in one.answer ? (one.answer.alwaysInclude ?? []) : [];
  const { rest, longTexts } = one.bodyLimitBytes
    ? setLongTextsAside(await gathered(request.raw, one.bodyLimitBytes(surroundings.config)))
    : { rest: one.body && request.body instanceof Buffer ? request.body : noBytes, longTexts: noTexts };
  const asked: Asked = {
    request,
    actor: request.actor!,
    params,
    query,
    page: readPage('collection' in one.answer ? query : {}),
    integration: request.headers['x-terraform-integration']?.toString() ?? null,
    include: [
      ...(one.include || always.length > 0 ? readInclude(query, one.include ?? []) : []),
      ...always.map((path: string) => path.split('.')),
    ],
    read: readJson(rest),
    longTexts,
  };
  const answer =
    one.method === 'GET'
      ? await perform(one, asked, surroundings.store.read, surroundings)
      : await surroundings.store.transaction(sql => perform(one, asked, sql, surroundings));
  reply.code(one.answer.status).headers(one.headers ?? {});
  if ('redirect' in one.answer) return reply.header('location', answer as string).send();
  if (answer === undefined || one.answer.status === 204 || one.answer.status === 202) return reply.send();
  reply.header('content-type', mediaType);
  return reply.send(await present(one, answer, asked, surroundings));
}

/** Finds and authorizes the subject, judges the body, runs the handler, and writes the audit event of a change. */
async function perform(one: AnyEndpoint, asked: Asked, sql: Sql, surroundings: Surroundings): Promise<unknown> {
  const { actor, params } = asked;
  const isWrite = one.method !== 'GET';
  const subject = await one.subject.find(sql, actor, params, isWrite ? (one.holds ?? 'update') : null);
  await authorize(one, asked, sql, subject);
  const { value, faults } = one.body?.parse(asked.read.json, surroundings.deployment) ?? {
    value: undefined,
    faults: [],
  };
  const notes: Record<string, unknown> = {};
  // Member by member: spreading the two took 10 of 430 µs of a request.
  const { query, page, integration, longTexts } = asked;
  const { store, config, deployment } = surroundings;
  const context: Context<Subject, unknown> = {
    actor,
    params,
    query,
    page,
    integration,
    longTexts,
    store,
    config,
    deployment,
    subject: subject!,
    body: value,
    faults,
    sql,
    note: changes => void Object.assign(notes, changes),
  };
  const checked = await one.check?.(context);
  const every = allFaults(asked.read.faults, faults);
  if (every.length > 0) throw new ApiError(every);
  const answer = await one.handle(context, checked);
  if (isWrite) {
    await recordEvent(sql, {
      operation: one.operation,
      actor,
      subject: subject!,
      result: 'document' in one.answer ? { type: one.answer.document.type, row: answer as Row } : null,
      notes,
      requestId: asked.request.id,
      remoteAddress: asked.request.ip,
    });
  }
  return answer;
}

/** Text that was left out needs no second complaint that it is missing. */
function allFaults(unreadable: readonly Fault[], faults: readonly Fault[]): Fault[] {
  const pointers = new Set(unreadable.map(({ source }) => (source as { pointer: string }).pointer));
  return [
    ...unreadable,
    ...faults.filter(({ source }) => !source || !('pointer' in source) || !pointers.has(source.pointer)),
  ];
}

/** Whoever would be let in, if the organization took users' tokens, knows of it already and is told why not: 401. */
async function authorize(one: AnyEndpoint, { actor, params }: Asked, sql: Sql, subject: Subject | undefined) {
  const refusal = refusalTo(one, subject);
  if (refusal === null) return;
  if (refusal === 'not-found' && actor.withheld) {
    const known = await one.subject.find(sql, actor.withheld, params, null);
    if (refusalTo(one, known) !== 'not-found') throw new ApiError('unauthorized');
  }
  throw new ApiError(refusal);
}

function refusalTo(one: AnyEndpoint, subject: Subject | undefined): ErrorName | null {
  const { anyOf, refusal } = one.needs;
  if (subject && (subject.powers & anyOf) !== 0) return null;
  if (subject && refusal && (subject.powers & refusal.toThoseWith) !== 0) return refusal.name;
  return 'not-found';
}

/** The document in JSON: `data`, `included`, and for a collection `links` and `meta` (§1). */
async function present(
  one: AnyEndpoint,
  answer: unknown,
  asked: Asked,
  { registry, store, deployment }: Surroundings,
): Promise<string | Buffer> {
  if ('json' in one.answer) return JSON.stringify(answer);
  const isCollection = 'collection' in one.answer;
  const resource = 'collection' in one.answer ? one.answer.collection : (one.answer as { document: never }).document;
  const { compiled } = registry.get((resource as { type: string }).type)!;
  const given = isCollection ? (answer as Collection).rows : [answer as Row];
  // What is gathered is kept by the row, and a row may be in several answers at once.
  const rows = asked.include.length > 0 ? given.map(row => ({ ...row })) : given;
  if (asked.include.length > 0) await gatherIncluded({ resource, rows }, asked.include, store.read);
  const data = rows.map(compiled.write);
  const included =
    asked.include.length > 0
      ? await loadIncluded({ resource, rows }, asked.include, registry, store.read, asked.actor)
      : null;
  const members: string[] = [];
  if (included) members.push(`"included":[${included.join(',')}]`);
  if (isCollection) {
    const { total, hasMore = false, meta = {}, links } = answer as Collection;
    const { pages } = one.answer as Extract<Answer, { pages: string }>;
    const paged = pages === 'always' || (pages === 'when-asked' && asked.page.isGiven);
    // A request may name an absolute address, of which only the path is ours to repeat.
    const path = asked.request.url.replace(/^https?:\/\/[^/]*/i, '').split('?', 1)[0]!;
    const address = `${deployment.publicUrl}${path}`;
    if (pages === 'uncounted') members.push(uncountedPageMembers(asked.page, hasMore, address, asked.query));
    else if (paged) members.push(pageMembers(asked.page, total, address, asked.query, meta));
    else if (meta && Object.keys(meta).length > 0) members.push(`"meta":${JSON.stringify(meta)}`);
    if (!paged && links) members.push(`"links":${JSON.stringify(links)}`);
  }
  const [open, close] = isCollection ? ['[', ']'] : ['', ''];
  const rest = members.map(member => `,${member}`).join('');
  return concatenated([
    `{"data":${open}`,
    ...data.flatMap((one, at) => (at > 0 ? [',', one] : [one])),
    `${close}${rest}}`,
  ]);
}

/** Bytes where some are at hand: a page of documents that were kept is four times faster to put together than as text. */
function concatenated(parts: readonly (string | Buffer)[]): string | Buffer {
  if (!parts.some(Buffer.isBuffer)) return parts.join('');
  return Buffer.concat(parts.map(part => (typeof part === 'string' ? Buffer.from(part) : part)));
}
