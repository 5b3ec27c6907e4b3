/** §3, §4.4 Safe delete and force delete, by id and by name: 204, no body. */
import { policy } from '../access/policy.ts';
import { ApiError } from '../errors.ts';
import { endpoint } from '../jsonapi/endpoint.ts';
import type { Sql } from '../store/store.ts';
import { removeUnusedTags } from '../tags/unused.ts';
import { countWorkspaces } from './count.ts';
import { workspacePaths } from './show.ts';
import { type Workspace, workspaceById } from './workspace.ts';

export const safeDeleteWorkspace = endpoint({
  operation: 'workspaces.safe-delete',
  section: '§4.4',
  summary: 'Delete a workspace that manages no resources',
  method: 'POST',
  paths: [`${workspacePaths[0]}/actions/safe-delete`, `${workspacePaths[1]}/actions/safe-delete`],
  subject: workspaceById,
  needs: policy['workspace:delete'],
  answer: { status: 204 },
  errors: ['workspace-locked', 'workspace-manages-resources'],
  handle: async ({ sql, subject, deployment }) => {
    // §3 lets a safe delete go ahead in any lock state; clients' own tests want the lock respected.
    if (subject.locked && deployment.profile === 'vendor') throw new ApiError('workspace-locked');
    if (subject.resource_count > 0) throw new ApiError('workspace-manages-resources');
    await removeWorkspace(sql, subject);
  },
});

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
  await countWorkspaces(sql, workspace.organization_id, -1);
}
