/** §4.2 A workspace that was linked to a repository, or to another branch: its head is fetched, and begins a run where `queue-all-runs` says so. */
import type { Store } from '../../core/store/store.ts';
import { fetchConfiguration } from '../configuration-versions/fetch.ts';

const batch = 100;

interface PendingLink {
  workspace_id: string;
  created_by_id: string | null;
}

interface Setting {
  queue_all_runs: boolean;
  tags_regex: string | null;
}

/** Each in a transaction of its own. Any number of servers may do so at once. Returns the ids of the configuration versions. */
export async function fetchLinked(store: Store): Promise<string[]> {
  const pending = await store.read<PendingLink[]>`
    select pending_links.workspace_id from pending_links
    order by pending_links.created_at, pending_links.workspace_id limit ${batch}`;
  const versions: (string | null)[] = [];
  for (const { workspace_id } of pending) versions.push(await fetchHead(store, workspace_id));
  return versions.filter(id => id !== null);
}

async function fetchHead(store: Store, workspaceId: string): Promise<string | null> {
  return store.transaction(async sql => {
    const [workspace] = await sql<Setting[]>`
      select workspaces.queue_all_runs, workspaces.vcs_repo ->> 'tags-regex' as tags_regex from workspaces
      where workspaces.id = ${workspaceId} for update`;
    const [taken] = await sql<PendingLink[]>`
      delete from pending_links where pending_links.workspace_id = ${workspaceId}
      returning pending_links.workspace_id, pending_links.created_by_id`;
    if (!workspace || !taken) return null;
    // Where tags begin runs, the head of a branch is not what anybody wants to have applied.
    const begins = workspace.queue_all_runs && workspace.tags_regex === null;
    return fetchConfiguration(sql, {
      workspaceId,
      commit: { sha: null, branch: null, tag: null },
      isSpeculative: false,
      createdById: taken.created_by_id,
      thenRun: begins ? { message: 'Linked to the repository' } : null,
    });
  });
}
