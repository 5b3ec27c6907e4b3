/** Who belongs to an organization, as the API tells of them. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { cache } from '../api/cache.ts';
import { answer, api, type Resource } from '../api/client.ts';
import type { Included, Pagination } from '../api/documents.ts';

export type Membership = Resource<'organization-memberships'>;
export interface MembershipList {
  data: Membership[];
  included?: Included[];
  meta: { pagination?: Pagination };
}

export const membershipsQuery = (organization: string, search: { q?: string; status?: string; page?: number } = {}) =>
  queryOptions({
    queryKey: ['members', organization, search],
    placeholderData: keepPreviousData,
    queryFn: async () => {
      const document = await answer(
        api.GET('/organizations/{organization_name}/organization-memberships', {
          params: {
            path: { organization_name: organization },
            query: {
              q: search.q,
              'filter[status]': search.status,
              'page[number]': search.page ?? 1,
              'page[size]': 100,
              include: ['user', 'teams'],
            } as never,
          },
        }),
      );
      return document as unknown as MembershipList;
    },
  });

export const membersChanged = () =>
  Promise.all([cache.invalidateQueries({ queryKey: ['members'] }), cache.invalidateQueries({ queryKey: ['teams'] })]);
