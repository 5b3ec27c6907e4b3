/** Agent pools, as the API tells of them. */
import { queryOptions } from '@tanstack/react-query';
import { answer, api, type Resource } from '../api/client.ts';
import { everyPage } from '../api/documents.ts';

export type AgentPool = Resource<'agent-pools'>;

export const agentPoolsQuery = (organization: string) =>
  queryOptions({
    queryKey: ['agent-pools', organization],
    staleTime: 30_000,
    queryFn: () =>
      everyPage(page =>
        answer(
          api.GET('/organizations/{organization_name}/agent-pools', {
            params: {
              path: { organization_name: organization },
              query: { 'page[number]': page, 'page[size]': 100 },
            },
          }),
        ),
      ),
  });
