/** §4.2 That a workspace was linked to a repository: noted with the change itself, and fetched from there soon after. */
import type { Sql } from '../../core/store/store.ts';
import type { VcsRepo } from './fields.ts';

/** Whether other content stands in the workspace's place now. An installation of an app can fetch nothing yet. */
function isOther(before: VcsRepo | null, repo: VcsRepo | null): boolean {
  if (repo === null || repo['oauth-token-id'] === null) return false;
  const decisive = ['identifier', 'branch', 'oauth-token-id', 'ingress-submodules'] as const;
  return before === null || decisive.some(member => before[member] !== repo[member]);
}

export function noteLink(
  sql: Sql,
  workspaceId: string,
  userId: string,
  before: VcsRepo | null,
  repo: VcsRepo | null,
): void {
  if (!isOther(before, repo)) return;
  sql`
    insert into pending_links (workspace_id, created_by_id) values (${workspaceId}, ${userId})
    on conflict (workspace_id) do update
    set created_by_id = excluded.created_by_id, created_at = clock_timestamp()`.send();
}
