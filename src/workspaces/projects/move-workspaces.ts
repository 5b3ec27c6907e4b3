/** Move workspaces into a project: the power to move is needed on it and on every project they leave (§5.4). */

import { namedProjectsWith } from '../../access/named.ts';
import { policy } from '../../access/policy.ts';
import type { Actor } from '../../core/access/actor.ts';
import { ApiError } from '../../core/errors.ts';
import { identifiersBody } from '../../core/jsonapi/body.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { limits } from '../../core/limits.ts';
import type { Sql } from '../../core/store/store.ts';
import { countWorkspaces } from './count.ts';
import { type Project, projectById } from './project.ts';

export const moveWorkspaces = endpoint({
  operation: 'projects.move-workspaces',
  section: '§5',
  summary: 'Move workspaces into a project',
  method: 'POST',
  paths: ['/projects/:project_id/relationships/workspaces'],
  subject: projectById,
  needs: policy['project:move-workspaces'],
  holds: 'key share',
  body: identifiersBody('workspaces'),
  answer: { status: 204 },
  errors: ['move-forbidden'],
  handle: async ({ sql, actor, subject, body, note }) => {
    const asked = [...new Set(body)];
    const leaving = await movableWorkspaces(sql, actor, subject, asked);
    const refused = asked.filter(id => !leaving.has(id));
    if (refused.length > 0) throw new ApiError('move-forbidden', { ids: someOf(refused) });
    await sql`
      update workspaces set project_id = ${subject.id}, updated_at = now(), revision = default
      where workspaces.id = any(${asked}) and workspaces.project_id <> ${subject.id}`;
    countWorkspaces(sql, subject.organization_id, movesTo(subject.id, [...leaving.values()]));
    note({ workspaces: asked });
  },
});

/** As many as an answer lists of other faults. */
function someOf(ids: readonly string[]): string {
  const most = limits.faults_items.value;
  const more = ids.length > most ? `, and ${ids.length - most} more` : '';
  return ids.slice(0, most).join(', ') + more;
}

/** Project → how many workspaces more: those that are there already count for nothing. */
function movesTo(targetId: string, sourceIds: readonly string[]): Record<string, number> {
  const changes: Record<string, number> = {};
  for (const id of sourceIds.filter(one => one !== targetId)) {
    changes[id] = (changes[id] ?? 0) - 1;
    changes[targetId] = (changes[targetId] ?? 0) + 1;
  }
  return changes;
}

/** Those of the asked workspaces that the caller may take out of their projects, with these; their rows are held. */
async function movableWorkspaces(sql: Sql, actor: Actor, target: Project, ids: string[]): Promise<Map<string, string>> {
  const found = await sql<{ id: string; project_id: string }[]>`
    select workspaces.id, workspaces.project_id from workspaces
    where workspaces.id = any(${ids}) and workspaces.organization_id = ${target.organization_id}
    order by workspaces.id
    for update`;
  const sourceIds = [...new Set(found.map(workspace => workspace.project_id))];
  const open = await namedProjectsWith(sql, actor, sourceIds, policy['project:move-workspaces']);
  const movable = found.filter(workspace => open.has(workspace.project_id));
  return new Map(movable.map(workspace => [workspace.id, workspace.project_id]));
}
