/**
 * Sends what was announced, again and again until it is taken or given up. Any number of servers may do so at once: each
 * claims what it sends, and what a dead one had claimed is claimed anew. So a message may come twice, but not never.
 */
import type { Claims } from '../../core/claims.ts';
import type { Config } from '../../core/config.ts';
import { limits } from '../../core/limits.ts';
import { open } from '../../core/store/secrets.ts';
import type { Sql, Store } from '../../core/store/store.ts';
import type { Told } from './messages.ts';
import { type DeliveryResponse, sealContext } from './notification-configuration.ts';
import { receiversOf } from './receivers.ts';
import { addResponses } from './responses.ts';
import { post, write } from './send.ts';
import type { DestinationType, Trigger } from './triggers.ts';

/** For one receiver, with room for the writing afterwards. */
const claim = '60 seconds';
const firstPause_s = 15;

/** What sending needs. `publicUrl` is the server's own address. */
export interface Sender {
  store: Store;
  config: Config;
  publicUrl: string;
}

/** How long it rests after so many attempts: four times as long after each. */
export const pauseAfter_s = (attempts: number) => firstPause_s * 4 ** (attempts - 1);

export interface Claimed {
  position: number;
  attempts: number;
  delivered_to: string[];
  trigger: Trigger;
  details: {
    message: string;
    status?: string;
    happened_at?: string;
    details?: Record<string, unknown>;
  };
  id: string;
  name: string;
  destination_type: DestinationType;
  sealed_url: Buffer | null;
  sealed_token: Buffer | null;
  workspace_id: string;
  workspace_name: string;
  organization_name: string;
  run_id: string | null;
  run_message: string | null;
  run_created_at: string | null;
  created_by: string | null;
  updated_by: string | null;
}

/** What is due, sent by any number of servers at once. A receiver has one message at a time. */
export const deliveries = (sender: () => Sender): Claims<Claimed> => ({
  claim: most => claimDue(sender().store.read, most),
  work: one => deliver(sender(), one),
  most: limits.notificationsAtOnce_items.value,
});

/** The organizations take turns, and of each configuration comes what is due first. */
async function claimDue(sql: Sql, most: number): Promise<Claimed[]> {
  return sql<Claimed[]>`
    with due as (
      select first.position, row_number() over (
          partition by workspaces.organization_id order by first.due_at, first.position
        ) as turn
      from (
        select distinct on (pending_notifications.notification_configuration_id)
          pending_notifications.notification_configuration_id as id, pending_notifications.position,
          pending_notifications.due_at, pending_notifications.workspace_id
        from pending_notifications
        where pending_notifications.due_at <= clock_timestamp()
          and not exists (
            select from pending_notifications as other
            where other.notification_configuration_id = pending_notifications.notification_configuration_id
              and other.claimed_until > clock_timestamp()
          )
        order by pending_notifications.notification_configuration_id, pending_notifications.due_at,
          pending_notifications.position
      ) as first
      join notification_configurations on notification_configurations.id = first.id
      join workspaces on workspaces.id = coalesce(first.workspace_id, notification_configurations.workspace_id)
    ), chosen as (
      select pending_notifications.position from pending_notifications
      join due on due.position = pending_notifications.position
      where pending_notifications.claimed_until is null or pending_notifications.claimed_until <= clock_timestamp()
      order by due.turn, pending_notifications.due_at, pending_notifications.position
      limit ${most}
      for update of pending_notifications skip locked
    ), claimed as (
      update pending_notifications
      set attempts = pending_notifications.attempts + 1, claimed_until = clock_timestamp() + ${claim}::text::interval
      from chosen where pending_notifications.position = chosen.position
      returning pending_notifications.*
    )
    select claimed.position, claimed.attempts, claimed.delivered_to, claimed.trigger, claimed.details, claimed.run_id,
      notification_configurations.id, notification_configurations.name, notification_configurations.destination_type,
      notification_configurations.sealed_url, notification_configurations.sealed_token,
      workspaces.id as workspace_id, workspaces.name as workspace_name, organizations.name as organization_name,
      runs.message as run_message, runs.created_at as run_created_at, creators.username as created_by,
      movers.username as updated_by
    from claimed
    join notification_configurations on notification_configurations.id = claimed.notification_configuration_id
    join workspaces on workspaces.id = coalesce(claimed.workspace_id, notification_configurations.workspace_id)
    join organizations on organizations.id = workspaces.organization_id
    left join runs on runs.id = claimed.run_id
    left join users as creators on creators.id = runs.created_by_id
    left join users as movers on movers.id = claimed.details ->> 'actor_id'
    order by claimed.position`;
}

