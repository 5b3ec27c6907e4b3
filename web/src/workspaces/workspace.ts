/** One workspace by its name, with what its head and overview show. */
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { cache } from '../api/cache.ts';
import { answer, api, type BodyOf, type Resource } from '../api/client.ts';
import { type Included, included } from '../api/documents.ts';
import { live_ms, untilTold } from '../api/live.ts';
import type { Meant } from '../ui/saving.tsx';
import type { Workspace } from './workspaces.ts';

export interface WorkspaceDocument {
  data: Workspace;
  included?: Included[];
}

const includes = [
  'current_run',
  'project',
  'locked_by',
  'effective_tag_bindings',
  'agent_pool',
  'current_assessment_result',
] as const;

export const workspaceQuery = (organization: string, name: string) =>
  queryOptions({
    queryKey: ['workspaces', organization, 'one', name],
    queryFn: async ({ signal }) => {
      const document = await answer(
        api.GET('/organizations/{organization_name}/workspaces/{workspace_name}', {
          params: {
            path: { organization_name: organization, workspace_name: name },
            query: { include: [...includes] },
          },
          signal,
        }),
      );
      return document as unknown as WorkspaceDocument;
    },
    refetchInterval: untilTold(live_ms.record),
  });

/** The workspace of the address. Screens below its layout have it already. */
export function useWorkspace() {
  const { organization, workspace } = useParams({ strict: false }) as { organization: string; workspace: string };
  return { organization, name: workspace, query: useQuery(workspaceQuery(organization, workspace)) };
}

/** Shows what an act will have done before the server says so; returns the way back. */
export function expectWorkspace(
  organization: string,
  name: string,
  change: (before: Workspace) => Workspace,
): () => void {
  const { queryKey } = workspaceQuery(organization, name);
  void cache.cancelQueries({ queryKey });
  const before = cache.getQueryData(queryKey);
  if (before) cache.setQueryData(queryKey, { ...before, data: change(before.data) });
  return () => cache.setQueryData(queryKey, before);
}

export type AccessLevel = 'admin' | 'write' | 'plan' | 'read';

/** The name for what the caller may do, by what each level adds to the one below. */
export function accessLevel(
  permissions: Pick<Workspace['attributes']['permissions'], 'can-update' | 'can-queue-apply' | 'can-queue-run'>,
): AccessLevel {
  if (permissions['can-update']) return 'admin';
  if (permissions['can-queue-apply']) return 'write';
  return permissions['can-queue-run'] ? 'plan' : 'read';
}

export type Run = Resource<'runs'>;

/** The bindings that are its own, without those of its project. */
export function ownBindings(document: WorkspaceDocument): { key: string; value: string }[] {
  const links = document.data.relationships['effective-tag-bindings'].data ?? [];
  return links.flatMap(link => {
    const record = included(document, { data: link }, 'effective-tag-bindings');
    if (!record || record.relationships?.['inherited-from']) return [];
    const { key, value } = record.attributes as { key: string; value: string };
    return [{ key, value }];
  });
}

type Body = BodyOf<'/workspaces/{workspace_id}', 'patch'>;
export type WorkspaceChanges = NonNullable<Body['attributes']>;
type ChangedLinks = NonNullable<Body['relationships']>;

/** Changes attributes of a workspace, and shows the answer at once. */
export async function updateWorkspace(
  workspace: Workspace,
  data: { attributes?: WorkspaceChanges; relationships?: ChangedLinks },
  meant: Meant = {},
): Promise<void> {
  await answer(
    api.PATCH('/workspaces/{workspace_id}', {
      params: { path: { workspace_id: workspace.id } },
      ...meant,
      body: { data: { type: 'workspaces', ...data } },
    }),
  );
  await cache.invalidateQueries({ queryKey: ['workspaces'] });
}
