/** Who is told of what happens in a workspace, as the API tells of it. */
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

export const notificationsQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: ['notifications', workspaceId],
    enabled: workspaceId !== '',
    queryFn: () =>
      everyPage(page =>
        answer(
          api.GET('/workspaces/{workspace_id}/notification-configurations', {
            params: { path: { workspace_id: workspaceId }, query: { 'page[number]': page, 'page[size]': 100 } },
          }),
        ),
      ),
  });

const changed = () => cache.invalidateQueries({ queryKey: ['notifications'] });
const at = (id: string) => ({ params: { path: { notification_configuration_id: id } } });
const links = (users: readonly string[]) => ({ users: { data: users.map(id => ({ type: 'users' as const, id })) } });

export const readNotification = async (id: string) =>
  (await answer(api.GET('/notification-configurations/{notification_configuration_id}', at(id)))) as {
    data: Notification;
  };

/** `users` are members who get letters; other destinations have none. */
export async function createNotification(
  workspaceId: string,
  attributes: GivenAttributes,
  users: readonly string[],
): Promise<void> {
  await answer(
    api.POST('/workspaces/{workspace_id}/notification-configurations', {
      params: { path: { workspace_id: workspaceId } },
      body: { data: { type: 'notification-configurations', attributes, relationships: links(users) } },
    }),
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
