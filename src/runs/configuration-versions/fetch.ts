/**
 * A configuration that comes from the workspace's repository: the version that waits for it as `fetching`, and the job of
 * whoever fetches it. What becomes of both when that ends is in `fetched.ts`.
 */

import type { ServiceProvider } from '../../connections/forges/providers.ts';
import { newId } from '../../core/store/ids.ts';
import { row, type Sql } from '../../core/store/store.ts';
import { organizationAccount } from '../../people/tokens/service-account.ts';
import type { VcsRepo } from '../../workspaces/workspaces/fields.ts';
import { openFetchJob } from '../queue/jobs.ts';
import { runningWorkspace } from '../queue/of-workspace.ts';
import { stamp } from '../queue/phases.ts';
import { sourceOfProvider } from '../queue/sources.ts';
import type { IngressAttributes } from './ingress-attributes.ts';

export interface Wanted {
  workspaceId: string;
  /** Without a `sha` the head of the branch, without a branch that of the workspace, which may be the repository's own. */
  commit: { sha: string | null; branch: string | null; tag: string | null };
  isSpeculative: boolean;
  /** What is known of the commit; the rest is told by whoever fetches it. */
  ingress?: Partial<IngressAttributes>;
  changedFiles?: readonly string[];
  /** Null where nobody of the organization asked for it, but a push. */
  createdById: string | null;
  /** Of the run that begins once the content is there; null where none does. */
  thenRun: { message: string } | null;
}

/** The row of the workspace is held. Returns the version's id; null without a repository, or where only state is kept. */
export async function fetchConfiguration(sql: Sql, wanted: Wanted): Promise<string | null> {
  const workspace = await runningWorkspace(sql, wanted.workspaceId);
  const linked = await repositoryOf(sql, wanted.workspaceId);
  if (!workspace || workspace.execution_mode === 'local' || !linked) return null;
  const { repository, provider } = linked;
  const { commit, createdById, thenRun, ingress = {}, changedFiles = [] } = wanted;
  const [id, branch] = [newId('cv'), commit.branch ?? (repository.branch || null)];
  const known: Partial<IngressAttributes> = {
    identifier: repository.identifier,
    branch,
    tag: commit.tag,
    'commit-sha': commit.sha,
    'is-pull-request': false,
    ...ingress,
  };
  await sql`
    insert into configuration_versions ${row(sql, {
      id,
      workspace_id: workspace.id,
      position: sql`(
        select coalesce(max(configuration_versions.position), 0) + 1 from configuration_versions
        where configuration_versions.workspace_id = ${workspace.id}
      )`,
      status: 'fetching',
      status_timestamps: sql`jsonb_build_object('fetching-at', ${stamp(sql)})`,
      source: sourceOfProvider(provider),
      auto_queue_runs: thenRun !== null,
      speculative: wanted.isSpeculative,
      changed_files: changedFiles as string[],
      ingress_attributes_id: newId('ia'),
      ingress_attributes: sql.json(known),
      created_by_id:
        createdById ?? (await organizationAccount(sql, workspace.organization_id, workspace.organization_name)),
    })}`;
  await sql`
    insert into configuration_fetches ${row(sql, {
      configuration_version_id: id,
      oauth_token_id: repository['oauth-token-id'],
      identifier: repository.identifier,
      with_submodules: repository['ingress-submodules'],
      branch,
      tag: commit.tag,
      commit_sha: commit.sha,
      run_message: thenRun?.message ?? null,
    })}`;
  await openFetchJob(sql, id);
  return id;
}

/** The repository that the workspace is linked to through a token that is still there. */
async function repositoryOf(
  sql: Sql,
  workspaceId: string,
): Promise<{ repository: VcsRepo; provider: ServiceProvider } | undefined> {
  const [found] = await sql<{ repository: VcsRepo; provider: ServiceProvider }[]>`
    select workspaces.vcs_repo as repository, oauth_clients.service_provider as provider
    from workspaces
    join oauth_tokens on oauth_tokens.id = workspaces.vcs_repo ->> 'oauth-token-id'
    join oauth_clients on oauth_clients.id = oauth_tokens.oauth_client_id
    where workspaces.id = ${workspaceId}`;
  return found;
}
