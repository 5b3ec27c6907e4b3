/** What an agent is told of a repository that it is to fetch from: its address, who signs in there, and what is wanted of it. */
import type { IngressDescription, IngressReport } from '../../../agent/protocol.ts';
import { forgeOf } from '../../connections/forges/forges.ts';
import type { ServiceProvider } from '../../connections/forges/providers.ts';
import { tokenContext } from '../../connections/oauth-tokens/oauth-token.ts';
import type { Config } from '../../core/config.ts';
import { limits } from '../../core/limits.ts';
import { judgedAddresses, OutboundError } from '../../core/outbound.ts';
import { open } from '../../core/store/secrets.ts';
import type { Sql } from '../../core/store/store.ts';
import type { IngressHolder } from './holders.ts';

type Failure = Extract<IngressReport, { outcome: 'errored' }>;

interface WantedRow {
  identifier: string;
  with_submodules: boolean;
  branch: string | null;
  tag: string | null;
  commit_sha: string | null;
  workspace_name: string;
  working_directory: string | null;
  oauth_token_id: string | null;
  sealed_token: Buffer | null;
  sealed_ssh_key: Buffer | null;
  service_provider: ServiceProvider;
  http_url: string;
  api_url: string;
}

/** Or why nobody can fetch it. */
export async function describeIngress(
  sql: Sql,
  config: Config,
  holder: IngressHolder,
): Promise<IngressDescription | Failure> {
  const [wanted] = await sql<WantedRow[]>`
    select configuration_fetches.*, workspaces.name as workspace_name, workspaces.working_directory,
      oauth_tokens.sealed_token, oauth_tokens.sealed_ssh_key, oauth_clients.service_provider, oauth_clients.http_url,
      oauth_clients.api_url
    from configuration_fetches
    join configuration_versions on configuration_versions.id = configuration_fetches.configuration_version_id
    join workspaces on workspaces.id = configuration_versions.workspace_id
    left join oauth_tokens on oauth_tokens.id = configuration_fetches.oauth_token_id
    left join oauth_clients on oauth_clients.id = oauth_tokens.oauth_client_id
    where configuration_fetches.configuration_version_id = ${holder.versionId}`;
  if (!wanted?.oauth_token_id) return failure('not_allowed', 'The connection of the repository is there no more.');
  const { oauth_token_id: tokenId, sealed_token, sealed_ssh_key } = wanted;
  const ssh_key = sealed_ssh_key && open(config, sealed_ssh_key, tokenContext(tokenId, 'ssh-key'));
  const connection = { ...wanted, token: open(config, sealed_token!, tokenContext(tokenId, 'token')) };
  const forge = forgeOf(wanted.service_provider);
  const { url, ...login } = forge.clone(connection, wanted.identifier);
  const address = ssh_key === null || url.startsWith('ssh:') ? url : forge.sshAddress(connection, wanted.identifier);
  if (!isUsable(address, holder))
    return failure(
      'not_allowed',
      'The address of the connection cannot be used: it must be one of https or ssh, without a password.',
    );
  try {
    return {
      job: holder.jobId,
      configuration_version: holder.versionId,
      workspace: { id: holder.workspaceId, name: wanted.workspace_name },
      url: address,
      login: !address.startsWith('ssh:') && login.password !== '' ? login : null,
      ssh_key,
      commit: { branch: wanted.branch, sha: wanted.commit_sha, tag: wanted.tag },
      with_submodules: wanted.with_submodules,
      working_directory: wanted.working_directory ?? '',
      // Agents of a pool stand in the networks of those who run them.
      addresses: holder.isBuiltIn ? await judgedAddresses(config, address) : null,
      timeout_s: limits.fetchTime_s.value,
      content_limit_bytes: limits.configuration_bytes.value,
      readme_limit_bytes: limits.readme_bytes.value,
    };
  } catch (error) {
    if (error instanceof OutboundError) return failure('unreachable', error.message);
    throw error;
  }
}

/** Who signs in with a password has it beside the address, and whoever signs in by ssh has a name in it. */
function isUsable(address: string, { isBuiltIn }: IngressHolder): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, username, password } = new URL(address);
  if (protocol === 'ssh:') return password === '';
  // Without TLS only in networks that the operator allowed, which are judged for the server's own agent.
  const isSpoken = protocol === 'https:' || (isBuiltIn && protocol === 'http:');
  return isSpoken && username === '' && password === '';
}

const failure = (error: Failure['error'], reason: string): Failure => ({ outcome: 'errored', error, reason });
