/** What receivers answered: the last few of each configuration, the newest first. */
import type { Config } from '../../core/config.ts';
import { limits } from '../../core/limits.ts';
import { open, seal } from '../../core/store/secrets.ts';
import type { Sql } from '../../core/store/store.ts';
import { type DeliveryResponse, sealContext } from './notification-configuration.ts';

export const sealedResponses = (config: Config, id: string, responses: readonly DeliveryResponse[]): Buffer =>
  seal(config, JSON.stringify(responses), sealContext(id, 'responses'));

/** Puts them before those that there are. The row of the configuration is held. */
export async function addResponses(
  sql: Sql,
  config: Config,
  id: string,
  responses: readonly DeliveryResponse[],
): Promise<void> {
  const [found] = await sql<{ sealed_responses: Buffer | null }[]>`
    select notification_configurations.sealed_responses from notification_configurations
    where notification_configurations.id = ${id} for no key update`;
  if (!found) return;
  const before: DeliveryResponse[] = found.sealed_responses
    ? JSON.parse(open(config, found.sealed_responses, sealContext(id, 'responses')))
    : [];
  const kept = [...responses, ...before].slice(0, limits.notificationResponses_items.value);
  await sql`
    update notification_configurations set sealed_responses = ${sealedResponses(config, id, kept)}
    where notification_configurations.id = ${id}`;
}
