/** Runs: lists, one with all that belongs to it, and what can be done with it. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { cache } from '../api/cache.ts';
import { answer, api, documentOf, type New, type Resource } from '../api/client.ts';
import type { Included, Pagination } from '../api/documents.ts';
import { live_ms, untilTold } from '../api/live.ts';
import { groupOf, type StatusGroup, statusesOf } from '../workspaces/status.tsx';

export type Run = Resource<'runs'>;
export interface RunDocument {
  data: Run;
  included?: Included[];
}
export interface RunList {
  data: Run[];
  included?: Included[];
  meta: { pagination?: Pagination };
}

export interface RunSearch {
  status?: StatusGroup;
  q?: string;
  page?: number;
}

const queryOf = ({ status, q, page = 1 }: RunSearch) => ({
  ...(status && { 'filter[status]': [...statusesOf(status)] }),
  'search[basic]': q,
  'page[number]': Number(page),
  include: ['created_by' as const, 'workspace' as const, 'plan' as const],
});

export const workspaceRunsQuery = (workspaceId: string, search: RunSearch) =>
  queryOptions({
    queryKey: ['runs', 'of-workspace', workspaceId, search],
    enabled: workspaceId !== '',
    placeholderData: keepPreviousData,
    refetchInterval: untilTold(live_ms.list),
    queryFn: async () =>
      (await answer(
        api.GET('/workspaces/{workspace_id}/runs', {
          params: { path: { workspace_id: workspaceId }, query: queryOf(search) },
        }),
      )) as RunList,
  });

export const organizationRunsQuery = (organization: string, search: RunSearch) =>
  queryOptions({
    queryKey: ['runs', 'of-organization', organization, search],
    placeholderData: keepPreviousData,
    refetchInterval: untilTold(live_ms.list),
    queryFn: async () =>
      (await answer(
        api.GET('/organizations/{organization_name}/runs', {
          params: { path: { organization_name: organization }, query: queryOf(search) },
        }),
      )) as RunList,
  });

const inQueue = ['created_by', 'workspace'] as const;

/** What waits and what is at work, in its order: of the organization, or of one of its agent pools. */
export const runQueueQuery = (organization: string, pool: string | undefined, page: number) =>
  queryOptions({
    queryKey: ['runs', 'queue', organization, pool ?? null, page],
    placeholderData: keepPreviousData,
    refetchInterval: untilTold(live_ms.list),
    queryFn: async () =>
      (await answer(
        api.GET('/organizations/{organization_name}/runs/queue', {
          params: {
            path: { organization_name: organization },
            query: {
              'page[number]': page,
              include: [...inQueue],
              ...(pool && { 'filter[agent_pool_names]': [pool] }),
            },
          },
        }),
      )) as RunList,
  });

export const capacityQuery = (organization: string) =>
  queryOptions({
    queryKey: ['runs', 'capacity', organization],
    refetchInterval: untilTold(live_ms.list),
    queryFn: () =>
      answer(
        api.GET('/organizations/{organization_name}/capacity', {
          params: { path: { organization_name: organization } },
        }),
      ),
  });

const includes = [
  'plan',
  'apply',
  'created_by',
  'comments',
  'workspace',
  'run_events',
  'configuration_version.ingress_attributes',
] as const;

/** Often while it is at work, seldom while it waits, never once it is over. */
const interval_ms = (run: Run | undefined): number | false => {
  const group = groupOf(run?.attributes.status);
  if (group === 'running') return live_ms.running;
  return group === 'attention' || group === 'hold' ? live_ms.record : false;
};

export const readRun = async (id: string) =>
  (await answer(
    api.GET('/runs/{run_id}', { params: { path: { run_id: id }, query: { include: [...includes] } } }),
  )) as RunDocument;

export const runQuery = (id: string) =>
  queryOptions({
    queryKey: ['runs', 'one', id],
    refetchInterval: query => untilTold(interval_ms((query.state.data as RunDocument | undefined)?.data))(),
    queryFn: () => readRun(id),
  });

export type RunAct = 'apply' | 'discard' | 'cancel' | 'force-cancel' | 'force-execute';

export async function actOnRun(id: string, act: RunAct, comment: string): Promise<void> {
  await answer(
    api.POST(`/runs/{run_id}/actions/${act}`, {
      params: { path: { run_id: id } },
      body: comment ? { comment } : {},
    }),
  );
  await runsChanged();
}

export async function commentOn(run: string, body: string): Promise<void> {
  await answer(
    api.POST('/runs/{run_id}/comments', { params: { path: { run_id: run } }, body: documentOf('comments', { body }) }),
  );
  await runsChanged();
}

export async function startRun(workspaceId: string, attributes: New<'runs'>): Promise<string> {
  const made = await answer(
    api.POST('/runs', {
      body: {
        data: {
          type: 'runs',
          attributes,
          relationships: { workspace: { data: { type: 'workspaces', id: workspaceId } } },
        },
      },
    }),
  );
  await runsChanged();
  return made.data.id;
}

const runsChanged = () =>
  Promise.all([cache.invalidateQueries({ queryKey: ['runs'] }), cache.invalidateQueries({ queryKey: ['workspaces'] })]);
