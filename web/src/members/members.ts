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

export interface MemberSearch {
  q?: string;
  status?: string | undefined;
  page?: number;
}

export const membershipsQuery = (organization: string, { q, status, page = 1 }: MemberSearch = {}) =>
  queryOptions({
    queryKey: ['members', organization, q, status, page],
    placeholderData: keepPreviousData,
    queryFn: async () => {
      const document = await answer(
        api.GET('/organizations/{organization_name}/organization-memberships', {
          params: {
            path: { organization_name: organization },
            query: {
              q,
              'filter[status]': status as 'active' | 'invited' | undefined,
              'page[number]': page,
              'page[size]': 100,
              include: ['user', 'teams'],
            },
          },
        }),
      );
      return document as unknown as MembershipList;
    },
  });

export const membersChanged = () =>
  Promise.all([cache.invalidateQueries({ queryKey: ['members'] }), cache.invalidateQueries({ queryKey: ['teams'] })]);
