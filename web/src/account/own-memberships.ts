/** Where the caller belongs, and who invites. */
import { queryOptions } from '@tanstack/react-query';
import { answer, api, type Resource } from '../api/client.ts';
import { everyPage } from '../api/documents.ts';

export type Membership = Resource<'organization-memberships'>;

export const ownMembershipsQuery = queryOptions({
  queryKey: ['account', 'memberships'],
  staleTime: 60_000,
  queryFn: () =>
    everyPage(page =>
      answer(api.GET('/organization-memberships', { params: { query: { 'page[number]': page, 'page[size]': 100 } } })),
    ),
});

/** An organization's id is its name. */
export const organizationOf = ({ relationships }: Membership) => relationships.organization.data?.id ?? '';

export const isInvitation = ({ attributes }: Membership) => attributes.status === 'invited';
