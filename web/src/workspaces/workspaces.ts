/** Workspaces, as the API tells of them: lists, one by name, and how many there are of each status. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { answer, api, type Resource } from '../api/client.ts';
import type { Included, Pagination } from '../api/documents.ts';
import { live_ms, untilTold } from '../api/live.ts';
import { defaultSort, type ListAddress } from './address.ts';
import { statusesOf } from './status.tsx';

export type Workspace = Resource<'workspaces'>;
export interface WorkspaceList {
  data: Workspace[];
  included?: Included[];
  meta: { pagination?: Pagination };
}

const listIncludes = ['current_run', 'project', 'locked_by', 'effective_tag_bindings'] as const;

export const workspacesQuery = (organization: string, address: ListAddress, projectId: string | null | undefined) =>
  queryOptions({
    queryKey: ['workspaces', organization, 'list', address, projectId],
    // A project that was named and not found yet, or not at all, is not the same as none.
    enabled: projectId !== undefined,
    queryFn: ({ signal }) => listWorkspaces(organization, address, projectId ?? null, signal),
    placeholderData: keepPreviousData,
    refetchInterval: untilTold(live_ms.list),
  });

export async function listWorkspaces(
  organization: string,
  address: ListAddress,
  projectId: string | null,
  signal?: AbortSignal,
): Promise<WorkspaceList> {
  const document = await answer(
    api.GET('/organizations/{organization_name}/workspaces', {
      params: {
        path: { organization_name: organization },
        query: {
          ...filtersOf(address, projectId),
          sort: address.sort ?? defaultSort,
          'page[number]': address.page ?? 1,
          'page[size]': address.size ?? 20,
          include: [...listIncludes],
        },
      },
      ...(signal && { signal }),
    }),
  );
  return document as unknown as WorkspaceList;
}

/** The filters of the address in the words of the API. */
export function filtersOf(
  { q, status = [], tag = [], '-tag': without = [], lock, mode }: ListAddress,
  projectId: string | null,
) {
  const bindings = tag.filter(word => word.includes(':'));
  const hasStar = q?.startsWith('*') || q?.endsWith('*');
  return {
    ...(q && (hasStar ? { 'search[wildcard-name]': q } : { 'search[name]': q })),
    ...(projectId && { 'filter[project][id]': projectId }),
    ...(status.length > 0 && { 'filter[current-run][status]': status.flatMap(group => [...statusesOf(group)]) }),
    ...(lock && { 'filter[locked]': lock === 'locked' ? ('true' as const) : ('false' as const) }),
    ...(mode && { 'filter[execution-mode]': [mode] }),
    'search[tags]': tag.filter(word => !word.includes(':')),
    'search[exclude-tags]': without,
    ...(bindings.length > 0 && {
      'filter[tagged]': Object.fromEntries(bindings.map((word, index) => [index, bindingOf(word)])),
    }),
  };
}

export function bindingOf(word: string): { key: string; value: string } {
  const at = word.indexOf(':');
  return at < 0 ? { key: word, value: '' } : { key: word.slice(0, at), value: word.slice(at + 1) };
}

/** The id of a project by its name; null when none is named. */
export const projectIdQuery = (organization: string, name: string | undefined) =>
  queryOptions({
    queryKey: ['projects', organization, 'named', name],
    enabled: name !== undefined && name !== '',
    staleTime: 60_000,
    queryFn: async () => {
      const { data } = await answer(
        api.GET('/organizations/{organization_name}/projects', {
          params: { path: { organization_name: organization }, query: { 'filter[names]': [name!] } as object },
        }),
      );
      // An id that nothing has: a filter by an unknown project finds nothing, instead of everything.
      return data[0]?.id ?? 'prj-0000000000000000';
    },
  });
