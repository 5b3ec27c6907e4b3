/** The last of three steps: what was decided, as a status, headers and bytes. */
import type { FastifyReply } from 'fastify';
import type { Download } from '../core/blobs/download.ts';
import type { Decision, Services } from '../core/jsonapi/context.ts';
import type { Answer, AnyEndpoint, Collection } from '../core/jsonapi/endpoint.ts';
import { digestOf, entityTag, isKnown, wholeListMembers } from '../core/jsonapi/entity-tag.ts';
import type { Gathered, Row } from '../core/jsonapi/fields.ts';
import { gatherIncluded, loadIncluded } from '../core/jsonapi/include.ts';
import { pageMembers, uncountedPageMembers } from '../core/jsonapi/page.ts';
import type { Resource } from '../core/jsonapi/resource.ts';
import { sendContent } from './content.ts';
import type { Received } from './receive.ts';
import { sessionCookie } from './session-cookie.ts';

export const mediaType = 'application/vnd.api+json';

export async function send(
  one: AnyEndpoint,
  decision: Decision,
  received: Received,
  reply: FastifyReply,
  services: Services,
): Promise<FastifyReply> {
  const { answer } = decision;
  reply.code(one.answer.status);
  if (decision.session !== undefined) {
    reply.header('set-cookie', sessionCookie(decision.session, services.deployment));
  }
  if ('redirect' in one.answer && answer === undefined) return reply.code(204).send();
  if ('redirect' in one.answer) return reply.header('location', answer as string).send();
  if (answer === undefined || one.answer.status === 204 || one.answer.status === 202) return reply.send();
  if ('content' in one.answer) return sendContent(answer as Download, one.answer.content, reply);
  reply.header('content-type', mediaType);
  const { bytes, tag } =
    'json' in one.answer ? plain(answer) : await documentOf(one, one.answer, decision, received, services);
  reply.header('etag', tag);
  const isRead = one.method === 'GET' && one.answer.status === 200;
  if (isRead && isKnown(received.ifNoneMatch, tag)) return reply.code(304).removeHeader('content-type').send();
  return reply.send(bytes);
}

interface Tagged {
  bytes: string | Buffer;
  tag: string;
}

function plain(answer: unknown): Tagged {
  const bytes = JSON.stringify(answer);
  return { bytes, tag: entityTag(digestOf([bytes]), null) };
}

const nothingGathered: Gathered = new Map();

type Shown = Extract<Answer, { document: unknown } | { collection: unknown }>;

/** `data`, `included`, and for a collection `links` and `meta` (§1). */
async function documentOf(
  { method }: AnyEndpoint,
  shape: Shown,
  { actor, answer }: Decision,
  received: Received,
  { registry, store, deployment }: Services,
): Promise<Tagged> {
  const isCollection = 'collection' in shape;
  const resource: Resource = isCollection ? shape.collection : shape.document;
  const rows = isCollection ? (answer as Collection).rows : [answer as Row];
  const asks = { paths: received.include, registry, sql: store.read, actor, isChange: method !== 'GET' };
  const gathered = await gatherIncluded({ resource, rows }, asks);
  const { compiled } = registry.get(resource.type)!;
  const written = rows.map(row => compiled.write(row, gathered));
  const included = received.include.length > 0 ? await loadIncluded({ resource, rows }, asks, gathered) : null;
  const beside = included ? [`"included":[${included.join(',')}]`] : [];
  const members = [
    ...beside,
    ...(isCollection ? collectionMembers(shape, answer as Collection, received, deployment.publicUrl) : []),
  ];
  const [open, close] = isCollection ? ['[', ']'] : ['', ''];
  const bytes = concatenated([
    `{"data":${open}`,
    ...written.flatMap(({ bytes }, at) => (at > 0 ? [',', bytes] : [bytes])),
    `${close}${members.map(member => `,${member}`).join('')}}`,
  ]);
  const digests = written.map(({ digest }) => digest);
  if (isCollection) return { bytes, tag: entityTag(digestOf([...digests, ...members]), null) };
  if (gathered.size === 0) return { bytes, tag: entityTag(digests[0]!, included && digestOf(beside)) };
  // What is included is named in the record as well, which without it is the record that If-Match is about.
  const { digest } = compiled.write(rows[0]!, nothingGathered);
  return { bytes, tag: entityTag(digest, digestOf([...digests, ...beside])) };
}

function collectionMembers(
  { pages }: Extract<Shown, { collection: unknown }>,
  { total, hasMore = false, meta = {}, links }: Collection,
  { page, path, rawQuery }: Received,
  publicUrl: string,
): string[] {
  const address = `${publicUrl}${path}`;
  if (pages === 'uncounted') return [uncountedPageMembers(page, hasMore, address, rawQuery)];
  if (pages === 'always' || (pages === 'when-asked' && page.isGiven)) {
    return [pageMembers(page, total, address, rawQuery, meta)];
  }
  return wholeListMembers({ meta, ...(links && { links }) });
}

/** Bytes where some are at hand: a page of documents that were kept is four times faster to put together than as text. */
function concatenated(parts: readonly (string | Buffer)[]): string | Buffer {
  if (!parts.some(Buffer.isBuffer)) return parts.join('');
  return Buffer.concat(parts.map(part => (typeof part === 'string' ? Buffer.from(part) : part)));
}
