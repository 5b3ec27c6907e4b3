/** Who is told of what happens in a workspace, or in the workspaces of a project, as the API tells of it. */
import { queryOptions } from '@tanstack/react-query';
import { cache } from '../api/cache.ts';
import { answer, api, type BodyOf, type Resource } from '../api/client.ts';
import { everyPage } from '../api/documents.ts';
import type { Meant } from '../ui/saving.tsx';

export type Notification = Resource<'notification-configurations'>;
export type Destination = Notification['attributes']['destination-type'];
type Given = BodyOf<'/workspaces/{workspace_id}/notification-configurations', 'post'>;
type Change = BodyOf<'/notification-configurations/{notification_configuration_id}', 'patch'>;
export type NotificationChanges = NonNullable<Change['attributes']> & { users?: readonly string[] };
export type GivenAttributes = Given['attributes'];
export type Trigger = NonNullable<NonNullable<GivenAttributes['triggers']>>[number];

/** Whose news are told. */
export interface Source {
  type: 'workspaces' | 'projects';
  id: string;
}

export const notificationsQuery = ({ type, id }: Source) =>
  queryOptions({
    queryKey: ['notifications', id],
    enabled: id !== '',
    queryFn: () =>
      everyPage(page =>
        answer(
          type === 'workspaces'
            ? api.GET('/workspaces/{workspace_id}/notification-configurations', {
                params: { path: { workspace_id: id }, query: pageOf(page) },
              })
            : api.GET('/projects/{project_id}/notification-configurations', {
                params: { path: { project_id: id }, query: pageOf(page) },
              }),
        ),
      ),
  });

const pageOf = (page: number) => ({ 'page[number]': page, 'page[size]': 100 });
const changed = () => cache.invalidateQueries({ queryKey: ['notifications'] });
const at = (id: string) => ({ params: { path: { notification_configuration_id: id } } });
const links = (users: readonly string[]) => ({ users: { data: users.map(id => ({ type: 'users' as const, id })) } });

export const readNotification = async (id: string) =>
  (await answer(api.GET('/notification-configurations/{notification_configuration_id}', at(id)))) as {
    data: Notification;
  };

/** `users` are members who get letters; other destinations have none. */
export async function createNotification(
  { type, id }: Source,
  attributes: GivenAttributes,
  users: readonly string[],
): Promise<void> {
  const body = {
    data: { type: 'notification-configurations' as const, attributes, relationships: links(users) },
  };
  await answer(
    type === 'workspaces'
      ? api.POST('/workspaces/{workspace_id}/notification-configurations', {
          params: { path: { workspace_id: id } },
          body,
        })
      : api.POST('/projects/{project_id}/notification-configurations', { params: { path: { project_id: id } }, body }),
  );
  await changed();
}

export async function updateNotification(
  id: string,
  { users, ...attributes }: NotificationChanges,
  meant: Meant = {},
): Promise<void> {
  const relationships = users && { relationships: links(users) };
  await answer(
    api.PATCH('/notification-configurations/{notification_configuration_id}', {
      ...at(id),
      ...meant,
      body: { data: { type: 'notification-configurations', attributes, ...relationships } },
    }),
  );
  await changed();
}

export async function deleteNotification({ id }: Notification): Promise<void> {
  await answer(api.DELETE('/notification-configurations/{notification_configuration_id}', at(id)));
  await changed();
}

/** Sends a trial: where it is taken, it stands first among what was sent. Else this throws with the reason, and nothing stays. */
export async function tryNotification({ id }: Notification): Promise<void> {
  await answer(api.POST('/notification-configurations/{notification_configuration_id}/actions/verify', at(id)));
  await changed();
}
