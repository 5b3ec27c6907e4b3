/**
 * §4.2 What was told of repositories is worked off by any number of servers at once, a connection's deliveries in their order.
 * What a dead server had begun is begun anew: each workspace remembers what followed in it, so that it follows once.
 */
import type { Connection, RepositoryEvent } from '../../connections/forges/forge.ts';
import { forgeOf } from '../../connections/forges/forges.ts';
import type { ServiceProvider } from '../../connections/forges/providers.ts';
import { tokenContext } from '../../connections/oauth-tokens/oauth-token.ts';
import type { Claims } from '../../core/claims.ts';
import type { Config } from '../../core/config.ts';
import { limits } from '../../core/limits.ts';
import { open } from '../../core/store/secrets.ts';
import type { Sql, Store } from '../../core/store/store.ts';
import { askForge } from './ask-forge.ts';
import { beginWhatFollows, type Host } from './begin.ts';
import type { Source } from './linked.ts';

export interface Worker {
  store: Store;
  config: Config;
}

interface Claimed extends Source {
  id: string;
  attempts: number;
  events: RepositoryEvent[];
  explanation: string | null;
  service_provider: ServiceProvider;
  http_url: string;
  api_url: string;
  oauth_token_id: string | null;
  sealed_token: Buffer | null;
}

/** For one delivery, whatever has to be asked and however many workspaces follow it. */
const claim = '2 minutes';
const firstPause_s = 5;

export const repositoryEvents = (worker: () => Worker): Claims<Claimed> => ({
  claim: most => claimDue(worker().store.read, most),
  work: one => workOff(worker(), one),
  most: limits.webhooksAtOnce_items.value,
});

/** Of each connection the one that came first; those behind it wait for it. */
async function claimDue(sql: Sql, most: number): Promise<Claimed[]> {
  return sql<Claimed[]>`
    with first as (
      select distinct on (webhook_deliveries.oauth_client_id) webhook_deliveries.id
      from webhook_deliveries
      where webhook_deliveries.worked_off_at is null
      order by webhook_deliveries.oauth_client_id, webhook_deliveries.position
    ), chosen as (
      select webhook_deliveries.id from webhook_deliveries
      join first on first.id = webhook_deliveries.id
      where webhook_deliveries.worked_off_at is null and webhook_deliveries.due_at <= clock_timestamp()
        and (webhook_deliveries.claimed_until is null or webhook_deliveries.claimed_until <= clock_timestamp())
      order by webhook_deliveries.due_at, webhook_deliveries.position
      limit ${most}
      for update of webhook_deliveries skip locked
    ), claimed as (
      update webhook_deliveries
      set attempts = webhook_deliveries.attempts + 1, claimed_until = clock_timestamp() + ${claim}::text::interval
      from chosen where webhook_deliveries.id = chosen.id
      returning webhook_deliveries.*
    )
    select claimed.id, claimed.attempts, claimed.events, claimed.explanation, claimed.oauth_client_id,
      oauth_clients.service_provider, oauth_clients.http_url, oauth_clients.api_url, token.id as oauth_token_id,
      token.sealed_token
    from claimed
    join oauth_clients on oauth_clients.id = claimed.oauth_client_id
    left join lateral (
      select oauth_tokens.id, oauth_tokens.sealed_token from oauth_tokens
      where oauth_tokens.oauth_client_id = oauth_clients.id
      order by oauth_tokens.created_at, oauth_tokens.id limit 1
    ) as token on true
    order by claimed.position`;
}

async function workOff(worker: Worker, one: Claimed): Promise<void> {
  const said = one.explanation === null ? [] : [one.explanation];
  try {
    for (const [position, event] of one.events.entries()) {
      const count = await workOffEvent(worker, one, position, event);
      if (count === 0) said.push(`No workspace is linked to ${event.repository} through this connection.`);
    }
  } catch (fault) {
    if (one.attempts < limits.webhookAttempts_items.value) await postpone(worker.store.read, one);
    else await finish(worker.store.read, one, [...said, 'It failed again and again: the log of the server says why.']);
    throw fault;
  }
  await finish(worker.store.read, one, said);
}

/** Returns how many workspaces were looked at. */
async function workOffEvent(
  { store, config }: Worker,
  one: Claimed,
  position: number,
  event: RepositoryEvent,
): Promise<number> {
  const forge = forgeOf(one.service_provider);
  const connection = connectionOf(config, one);
  const host: Host = {
    changedFiles: about => askForge(config, connection && forge.changedFiles(connection, about)),
    defaultBranch: ({ repository }) => askForge(config, connection && forge.defaultBranch(connection, repository)),
  };
  return beginWhatFollows(store, { deliveryId: one.id, position, source: one, event }, host);
}

/** Null without a token that opens: then nothing can be asked. */
function connectionOf(config: Config, one: Claimed): Connection | null {
  const { service_provider, http_url, api_url, oauth_token_id: id, sealed_token: sealed } = one;
  if (id === null || sealed === null) return null;
  return { service_provider, http_url, api_url, token: open(config, sealed, tokenContext(id, 'token')) };
}

async function postpone(sql: Sql, { id, attempts }: Claimed): Promise<void> {
  await sql`
    update webhook_deliveries
    set claimed_until = null,
      due_at = clock_timestamp() + make_interval(secs => ${firstPause_s * 2 ** attempts}::double precision)
    where webhook_deliveries.id = ${id}`;
}

/** Of the events only what is shown is kept. */
async function finish(sql: Sql, { id, events }: Claimed, said: readonly string[]): Promise<void> {
  const shown = events.map(({ changed_files, commit_message, pull_request, ...event }) => ({
    ...event,
    pull_request: pull_request && { number: pull_request.number },
  }));
  await sql`
    update webhook_deliveries
    set worked_off_at = clock_timestamp(), claimed_until = null, events = ${sql.json(shown)}::jsonb,
      explanation = ${[...new Set(said)].join(' ') || null}
    where webhook_deliveries.id = ${id}`;
}
