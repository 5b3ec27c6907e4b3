/**
 * What is to be told, written in the transaction in which it happens: what was changed is told, and what was undone is not,
 * whatever becomes of the server meanwhile.
 */
import type { Fragment, Sql } from '../../core/store/store.ts';
import type { Trigger } from './triggers.ts';

export interface News {
  trigger: Trigger;
  /** What happened, in a few words. */
  message: string;
}

/** Those of a row of `workspaces` itself, and of the project that it is in. */
const tellsOf = (sql: Sql): Fragment => sql`(
  notification_configurations.workspace_id = workspaces.id
  or notification_configurations.project_id = workspaces.project_id
)`;

/** Of a run that has come to a status. Nobody is told of runs that cannot be applied. */
export async function announceRun(
  sql: Sql,
  runId: string,
  { trigger, message }: News,
  { status, actorId }: { status: string; actorId: string | null },
): Promise<void> {
  await sql`
    insert into pending_notifications (notification_configuration_id, workspace_id, trigger, run_id, details)
    select notification_configurations.id, runs.workspace_id, ${trigger}, runs.id, jsonb_build_object(
        'message', ${message}::text, 'status', ${status}::text, 'actor_id', ${actorId}::text,
        'happened_at', clock_timestamp()
      )
    from runs
    join workspaces on workspaces.id = runs.workspace_id
    join notification_configurations on ${tellsOf(sql)}
    where runs.id = ${runId} and not runs.plan_only and notification_configurations.enabled
      and ${trigger} = any(notification_configurations.triggers)
    order by notification_configurations.created_at, notification_configurations.id`;
}

/** Of a workspace itself. */
export async function announceWorkspace(
  sql: Sql,
  workspaceId: string,
  { trigger, message }: News,
  details: Record<string, unknown>,
): Promise<void> {
  await sql`
    insert into pending_notifications (notification_configuration_id, workspace_id, trigger, details)
    select notification_configurations.id, workspaces.id, ${trigger},
      jsonb_build_object('message', ${message}::text, 'details', ${sql.json(details)}::jsonb)
    from workspaces
    join notification_configurations on ${tellsOf(sql)}
    where workspaces.id = ${workspaceId} and notification_configurations.enabled
      and ${trigger} = any(notification_configurations.triggers)
    order by notification_configurations.created_at, notification_configurations.id`;
}
