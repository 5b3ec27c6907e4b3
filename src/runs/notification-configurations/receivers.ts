/** Who gets letters of a configuration: members who may still read the workspace, and addresses that belong to nobody here. */
import { workspaceIsReadable } from '../../access/workspaces.ts';
import type { Sql } from '../../core/store/store.ts';
import { asCaller } from '../../people/callers/as-caller.ts';

interface Receiver {
  id: string;
  email: string | null;
}

/** Addresses, each once. */
export async function receiversOf(sql: Sql, configurationId: string): Promise<string[]> {
  const [configuration] = await sql<{ workspace_id: string; email_addresses: string[] }[]>`
    select notification_configurations.workspace_id, notification_configurations.email_addresses
    from notification_configurations where notification_configurations.id = ${configurationId}`;
  if (!configuration) return [];
  const named = await sql<Receiver[]>`
    select users.id, users.email from notification_configuration_users
    join users on users.id = notification_configuration_users.user_id
    where notification_configuration_users.notification_configuration_id = ${configurationId}
    order by users.id`;
  const addresses = new Set<string>();
  for (const { id, email } of named) {
    if (email && (await mayRead(sql, id, configuration.workspace_id))) addresses.add(email);
  }
  for (const address of configuration.email_addresses) addresses.add(address);
  return [...addresses];
}

async function mayRead(sql: Sql, userId: string, workspaceId: string): Promise<boolean> {
  const actor = await asCaller(sql, userId);
  if (!actor) return false;
  const [found] = await sql`
    select from workspaces where workspaces.id = ${workspaceId} and ${workspaceIsReadable(sql, actor)}`;
  return found !== undefined;
}
