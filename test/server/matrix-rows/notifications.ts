/** Rows of the access matrix for notification configurations. */
import { newId } from '../../../src/core/store/ids.ts';
import { row } from '../../../src/core/store/store.ts';
import { bodyOf } from '../../builders/records.ts';
import type { Asked, Fresh, Rows } from './fresh.ts';

/** One that writes letters to nobody yet, so that trying it asks nobody. */
const notification =
  (holder: 'workspace' | 'project' | 'team') =>
  async (fresh: Fresh): Promise<Asked> => {
    const { id: holderId } = await fresh[holder]();
    const { app } = fresh.world;
    const id = newId('nc');
    const members = { [`${holder}_id`]: holderId, name: 'operations', enabled: true, destination_type: 'email' };
    await app.store.read`insert into notification_configurations ${row(app.store.read, { id, ...members })}`;
    return { params: { notification_configuration_id: id } };
  };

const ofEach = (more: (asked: Asked) => Asked = asked => asked) => {
  const rowOf = (holder: 'workspace' | 'project' | 'team') => async (fresh: Fresh) =>
    more(await notification(holder)(fresh));
  return { 'of a workspace': rowOf('workspace'), 'of a project': rowOf('project'), 'of a team': rowOf('team') };
};

const body = bodyOf('notification-configurations', { 'destination-type': 'email', enabled: true, name: 'operations' });

export const notificationRows: Rows = {
  'notification-configurations.list': ({ workspace }) => workspace(),
  'notification-configurations.list-of-project': ({ project }) => project(),
  'notification-configurations.list-of-team': ({ team }) => team(),
  'notification-configurations.create': async ({ workspace }) => ({ ...(await workspace()), body }),
  'notification-configurations.create-for-project': async ({ project }) => ({ ...(await project()), body }),
  'notification-configurations.create-for-team': async ({ team }) => ({ ...(await team()), body }),
  'notification-configurations.show': ofEach(),
  'notification-configurations.update': ofEach(asked => ({
    ...asked,
    body: bodyOf('notification-configurations', { name: 'others' }),
  })),
  'notification-configurations.delete': ofEach(),
  'notification-configurations.verify': ofEach(),
};
