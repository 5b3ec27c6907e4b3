/** §3, §4.4 Safe delete and force delete, by id and by name: 204, no body. */

import { policy } from '../../access/policy.ts';
import { ApiError, type ErrorName } from '../../core/errors.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import type { Sql } from '../../core/store/store.ts';
import { countWorkspaces } from '../projects/count.ts';
import { removeUnusedTags } from '../tags/unused.ts';
import type { Workspace } from './attributes.ts';
import { latestIntermediateStatus, managedByHead } from './current-state.ts';
import { workspaceById } from './rows.ts';
import { workspacePaths } from './show.ts';

export const safeDeleteWorkspace = endpoint({
  operation: 'workspaces.safe-delete',
  section: '§4.4',
  summary: 'Delete a workspace that manages no resources',
  method: 'POST',
  paths: [`${workspacePaths[0]}/actions/safe-delete`, `${workspacePaths[1]}/actions/safe-delete`],
  subject: workspaceById,
  needs: policy['workspace:delete'],
  answer: { status: 204 },
  errors: ['workspace-locked', 'workspace-being-processed', 'workspace-manages-resources'],
  handle: async ({ sql, subject, deployment }) => {
    // §3 lets a safe delete go ahead in any lock state; clients' own tests want the lock respected.
    if (subject.locked && deployment.profile === 'vendor') throw new ApiError('workspace-locked');
    const refusal = safeDelete(subject.resource_count, {
      latest: await latestIntermediateStatus(sql, subject.id),
      head: await managedByHead(sql, subject.id),
    });
    if (refusal) throw new ApiError(refusal);
    await removeWorkspace(sql, subject);
  },
});

interface KnownState {
  /** The status of the latest intermediate state version. */
  latest: string | null;
  /** The latest final one, which may not be current yet. */
  head: { resource_count: number; is_readable: boolean } | undefined;
}

/** §3, safe delete: nothing is managed, as far as every state knows. One that cannot be read may manage anything. */
function safeDelete(resourceCount: number, { latest, head }: KnownState): ErrorName | null {
  if (latest === 'pending') return 'workspace-being-processed';
  const isManaging = resourceCount > 0 || (head !== undefined && (head.resource_count > 0 || !head.is_readable));
  return isManaging ? 'workspace-manages-resources' : null;
}

export const forceDeleteWorkspace = endpoint({
  operation: 'workspaces.force-delete',
  section: '§4.4',
  summary: 'Delete a workspace whatever it manages',
  method: 'DELETE',
  paths: workspacePaths,
  subject: workspaceById,
  needs: policy['workspace:force-delete'],
  answer: { status: 204 },
  handle: ({ sql, subject }) => removeWorkspace(sql, subject),
});

/** With its bindings and access records; a flat tag that no workspace has any more goes too (§4.6). */
async function removeWorkspace(sql: Sql, workspace: Workspace): Promise<void> {
  const tagged = await sql<{ tag_id: string }[]>`
    delete from workspace_tags where workspace_tags.workspace_id = ${workspace.id} returning workspace_tags.tag_id`;
  await sql`delete from workspaces where workspaces.id = ${workspace.id}`;
  await removeUnusedTags(
    sql,
    tagged.map(({ tag_id }) => tag_id),
  );
  countWorkspaces(sql, workspace.organization_id, { [workspace.project_id]: -1 });
}
