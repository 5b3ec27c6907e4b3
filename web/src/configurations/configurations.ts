/** The configuration versions of a workspace: what its runs are made of. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { cache } from '../api/cache.ts';
import { answer, api, type Resource } from '../api/client.ts';
import { type Included, included, type Pagination } from '../api/documents.ts';
import { live_ms, untilTold } from '../api/live.ts';
import { saveFile } from '../ui/save-file.ts';

export type Configuration = Resource<'configuration-versions'>;
export interface ConfigurationList {
  data: Configuration[];
  included?: Included[];
  meta: { pagination?: Pagination };
}

/** As many as a filter takes ids. */
const pageSize = 20;

export const configurationsQuery = (workspaceId: string, page: number) =>
  queryOptions({
    queryKey: ['configurations', workspaceId, page],
    enabled: workspaceId !== '',
    placeholderData: keepPreviousData,
    refetchInterval: untilTold(live_ms.list),
    queryFn: async () =>
      (await answer(
        api.GET('/workspaces/{workspace_id}/configuration-versions', {
          params: {
            path: { workspace_id: workspaceId },
            query: { 'page[number]': page, 'page[size]': pageSize, include: ['ingress_attributes'] },
          },
        }),
      )) as ConfigurationList,
  });

/** The latest runs of some versions, by the id of their version. */
export const runsOfQuery = (workspaceId: string, versions: readonly string[]) =>
  queryOptions({
    queryKey: ['runs', 'of-configurations', workspaceId, versions],
    enabled: versions.length > 0,
    placeholderData: keepPreviousData,
    queryFn: async () => {
      const { data } = await answer(
        api.GET('/workspaces/{workspace_id}/runs', {
          params: {
            path: { workspace_id: workspaceId },
            query: { 'filter[configuration_version][id]': [...versions], 'page[size]': 100 },
          },
        }),
      );
      return Map.groupBy(data, run => run.relationships['configuration-version'].data?.id);
    },
  });

/** The commit that a version came from; undefined of what was uploaded. */
export function commitOf(list: ConfigurationList | undefined, { relationships }: Configuration) {
  return list && included(list, relationships['ingress-attributes'], 'ingress-attributes')?.attributes;
}

/** When its content came, or whatever became of it last. */
export function timeOf({ attributes }: Configuration): string | undefined {
  const times = attributes['status-timestamps'] as Record<string, string>;
  return times['uploaded-at'] ?? Object.values(times).sort().at(-1);
}

export async function download({ id }: Configuration, workspace: string): Promise<void> {
  const contents = await answer(
    api.GET('/configuration-versions/{configuration_version_id}/download', {
      params: { path: { configuration_version_id: id } },
      parseAs: 'blob',
    }),
  );
  saveFile(contents as unknown as Blob, `${workspace}-${id}.tar.gz`);
}

export type ConfigurationAct =
  | 'archive'
  | 'soft_delete_backing_data'
  | 'restore_backing_data'
  | 'permanently_delete_backing_data';

export async function change({ id }: Configuration, act: ConfigurationAct): Promise<void> {
  await answer(
    api.POST(`/configuration-versions/{configuration_version_id}/actions/${act}`, {
      params: { path: { configuration_version_id: id } },
    }),
  );
  await cache.invalidateQueries({ queryKey: ['configurations'] });
}
