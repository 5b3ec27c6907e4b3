/** List who is told of what happens in a workspace: all of them, unless pages are asked for. */
import { policy } from '../../access/policy.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { workspaceById } from '../../workspaces/workspaces/rows.ts';
import { notificationConfigurationRecords, notificationConfigurations } from './notification-configuration.ts';

export const listNotificationConfigurations = endpoint({
  operation: 'notification-configurations.list',
  section: '§1',
  summary: 'List the notification configurations of a workspace',
  method: 'GET',
  paths: ['/workspaces/:workspace_id/notification-configurations'],
  subject: workspaceById,
  needs: policy['workspace:manage-notifications'],
  answer: { status: 200, collection: notificationConfigurations, pages: 'when-asked' },
  handle: context => {
    const { sql, subject } = context;
    const condition = sql`notification_configurations.workspace_id = ${subject.id}`;
    const order = sql`notification_configurations.created_at, notification_configurations.id`;
    return notificationConfigurationRecords.page(context, condition, order);
  },
});
