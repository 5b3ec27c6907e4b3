/** Try a notification configuration: its address is asked, or its receivers get a letter. */
import { policy } from '../../access/policy.ts';
import { ApiError } from '../../core/errors.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { open } from '../../core/store/secrets.ts';
import {
  type DeliveryResponse,
  notificationConfigurationById,
  notificationConfigurations,
  sealContext,
} from './notification-configuration.ts';
import { receiversOf } from './receivers.ts';
import { addResponses } from './responses.ts';
import { write } from './send.ts';
import { trial, tried } from './settings.ts';

export const verifyNotificationConfiguration = endpoint({
  operation: 'notification-configurations.verify',
  section: '§1',
  summary: 'Send a trial to whoever a notification configuration names',
  method: 'POST',
  paths: ['/notification-configurations/:notification_configuration_id/actions/verify'],
  subject: notificationConfigurationById,
  needs: policy['notification-configuration:manage'],
  answer: { status: 200, document: notificationConfigurations, reads: notificationConfigurationById },
  errors: ['destination-refused'],
  prepare: async ({ subject, config, deployment, store }): Promise<DeliveryResponse[]> => {
    const { id, name, destination_type: type, sealed_url, sealed_token } = subject;
    if (type !== 'email') {
      const url = open(config, sealed_url!, sealContext(id, 'url'));
      const token = sealed_token && open(config, sealed_token, sealContext(id, 'token'));
      return [await tried(config, deployment.publicUrl, subject, { type, url, token })];
    }
    const told = trial(id, name, deployment.publicUrl);
    const receivers = await receiversOf(store.read, id, null);
    const responses = await Promise.all(receivers.map(to => write(config, to, told)));
    const refused = responses.find(({ successful }) => !successful);
    if (refused) throw new ApiError('destination-refused', { reason: refused.body.replace(/\.$/, '') });
    return responses;
  },
  handle: async ({ sql, subject, received, config }) => {
    await addResponses(sql, config, subject.id, received);
  },
});
