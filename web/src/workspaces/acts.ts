/** What can be done with a workspace, each as one request. */
import { cache } from '../api/cache.ts';
import { answer, api } from '../api/client.ts';
import { bindingOf } from './workspaces.ts';

const at = (id: string) => ({ params: { path: { workspace_id: id } } });

export const lockWorkspace = (id: string, reason: string) =>
  answer(api.POST('/workspaces/{workspace_id}/actions/lock', { ...at(id), body: { reason } }));

export const unlockWorkspace = (id: string) => answer(api.POST('/workspaces/{workspace_id}/actions/unlock', at(id)));

export const forceUnlockWorkspace = (id: string) =>
  answer(api.POST('/workspaces/{workspace_id}/actions/force-unlock', at(id)));

/** `key` or `key:value`, one for each word. Keys that are there take the new value. */
export const addTags = (id: string, words: readonly string[]) =>
  answer(
    api.PATCH('/workspaces/{workspace_id}/tag-bindings', {
      ...at(id),
      body: { data: words.map(word => ({ type: 'tag-bindings' as const, attributes: bindingOf(word) })) },
    }),
  );

/** All of them move, or none. */
export const moveToProject = (projectId: string, ids: readonly string[]) =>
  answer(
    api.POST('/projects/{project_id}/relationships/workspaces', {
      params: { path: { project_id: projectId } },
      body: { data: ids.map(id => ({ type: 'workspaces' as const, id })) },
    }),
  );

/** After a change of our own, everything that shows workspaces is read again. */
export const workspacesChanged = () => cache.invalidateQueries({ queryKey: ['workspaces'] });
