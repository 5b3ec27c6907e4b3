/** The versions of a workspace's state. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { cache } from '../api/cache.ts';
import { answer, api, type Resource } from '../api/client.ts';
import type { Included, Pagination } from '../api/documents.ts';
import { ApiFailure } from '../api/failure.ts';
import { live_ms, untilTold } from '../api/live.ts';
import { bearer } from '../session/session.ts';

export type StateVersion = Resource<'state-versions'>;
export interface StateList {
  data: StateVersion[];
  included?: Included[];
  meta: { pagination?: Pagination };
}

export const statesQuery = (organization: string, name: string, page: number) =>
  queryOptions({
    queryKey: ['states', organization, name, page],
    placeholderData: keepPreviousData,
    refetchInterval: untilTold(live_ms.list),
    queryFn: async () => {
      const document = await answer(
        api.GET('/state-versions', {
          params: {
            query: {
              'filter[organization][name]': organization,
              'filter[workspace][name]': name,
              'page[number]': page,
              include: ['created_by', 'run'],
            },
          },
        }),
      );
      return document as StateList;
    },
  });

export const stateQuery = (id: string) =>
  queryOptions({
    queryKey: ['states', 'one', id],
    queryFn: async () => {
      const document = await answer(
        api.GET('/state-versions/{state_version_id}', {
          params: { path: { state_version_id: id }, query: { include: ['created_by', 'run', 'outputs'] } },
        }),
      );
      return document as { data: StateVersion; included?: Included[] };
    },
  });

/** The contents, from the address that the API gave; on this server, whatever name it is known by outside. */
export async function readState(version: StateVersion): Promise<string> {
  const address = version.attributes['hosted-state-download-url'];
  if (!address) throw new ApiFailure(404, [], null, null);
  const { pathname, search } = new URL(address);
  const token = bearer();
  const response = await fetch(`${pathname}${search}`, token ? { headers: { authorization: `Bearer ${token}` } } : {});
  if (!response.ok) throw new ApiFailure(response.status, [], response.headers.get('x-request-id'), null);
  return response.text();
}

export async function rollBack(workspaceId: string, versionId: string): Promise<void> {
  await answer(
    api.PATCH('/workspaces/{workspace_id}/state-versions', {
      params: { path: { workspace_id: workspaceId } },
      body: {
        data: {
          type: 'state-versions',
          relationships: { 'rollback-state-version': { data: { type: 'state-versions', id: versionId } } },
        },
      },
    }),
  );
  await changed();
}

const changed = () =>
  Promise.all([
    cache.invalidateQueries({ queryKey: ['states'] }),
    cache.invalidateQueries({ queryKey: ['workspaces'] }),
  ]);

type DataAct = 'soft_delete_backing_data' | 'restore_backing_data' | 'permanently_delete_backing_data';

export async function changeData(versionId: string, act: DataAct): Promise<void> {
  await answer(
    api.POST(`/state-versions/{state_version_id}/actions/${act}`, {
      params: { path: { state_version_id: versionId } },
    }),
  );
  await changed();
}

const units = ['B', 'KiB', 'MiB', 'GiB'];

export function sizeOf(bytes: number): string {
  let size = bytes;
  let unit = 0;
  while (size >= 1024 && unit < units.length - 1) {
    size /= 1024;
    unit += 1;
  }
  return `${size < 10 && unit > 0 ? size.toFixed(1) : Math.round(size)} ${units[unit]}`;
}
