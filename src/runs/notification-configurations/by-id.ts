/** One notification configuration: shown, taken away. What was still to be sent to it is not sent any more. */
import { policy } from '../../access/policy.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { notificationConfigurationById, notificationConfigurations } from './notification-configuration.ts';

const paths = ['/notification-configurations/:notification_configuration_id'] as const;

export const showNotificationConfiguration = endpoint({
  operation: 'notification-configurations.show',
  section: '§1',
  summary: 'Show a notification configuration, with what was answered last',
  method: 'GET',
  paths,
  subject: notificationConfigurationById,
  needs: policy['notification-configuration:manage'],
  answer: { status: 200, document: notificationConfigurations },
  handle: ({ subject }) => subject,
});

export const deleteNotificationConfiguration = endpoint({
  operation: 'notification-configurations.delete',
  section: '§1',
  summary: 'Delete a notification configuration',
  method: 'DELETE',
  paths,
  subject: notificationConfigurationById,
  needs: policy['notification-configuration:manage'],
  answer: { status: 204 },
  handle: async ({ sql, subject }) => {
    await sql`delete from notification_configurations where notification_configurations.id = ${subject.id}`;
  },
});
