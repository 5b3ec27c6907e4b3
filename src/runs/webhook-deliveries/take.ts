/** §4.2 What a host of code tells comes in: believed where it is signed, taken once, and worked off later. */
import { createHash, randomBytes } from 'node:crypto';
import { type Delivery, MalformedDelivery, type RepositoryEvent } from '../../connections/forges/forge.ts';
import { forgeOf } from '../../connections/forges/forges.ts';
import type { ServiceProvider } from '../../connections/forges/providers.ts';
import { secretContext } from '../../connections/oauth-clients/settings.ts';
import type { Config } from '../../core/config.ts';
import { ApiError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import { newId } from '../../core/store/ids.ts';
import { open, seal } from '../../core/store/secrets.ts';
import { row, type Sql, type Store } from '../../core/store/store.ts';

/** Whether something may follow, nothing does, or it was taken before. */
export type Taken = 'new' | 'nothing' | 'known';

/** Throws `not-found` for an unknown connection, one without a secret, and a wrong signature alike. */
export async function takeDelivery(store: Store, config: Config, clientId: string, delivery: Delivery): Promise<Taken> {
  const { isKnown, provider, secret } = await signerOf(store.read, config, clientId);
  const forge = forgeOf(provider);
  if (!forge.isSigned(delivery, secret) || !isKnown) throw new ApiError('not-found');
  const told = readEvents(() => forge.read(delivery));
  const taken = await store.transaction(sql => keep(sql, clientId, forge.deliveryId(delivery), delivery.body, told));
  if (told.fault !== null) throw new ApiError('malformed-delivery', { reason: told.fault });
  if (taken === 'known') return taken;
  return told.events.length > 0 ? 'new' : 'nothing';
}

interface Signer {
  isKnown: boolean;
  provider: ServiceProvider;
  secret: string;
}

/** Whoever is not known has a secret that nobody knows, so that the answer takes as long. */
async function signerOf(sql: Sql, config: Config, id: string): Promise<Signer> {
  const [found] = await sql<{ service_provider: ServiceProvider; sealed_webhook_secret: Buffer | null }[]>`
    select oauth_clients.service_provider, oauth_clients.sealed_webhook_secret from oauth_clients
    where oauth_clients.id = ${id}`;
  const context = secretContext(id, 'webhook-secret');
  const sealed = found?.sealed_webhook_secret;
  const secret = open(config, sealed ?? seal(config, randomBytes(32).toString('hex'), context), context);
  return { isKnown: Boolean(sealed), provider: found?.service_provider ?? 'git', secret };
}

interface Told {
  events: RepositoryEvent[];
  explanation: string | null;
  /** What is wrong with a delivery that is signed. */
  fault: string | null;
}

function readEvents(read: () => RepositoryEvent[]): Told {
  try {
    const events = read();
    return { events, explanation: events.length === 0 ? 'Nothing follows from it.' : null, fault: null };
  } catch (fault) {
    if (!(fault instanceof MalformedDelivery)) throw fault;
    return { events: [], explanation: `It is not as its host documents it: ${fault.message}.`, fault: fault.message };
  }
}

/** The row of the connection is held, so that its deliveries are counted one after the other. */
async function keep(
  sql: Sql,
  clientId: string,
  deliveryId: string | null,
  body: Buffer,
  { events, explanation }: Told,
): Promise<'new' | 'known'> {
  const bodyHash = createHash('sha256').update(body).digest();
  const [held] = await sql<{ lately: number; waiting: number }[]>`
    select (
        select count(*)::integer from webhook_deliveries
        where webhook_deliveries.oauth_client_id = oauth_clients.id
          and webhook_deliveries.received_at > clock_timestamp() - interval '1 minute'
      ) as lately,
      (
        select count(*)::integer from webhook_deliveries
        where webhook_deliveries.oauth_client_id = oauth_clients.id and webhook_deliveries.worked_off_at is null
      ) as waiting
    from oauth_clients where oauth_clients.id = ${clientId}
    for no key update of oauth_clients`;
  if (!held) throw new ApiError('not-found');
  const isTooMany =
    held.lately >= limits.webhookDeliveries_items.value || held.waiting >= limits.waitingWebhooks_items.value;
  if (isTooMany) throw new ApiError('too-many-deliveries');
  const inserted = await sql`
    insert into webhook_deliveries ${row(sql, {
      id: newId('whd'),
      oauth_client_id: clientId,
      delivery_id: deliveryId ?? bodyHash.toString('hex'),
      body_hash: bodyHash,
      events: sql.json(events as never),
      explanation,
      worked_off_at: events.length === 0 ? sql`clock_timestamp()` : null,
    })}
    on conflict do nothing`;
  return inserted.count === 1 ? 'new' : 'known';
}

/** Those too old to be known for replays, and what followed from all but the last of each connection. */
export async function sweepDeliveries(sql: Sql): Promise<void> {
  await sql`
    delete from webhook_deliveries
    where webhook_deliveries.received_at < now() - make_interval(days => ${limits.keptWebhooks_days.value}::integer)`;
  await sql`
    delete from webhook_outcomes using (
      select ranked.id from (
        select webhook_deliveries.id, row_number() over (
            partition by webhook_deliveries.oauth_client_id order by webhook_deliveries.position desc
          ) as place
        from webhook_deliveries
      ) as ranked
      where ranked.place > ${limits.shownWebhooks_items.value}
    ) as old
    where webhook_outcomes.webhook_delivery_id = old.id`;
}
