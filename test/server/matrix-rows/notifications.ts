/** Rows of the access matrix for notification configurations. */
import { newId } from '../../../src/core/store/ids.ts';
import { row } from '../../../src/core/store/store.ts';
import { bodyOf } from '../../builders/records.ts';
import type { Asked, Fresh, Rows } from './fresh.ts';

/** One that writes letters to nobody yet, so that trying it asks nobody. */
async function notification({ world: { app }, workspace }: Fresh): Promise<Asked> {
  const { id: workspaceId } = await workspace();
  const id = newId('nc');
  const members = { id, workspace_id: workspaceId, name: 'operations', enabled: true, destination_type: 'email' };
  await app.store.read`insert into notification_configurations ${row(app.store.read, members)}`;
  return { params: { notification_configuration_id: id } };
}

export const notificationRows: Rows = {
  'notification-configurations.list': ({ workspace }) => workspace(),
  'notification-configurations.create': async ({ workspace }) => ({
    ...(await workspace()),
    body: bodyOf('notification-configurations', { 'destination-type': 'email', enabled: true, name: 'operations' }),
  }),
  'notification-configurations.show': notification,
  'notification-configurations.update': async fresh => ({
    ...(await notification(fresh)),
    body: bodyOf('notification-configurations', { name: 'others' }),
  }),
  'notification-configurations.delete': notification,
  'notification-configurations.verify': notification,
};