async function deliver(sender: Sender, one: Claimed): Promise<void> {
  const { store, config } = sender;
  const told = toldOf(one, sender.publicUrl);
  const responses = one.destination_type === 'email' ? await mail(sender, one, told) : [await ask(config, one, told)];
  const isOver =
    responses.every(({ successful }) => successful) || one.attempts >= limits.notificationAttempts_items.value;
  await store.transaction(async sql => {
    await addResponses(sql, config, one.id, responses);
    if (isOver) await sql`delete from pending_notifications where pending_notifications.position = ${one.position}`;
    else await postpone(sql, one);
  });
}

async function postpone(sql: Sql, { position, attempts }: Claimed): Promise<void> {
  await sql`
    update pending_notifications
    set claimed_until = null,
      due_at = clock_timestamp() + make_interval(secs => ${pauseAfter_s(attempts)}::double precision)
    where pending_notifications.position = ${position}`;
}

async function ask(config: Config, one: Claimed, told: Told): Promise<DeliveryResponse> {
  const { id, destination_type, sealed_url, sealed_token } = one;
  const type = destination_type as Exclude<DestinationType, 'email'>;
  try {
    const url = open(config, sealed_url!, sealContext(id, 'url'));
    const token = sealed_token && open(config, sealed_token, sealContext(id, 'token'));
    return await post(config, { type, url, token }, told);
  } catch (error) {
    // What was sealed under a key that is gone opens never: it is given up in its time like anything else.
    const common = { url: '', sent_at: new Date().toISOString(), code: '', headers: {} };
    return { ...common, body: (error as Error).message, successful: false };
  }
}

/** Each letter is remembered once it is taken, so that nobody gets it again because another one was refused. */
async function mail({ store, config }: Sender, one: Claimed, told: Told): Promise<DeliveryResponse[]> {
  const receivers = await receiversOf(store.read, one.id, one.workspace_id);
  const responses: DeliveryResponse[] = [];
  for (const to of receivers.filter(address => !one.delivered_to.includes(address))) {
    const response = await write(config, to, told);
    responses.push(response);
    await store.read`
      update pending_notifications
      set claimed_until = clock_timestamp() + ${claim}::text::interval,
        delivered_to = case when ${response.successful} then array_append(delivered_to, ${to}) else delivered_to end
      where pending_notifications.position = ${one.position}`;
  }
  return responses;
}

function toldOf(one: Claimed, publicUrl: string): Told {
  const { details, run_id } = one;
  return {
    configuration_id: one.id,
    configuration_name: one.name,
    trigger: one.trigger,
    message: details.message,
    workspace: { id: one.workspace_id, name: one.workspace_name, organization: one.organization_name },
    run: run_id === null ? null : runOf(one, run_id),
    details: details.details ?? null,
    public_url: publicUrl,
  };
}

const runOf = ({ details, run_message, run_created_at, created_by, updated_by }: Claimed, id: string) => ({
  id,
  message: run_message ?? '',
  created_at: run_created_at!,
  created_by,
  status: details.status!,
  updated_at: new Date(details.happened_at!).toISOString(),
  updated_by,
});
