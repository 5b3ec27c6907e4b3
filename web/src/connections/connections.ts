/** Connections to version control and their tokens, as the API tells of them. */
import { queryOptions } from '@tanstack/react-query';
import { cache } from '../api/cache.ts';
import { answer, api, type BodyOf, documentOf, type Resource } from '../api/client.ts';
import { type Included, included } from '../api/documents.ts';
import { live_ms } from '../api/live.ts';
import { type Meant, readingOf } from '../ui/saving.tsx';

export type Connection = Resource<'oauth-clients'>;
export interface ConnectionList {
  data: Connection[];
  included?: Included[];
}

export const connectionsQuery = (organization: string) =>
  queryOptions({
    queryKey: ['connections', organization],
    staleTime: 30_000,
    queryFn: async () => {
      const document = await answer(
        api.GET('/organizations/{organization_name}/oauth-clients', {
          params: {
            path: { organization_name: organization },
            query: { 'page[size]': 100, include: ['oauth-tokens'] },
          },
        }),
      );
      return document as unknown as ConnectionList;
    },
  });

/** Its own name, or that of its provider. */
export const connectionName = ({ attributes }: Connection) =>
  attributes.name ?? attributes['service-provider-display-name'];

/** The token by which a connection fetches. */
export const tokenOf = (list: ConnectionList | undefined, { relationships }: Connection) =>
  list && included(list, { data: relationships['oauth-tokens'].data[0] ?? null }, 'oauth-tokens');

type Made = NonNullable<BodyOf<'/organizations/{organization_name}/oauth-clients', 'post'>['attributes']>;
type Changed = NonNullable<BodyOf<'/oauth-clients/{oauth_client_id}', 'patch'>['attributes']>;
export type NewConnection = Made & { projects?: string[] };
export type ConnectionChanges = Changed & { projects?: string[] };

/** The fields of its form: projects are a relationship. */
export const givenOf = ({ attributes, relationships }: Connection) => ({
  ...attributes,
  projects: relationships.projects.data.map(({ id }) => id).sort(),
});

const linksOf = (projects: string[] | undefined) =>
  projects && { relationships: { projects: { data: projects.map(id => ({ type: 'projects' as const, id })) } } };
const at = (id: string) => ({ params: { path: { oauth_client_id: id } } });
const changed = () => cache.invalidateQueries({ queryKey: ['connections'] });

export async function createConnection(
  organization: string,
  { projects, ...attributes }: NewConnection,
): Promise<void> {
  await answer(
    api.POST('/organizations/{organization_name}/oauth-clients', {
      params: { path: { organization_name: organization } },
      body: { data: { type: 'oauth-clients', attributes, ...linksOf(projects) } },
    }),
  );
  await changed();
}

export const readConnection = async (id: string) =>
  readingOf(await answer(api.GET('/oauth-clients/{oauth_client_id}', at(id))), ({ data }) => givenOf(data));

export async function updateConnection(
  id: string,
  { projects, ...attributes }: ConnectionChanges,
  meant: Meant,
): Promise<void> {
  await answer(
    api.PATCH('/oauth-clients/{oauth_client_id}', {
      ...at(id),
      ...meant,
      body: { data: { type: 'oauth-clients', attributes, ...linksOf(projects) } },
    }),
  );
  await changed();
}

export async function deleteConnection({ id }: Connection): Promise<void> {
  await answer(api.DELETE('/oauth-clients/{oauth_client_id}', at(id)));
  await changed();
}

/** Null takes it away. */
export async function setPrivateKey(tokenId: string, key: string | null): Promise<void> {
  await answer(
    api.PATCH('/oauth-tokens/{oauth_token_id}', {
      params: { path: { oauth_token_id: tokenId } },
      body: documentOf('oauth-tokens', { 'ssh-key': key }),
    }),
  );
  await changed();
}

export type Delivery = Resource<'webhook-deliveries'>;

/** The newest ones. They come from outside, and the feed of changes does not tell of them. */
export const deliveriesQuery = (id: string) =>
  queryOptions({
    queryKey: ['connections', 'deliveries', id],
    refetchInterval: live_ms.list,
    queryFn: () =>
      answer(
        api.GET('/oauth-clients/{oauth_client_id}/webhook-deliveries', { params: { path: { oauth_client_id: id } } }),
      ),
  });

/** The former one counts no longer; this is the only time that the new one is told. */
export async function renewSecret(id: string): Promise<string> {
  const { data } = await answer(api.POST('/oauth-clients/{oauth_client_id}/actions/rotate-webhook-secret', at(id)));
  await changed();
  return data.attributes.secret;
}
