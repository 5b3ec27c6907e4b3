/** Who gets letters of a configuration: members who may still read what it is about, and addresses that belong to nobody here. */
import { projectIsReadable } from '../../access/projects.ts';
import { teamIsVisible } from '../../access/teams.ts';
import { workspaceIsReadable } from '../../access/workspaces.ts';
import type { Sql } from '../../core/store/store.ts';
import { asCaller } from '../../people/callers/as-caller.ts';
import { subscribableOf } from './notification-configuration.ts';
import type { SubscribableType } from './triggers.ts';

interface Receiver {
  id: string;
  email: string | null;
}

/** Addresses, each once. @param workspaceId where something happened; null in a trial */
export async function receiversOf(sql: Sql, configurationId: string, workspaceId: string | null): Promise<string[]> {
  const [configuration] = await sql<(Parameters<typeof subscribableOf>[0] & { email_addresses: string[] })[]>`
    select notification_configurations.workspace_id, notification_configurations.project_id,
      notification_configurations.team_id, notification_configurations.email_addresses
    from notification_configurations where notification_configurations.id = ${configurationId}`;
  if (!configuration) return [];
  const named = await sql<Receiver[]>`
    select users.id, users.email from notification_configuration_users
    join users on users.id = notification_configuration_users.user_id
    where notification_configuration_users.notification_configuration_id = ${configurationId}
    order by users.id`;
  const about =
    workspaceId === null ? subscribableOf(configuration) : ({ type: 'workspaces', id: workspaceId } as const);
  const addresses = new Set<string>();
  for (const { id, email } of named) {
    if (email && (await mayRead(sql, id, about))) addresses.add(email);
  }
  for (const address of configuration.email_addresses) addresses.add(address);
  return [...addresses];
}

const readable = { workspaces: workspaceIsReadable, projects: projectIsReadable, teams: teamIsVisible };

async function mayRead(
  sql: Sql,
  userId: string,
  { type, id }: { type: SubscribableType; id: string },
): Promise<boolean> {
  const actor = await asCaller(sql, userId);
  if (!actor) return false;
  const [found] = await sql`select from ${sql(type)} where ${sql(type)}.id = ${id} and ${readable[type](sql, actor)}`;
  return found !== undefined;
}
