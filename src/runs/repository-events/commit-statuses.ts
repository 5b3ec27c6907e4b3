/**
 * §4.2 What became of a commit is told at its host: of its fetch, and then of the run that it began. One row of both, however
 * often they move meanwhile, so that what is told is how it stands now, and never how it stood before.
 */
import type { ForgeRequest } from '../../connections/forges/forge.ts';
import { forgeOf } from '../../connections/forges/forges.ts';
import type { ServiceProvider } from '../../connections/forges/providers.ts';
import { tokenContext } from '../../connections/oauth-tokens/oauth-token.ts';
import type { Claims } from '../../core/claims.ts';
import type { Config } from '../../core/config.ts';
import { limits } from '../../core/limits.ts';
import { fetchOutside, OutboundError } from '../../core/outbound.ts';
import { open } from '../../core/store/secrets.ts';
import type { Sql } from '../../core/store/store.ts';
import { ofConfigurations } from '../queue/sources.ts';
import type { RunStatus } from '../queue/statuses.ts';
import { saidOf } from './said-of-runs.ts';
import type { Worker } from './work-off.ts';

/** For one host, with room for the writing afterwards. */
const claim = '60 seconds';
const firstPause_s = 10;

export interface Teller extends Worker {
  publicUrl: string;
}

interface Claimed {
  configuration_version_id: string;
  version_status: string;
  /** Null while there is none. */
  run_id: string | null;
  revision: number;
  attempts: number;
  status: RunStatus | null;
  additions: number | null;
  changes: number | null;
  destructions: number | null;
  organization_name: string;
  workspace_name: string;
  identifier: string;
  commit_sha: string;
  service_provider: ServiceProvider;
  http_url: string;
  api_url: string;
  /** Null where the repository was unlinked meanwhile. */
  oauth_token_id: string | null;
  sealed_token: Buffer;
}

export const commitStatuses = (teller: () => Teller): Claims<Claimed> => ({
  claim: most => claimDue(teller().store.read, most),
  work: one => tell(teller(), one),
  most: limits.statusesAtOnce_items.value,
});

async function claimDue(sql: Sql, most: number): Promise<Claimed[]> {
  return sql<Claimed[]>`
    with chosen as (
      select pending_commit_statuses.configuration_version_id from pending_commit_statuses
      where pending_commit_statuses.due_at <= clock_timestamp()
        and (
          pending_commit_statuses.claimed_until is null or pending_commit_statuses.claimed_until <= clock_timestamp()
        )
      order by pending_commit_statuses.due_at, pending_commit_statuses.configuration_version_id
      limit ${most}
      for update of pending_commit_statuses skip locked
    ), claimed as (
      update pending_commit_statuses
      set attempts = pending_commit_statuses.attempts + 1, claimed_until = clock_timestamp() + ${claim}::text::interval
      from chosen where pending_commit_statuses.configuration_version_id = chosen.configuration_version_id
      returning pending_commit_statuses.*
    )
    select claimed.configuration_version_id, claimed.revision, claimed.attempts,
      configuration_versions.status as version_status, runs.id as run_id, runs.status,
      plans.resource_additions as additions, plans.resource_changes as changes,
      plans.resource_destructions as destructions, organizations.name as organization_name,
      workspaces.name as workspace_name, configuration_versions.ingress_attributes ->> 'identifier' as identifier,
      configuration_versions.ingress_attributes ->> 'commit-sha' as commit_sha, oauth_clients.service_provider,
      oauth_clients.http_url, oauth_clients.api_url, oauth_tokens.id as oauth_token_id, oauth_tokens.sealed_token
    from claimed
    join configuration_versions on configuration_versions.id = claimed.configuration_version_id
    join workspaces on workspaces.id = configuration_versions.workspace_id
    join organizations on organizations.id = workspaces.organization_id
    left join lateral (
      select runs.id, runs.status, runs.plan_id from runs
      where runs.configuration_version_id = configuration_versions.id and runs.source = ${ofConfigurations}
        and runs.workspace_id = workspaces.id
      order by runs.position limit 1
    ) as runs on true
    left join plans on plans.id = runs.plan_id
    left join oauth_tokens on oauth_tokens.id = workspaces.vcs_repo ->> 'oauth-token-id'
    left join oauth_clients on oauth_clients.id = oauth_tokens.oauth_client_id
    order by claimed.due_at, claimed.configuration_version_id`;
}

async function tell(teller: Teller, one: Claimed): Promise<void> {
  const { store, config } = teller;
  const request = requestOf(teller, one);
  if (!request) return forget(store.read, one);
  const fault = await faultOf(config, request);
  if (fault === null) return forget(store.read, one);
  if (one.attempts >= limits.statusAttempts_items.value) await forget(store.read, one);
  else await postpone(store.read, one);
  throw new Error(`What became of ${one.configuration_version_id} could not be told at its commit: ${fault}`);
}

/** Null where there is nobody to be told, or the host keeps no statuses. */
function requestOf({ config, publicUrl }: Teller, one: Claimed): ForgeRequest | null {
  const { oauth_token_id: id, service_provider, http_url, api_url } = one;
  if (id === null) return null;
  const { organization_name, workspace_name, run_id } = one;
  const place = [organization_name, 'workspaces', workspace_name, 'runs', ...(run_id === null ? [] : [run_id])];
  const path = place.map(encodeURIComponent).join('/');
  const token = open(config, one.sealed_token, tokenContext(id, 'token'));
  return forgeOf(service_provider).status(
    { service_provider, http_url, api_url, token },
    {
      ...saidOf(one),
      context: `terrane/${organization_name}/${workspace_name}`,
      url: `${publicUrl}/app/${path}`,
      sha: one.commit_sha,
      repository: one.identifier,
    },
  );
}

/** What the host has against it, for the log; null where it took it. */
async function faultOf(config: Config, { url, ...request }: ForgeRequest): Promise<string | null> {
  try {
    const answer = await fetchOutside(config, url, request);
    await answer.body?.cancel();
    return answer.ok ? null : `${new URL(url).host} answered ${answer.status}`;
  } catch (error) {
    if (error instanceof OutboundError) return error.message;
    throw error;
  }
}

/** Unless it moved meanwhile: then it is told again. */
async function forget(sql: Sql, { configuration_version_id: id, revision }: Claimed): Promise<void> {
  await sql`
    with told as (
      delete from pending_commit_statuses
      where pending_commit_statuses.configuration_version_id = ${id} and pending_commit_statuses.revision = ${revision}
    )
    update pending_commit_statuses set claimed_until = null
    where pending_commit_statuses.configuration_version_id = ${id} and pending_commit_statuses.revision <> ${revision}`;
}

async function postpone(sql: Sql, { configuration_version_id: id, attempts }: Claimed): Promise<void> {
  await sql`
    update pending_commit_statuses
    set claimed_until = null,
      due_at = clock_timestamp() + make_interval(secs => ${firstPause_s * 3 ** (attempts - 1)}::double precision)
    where pending_commit_statuses.configuration_version_id = ${id}`;
}
