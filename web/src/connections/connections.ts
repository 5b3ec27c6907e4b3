/** Connections to version control and their tokens, as the API tells of them. */
import { queryOptions } from '@tanstack/react-query';
import { answer, api, type Resource } from '../api/client.ts';
import { everyPage, type Included } from '../api/documents.ts';

export type Connection = Resource<'oauth-clients'>;

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
      return document as unknown as { data: Connection[]; included?: Included[] };
    },
  });

export const connectionTokensQuery = (organization: string) =>
  queryOptions({
    queryKey: ['connections', organization, 'tokens'],
    staleTime: 30_000,
    queryFn: () =>
      everyPage(page =>
        answer(
          api.GET('/organizations/{organization_name}/oauth-tokens', {
            params: {
              path: { organization_name: organization },
              query: { 'page[number]': page, 'page[size]': 100 },
            },
          }),
        ),
      ),
  });
