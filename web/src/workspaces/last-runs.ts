/** The runs that the overview shows: the last thirty, newest first. */
import { queryOptions } from '@tanstack/react-query';
import { answer, api } from '../api/client.ts';
import { live_ms, untilTold } from '../api/live.ts';

export const shownRuns = 30;

export const lastRunsQuery = (organization: string, workspaceId: string) =>
  queryOptions({
    queryKey: ['runs', organization, 'last', workspaceId],
    refetchInterval: untilTold(live_ms.record),
    queryFn: ({ signal }) =>
      answer(
        api.GET('/workspaces/{workspace_id}/runs', {
          params: {
            path: { workspace_id: workspaceId },
            query: { 'page[size]': shownRuns, include: ['plan', 'apply', 'created_by'] } as object,
          },
          signal,
        }),
      ),
  });
