/** Notification configurations, in the order of their use. */
import { deleteNotificationConfiguration, showNotificationConfiguration } from './by-id.ts';
import { createNotificationConfigurations } from './create.ts';
import { listNotificationConfigurations } from './list.ts';
import { updateNotificationConfiguration } from './update.ts';
import { verifyNotificationConfiguration } from './verify.ts';

export const notificationConfigurationEndpoints = [
  ...listNotificationConfigurations,
  ...createNotificationConfigurations,
  showNotificationConfiguration,
  updateNotificationConfiguration,
  deleteNotificationConfiguration,
  verifyNotificationConfiguration,
];
