/** §4.2 That a workspace was linked to a repository: noted with the change itself, and fetched from there soon after. */
import type { Sql } from '../../core/store/store.ts';
import type { VcsRepo } from './fields.ts';

/** Whether other content stands in the workspace's place now. An installation of an app can fetch nothing yet. */
function isOther(before: VcsRepo | null, repo: VcsRepo | null): boolean {
  if (repo === null || repo['oauth-token-id'] === null) return false;
  const decisive = ['identifier', 'branch', 'oauth-token-id', 'ingress-submodules'] as const;
  return before === null || decisive.some(member => before[member] !== repo[member]);
}

interface Linked {
  vcs_repo: VcsRepo | null;
  current_configuration_version_id: string | null;
}

const nothing: Linked = { vcs_repo: null, current_configuration_version_id: null };

/**
 * Who says the same once more of a workspace that nothing was fetched for wants it tried again: the token was wrong, or the
 * workspace kept state only.
 * @param isSaid whether the body says something of the repository, or of where runs are executed
 */
export function noteLink(
  sql: Sql,
  workspaceId: string,
  userId: string,
  repo: VcsRepo | null,
  { vcs_repo: before, current_configuration_version_id: fetched } = nothing,
  isSaid = false,
): void {
  const isMissing = isSaid && fetched === null && repo !== null && repo['oauth-token-id'] !== null;
  if (!isOther(before, repo) && !isMissing) return;
  sql`
    insert into pending_links (workspace_id, created_by_id) values (${workspaceId}, ${userId})
    on conflict (workspace_id) do update
    set created_by_id = excluded.created_by_id, created_at = clock_timestamp()`.send();
}
