/** The one way to the server: the client made from the API's description, and the failures that its answers can mean. */
import createClient, { type Middleware } from 'openapi-fetch';
import { bearer, sessionRefused } from '../session/session.ts';
import { ApiFailure, failureOf } from './failure.ts';
import { noteReach } from './reach.ts';
import type { components, paths } from './schema.ts';

export const mediaType = 'application/vnd.api+json';

type Schemas = components['schemas'];
type Shared = 'errors' | 'included' | 'page-links' | 'pagination' | 'uncounted-page-links' | 'uncounted-pagination';
export type ResourceType = Exclude<keyof Schemas, Shared>;
export type Resource<T extends ResourceType> = Schemas[T];

/** What stands below `data` in the body of a request. */
export type BodyOf<P extends keyof paths, M extends 'post' | 'patch'> = paths[P] extends {
  [method in M]: { requestBody: { content: { [type in typeof mediaType]: { data: infer D } } } };
}
  ? D
  : never;
type Bodies<M extends 'post' | 'patch'> = { [P in keyof paths]: BodyOf<P, M> }[keyof paths];
/** The attributes of those that may name the type. */
type AttributesOf<T, Body> = Body extends { type?: infer Named; attributes?: infer A }
  ? T extends Named
    ? NonNullable<A>
    : never
  : never;

/** What a body may say of a new record of a type, and of one that is changed. */
export type New<T extends string> = AttributesOf<T, Bodies<'post'>>;
export type Changed<T extends string> = AttributesOf<T, Bodies<'patch'>>;

/** The body that says it. */
export const documentOf = <T extends string, A>(type: T, attributes: A) => ({ data: { type, attributes } });

export const api = createClient<paths>({
  baseUrl: '/api/v2',
  headers: { 'content-type': mediaType },
  querySerializer: query => serialize(query as Record<string, unknown>),
});

const identified: Middleware = {
  onRequest({ request }) {
    const token = bearer();
    if (token) request.headers.set('authorization', `Bearer ${token}`);
    return request;
  },
  onResponse({ response, schemaPath }) {
    // Signing in is refused with 401, too, and ends nothing.
    if (response.status === 401 && schemaPath !== '/sessions') sessionRefused();
  },
};
api.use(identified);

type Reply<T> = { data?: T; error?: unknown; response: Response };

const tags = new WeakMap<object, string>();

/** What names the record of a document as it was when it was read. Only of the document itself, not of a copy. */
export const tagOf = (document: object): string | undefined => tags.get(document);

/** The document of an answer. Throws ApiFailure, also where no answer came. */
export async function answer<T>(asked: Promise<Reply<T>>): Promise<T> {
  let reply: Reply<T>;
  try {
    reply = await asked;
  } catch (caught) {
    // What this page itself gave up says nothing of the server.
    if (!(caught instanceof DOMException && caught.name === 'AbortError')) noteReach(false);
    throw new ApiFailure(0, [], null, null);
  }
  noteReach(true);
  if (!reply.response.ok) throw failureOf(reply.response, reply.error);
  const tag = reply.response.headers.get('etag');
  if (tag && reply.data) tags.set(reply.data, tag);
  return reply.data as T;
}

/** Lists with commas, objects with brackets in brackets: what the API's parameters look like. Empty ones are left out. */
function serialize(query: Record<string, unknown>): string {
  const parameters = new URLSearchParams();
  const add = (name: string, value: unknown): void => {
    if (value === undefined || value === null || value === '') return;
    if (Array.isArray(value)) {
      if (value.length > 0) parameters.append(name, value.join(','));
    } else if (typeof value === 'object') {
      for (const [key, inner] of Object.entries(value)) add(`${name}[${key}]`, inner);
    } else parameters.append(name, String(value));
  };
  for (const [name, value] of Object.entries(query)) add(name, value);
  return parameters.toString();
}
