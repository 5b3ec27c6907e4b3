/** Organizations, as the API tells of them. */
import { queryOptions } from '@tanstack/react-query';
import { answer, api, type Resource } from '../api/client.ts';
import { everyPage } from '../api/documents.ts';

export type Organization = Resource<'organizations'>;

export const organizationsQuery = queryOptions({
  queryKey: ['organizations'],
  queryFn: () =>
    everyPage(page =>
      answer(api.GET('/organizations', { params: { query: { 'page[number]': page, 'page[size]': 100 } } })),
    ),
  staleTime: 60_000,
});

export const organizationQuery = (organization: string) =>
  queryOptions({
    queryKey: ['organizations', organization],
    queryFn: () =>
      answer(api.GET('/organizations/{organization_name}', { params: { path: { organization_name: organization } } })),
    staleTime: 30_000,
  });

const last = 'terrane.organization';
export const lastOrganization = () => localStorage.getItem(last);
export const rememberOrganization = (name: string) => localStorage.setItem(last, name);
