/** Services that runs are shown to before they go on: of an organization, and what a workspace asks of them. */
import { queryOptions } from '@tanstack/react-query';
import { cache } from '../api/cache.ts';
import { answer, api, type BodyOf, type Changed, documentOf, type Resource } from '../api/client.ts';
import { everyPage, type Included } from '../api/documents.ts';
import { membersOf } from '../ui/members.ts';
import { type Meant, readingOf, type Values } from '../ui/saving.tsx';

export type Task = Resource<'tasks'>;
export type WorkspaceTask = Resource<'workspace-tasks'>;
export type Stage = WorkspaceTask['attributes']['stage'];
export type TaskAttributes = BodyOf<'/organizations/{organization_name}/tasks', 'post'>['attributes'];
export type WorkspaceTaskAttributes = BodyOf<'/workspaces/{workspace_id}/tasks', 'post'>['attributes'];

export const tasksQuery = (organization: string) =>
  queryOptions({
    queryKey: ['run-tasks', organization],
    queryFn: () =>
      everyPage(page =>
        answer(
          api.GET('/organizations/{organization_name}/tasks', {
            params: { path: { organization_name: organization }, query: { 'page[number]': page, 'page[size]': 100 } },
          }),
        ),
      ),
  });

export interface WorkspaceTaskList {
  data: WorkspaceTask[];
  included?: Included[];
}

/** A workspace has a few at most. */
export const workspaceTasksQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: ['run-tasks', 'of-workspace', workspaceId],
    enabled: workspaceId !== '',
    queryFn: async () =>
      (await answer(
        api.GET('/workspaces/{workspace_id}/tasks', {
          params: { path: { workspace_id: workspaceId }, query: { 'page[size]': 100, include: ['task'] } },
        }),
      )) as WorkspaceTaskList,
  });

const changed = () => cache.invalidateQueries({ queryKey: ['run-tasks'] });

export async function createTask(organization: string, attributes: TaskAttributes): Promise<void> {
  await answer(
    api.POST('/organizations/{organization_name}/tasks', {
      params: { path: { organization_name: organization } },
      body: documentOf('tasks', attributes),
    }),
  );
  await changed();
}

export const readTask = async (id: string) =>
  readingOf(await answer(api.GET('/tasks/{task_id}', { params: { path: { task_id: id } } })), ({ data }) =>
    taskValues(data),
  );

/** As a form has them: what holds in every workspace under names with a dot. */
export const taskValues = ({ attributes }: Task): Values => ({
  ...attributes,
  ...membersOf('global-configuration', attributes['global-configuration']),
});

export async function updateTask(id: string, attributes: Changed<'tasks'>, meant: Meant = {}): Promise<void> {
  await answer(
    api.PATCH('/tasks/{task_id}', {
      params: { path: { task_id: id } },
      ...meant,
      body: documentOf('tasks', attributes),
    }),
  );
  await changed();
}

export async function deleteTask({ id }: Task): Promise<void> {
  await answer(api.DELETE('/tasks/{task_id}', { params: { path: { task_id: id } } }));
  await changed();
}

export async function askTask(workspaceId: string, task: string, attributes: WorkspaceTaskAttributes): Promise<void> {
  await answer(
    api.POST('/workspaces/{workspace_id}/tasks', {
      params: { path: { workspace_id: workspaceId } },
      body: {
        data: { type: 'workspace-tasks', attributes, relationships: { task: { data: { type: 'tasks', id: task } } } },
      },
    }),
  );
  await changed();
}

const at = (workspaceId: string, id: string) => ({
  params: { path: { workspace_id: workspaceId, workspace_task_id: id } },
});

export const readWorkspaceTask = async (workspaceId: string, id: string) =>
  readingOf(await answer(api.GET('/workspaces/{workspace_id}/tasks/{workspace_task_id}', at(workspaceId, id))));

export async function updateWorkspaceTask(
  workspaceId: string,
  id: string,
  attributes: Changed<'workspace-tasks'>,
  meant: Meant,
): Promise<void> {
  await answer(
    api.PATCH('/workspaces/{workspace_id}/tasks/{workspace_task_id}', {
      ...at(workspaceId, id),
      ...meant,
      body: documentOf('workspace-tasks', attributes),
    }),
  );
  await changed();
}

export async function removeWorkspaceTask(workspaceId: string, id: string): Promise<void> {
  await answer(api.DELETE('/workspaces/{workspace_id}/tasks/{workspace_task_id}', at(workspaceId, id)));
  await changed();
}
