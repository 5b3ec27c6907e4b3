/** How many workspaces there are of each group of statuses, with the other filters as they are: one small request. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { answer, api } from '../api/client.ts';
import type { ListAddress } from './address.ts';
import { type StatusGroup, statusesOf } from './status.tsx';
import { filtersOf } from './workspaces.ts';

export interface StatusCounts {
  total: number;
  of: (group: StatusGroup) => number;
}

export const statusCountsQuery = (organization: string, address: ListAddress, projectId: string | null | undefined) => {
  const { status: _status, page: _page, size: _size, sort: _sort, ...others } = address;
  return queryOptions({
    queryKey: ['workspaces', organization, 'counts', others, projectId],
    enabled: projectId !== undefined,
    staleTime: 30_000,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<StatusCounts> => {
      const { meta } = await answer(
        api.GET('/organizations/{organization_name}/workspaces', {
          params: {
            path: { organization_name: organization },
            query: { ...filtersOf(others, projectId ?? null), 'page[size]': 1 },
          },
          signal,
        }),
      );
      const { 'status-counts': counts = {}, pagination } = meta as {
        'status-counts'?: Record<string, number>;
        pagination?: { 'total-count': number };
      };
      return {
        total: pagination?.['total-count'] ?? 0,
        of: group => statusesOf(group).reduce((sum, status) => sum + (counts[status.replaceAll('_', '-')] ?? 0), 0),
      };
    },
  });
};
