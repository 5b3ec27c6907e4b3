/** §4.2 Update workspace, by id and by name: what the body leaves out keeps its value; tag bindings are replaced. */

import { namedProjectsWith } from '../../access/named.ts';
import { policy } from '../../access/policy.ts';
import type { Actor } from '../../core/access/actor.ts';
import { ApiError } from '../../core/errors.ts';
import { documentBody } from '../../core/jsonapi/body.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { permitted } from '../../core/jsonapi/records.ts';
import type { Sql } from '../../core/store/store.ts';
import { countWorkspaces } from '../projects/count.ts';
import { projectById } from '../projects/project.ts';
import { replaceBindings } from '../tags/tag-binding.ts';
import type { Workspace } from './attributes.ts';
import { noteLink } from './links.ts';
import { changeColumns, workspaceById } from './rows.ts';
import { givenBindingFaults, type SettingsBefore, settingsBody, settle } from './settings.ts';
import { includePaths, workspacePaths } from './show.ts';
import { workspaces } from './workspace.ts';

export const updateWorkspace = endpoint({
  operation: 'workspaces.update',
  section: '§4.2',
  summary: 'Update a workspace',
  method: 'PATCH',
  paths: workspacePaths,
  subject: workspaceById,
  needs: policy['workspace:update'],
  goesAhead: true,
  include: includePaths,
  body: documentBody(workspaces, settingsBody),
  answer: { status: 200, document: workspaces, reads: workspaceById },
  errors: ['name-taken', 'invalid-relationship'],
  check: async ({ sql, actor, subject, body, faults, deployment }) => {
    const projectId = await projectMovedTo(sql, actor, subject, body.relationships.project);
    const place = { organizationId: subject.organization_id, projectId, workspaceId: subject.id };
    const settled = await settle(sql, place, body.attributes, subject as SettingsBefore, {
      isCreate: false,
      deployment,
    });
    faults.push(...settled.faults, ...givenBindingFaults(body.relationships['tag-bindings']));
    return { ...settled.changes, project_id: projectId };
  },
  handle: async ({ sql, actor, subject, body, note }, changes) => {
    const changed = changeColumns(sql, subject, changes as Partial<Workspace>);
    const { 'vcs-repo': repository, 'execution-mode': mode } = body.attributes;
    noteLink(
      sql,
      subject.id,
      actor.userId,
      changes.vcs_repo,
      subject,
      Object.keys(repository ?? {}).length > 0 || mode !== undefined,
    );
    if (changes.project_id !== subject.project_id) {
      countWorkspaces(sql, subject.organization_id, { [subject.project_id]: -1, [changes.project_id]: 1 });
    }
    const bindings = body.relationships['tag-bindings'];
    if (!bindings) return changed;
    await Promise.all([changed, replaceBindings(sql, 'workspaces', subject, bindings)]);
    note({ 'tag-bindings': bindings });
  },
});

/** Blank or unchanged means no move; a move takes admin permission on both projects (§4.2, §5.4). */
async function projectMovedTo(
  sql: Sql,
  actor: Actor,
  workspace: Workspace,
  projectId: string | null | undefined,
): Promise<string> {
  if (!projectId || projectId === workspace.project_id) return workspace.project_id;
  const needs = policy['project:move-workspaces'];
  const target = await permitted({ sql, actor }, projectById, needs, { project_id: projectId });
  const open = await namedProjectsWith(sql, actor, [workspace.project_id], needs);
  const mayLeave = open.has(workspace.project_id);
  if (target?.organization_id !== workspace.organization_id || !mayLeave) throw new ApiError('not-found');
  return target.id;
}
