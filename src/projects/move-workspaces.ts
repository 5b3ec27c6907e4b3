/** Move workspaces into a project: the power to move is needed on it and on every project they leave (§5.4). */
import type { Actor } from '../access/actor.ts';
import { policy } from '../access/policy.ts';
import { projectPowers } from '../access/project-levels.ts';
import { ApiError } from '../errors.ts';
import { identifiersBody } from '../jsonapi/body.ts';
import { endpoint } from '../jsonapi/endpoint.ts';
import type { Sql } from '../store/store.ts';
import { findProjects, type Project, projectById } from './project.ts';

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
    const movable = await movableWorkspaces(sql, actor, subject, asked);
    const refused = asked.filter(id => !movable.has(id));
    if (refused.length > 0) throw new ApiError('move-forbidden', { ids: refused.join(', ') });
    await sql`
      update workspaces set project_id = ${subject.id}, updated_at = now(), revision = default
      where workspaces.id = any(${asked}) and workspaces.project_id <> ${subject.id}`;
    note({ workspaces: asked });
  },
});

/** Those of the asked workspaces that the caller may take out of their projects, their rows held. */
async function movableWorkspaces(sql: Sql, actor: Actor, target: Project, ids: string[]): Promise<Set<string>> {
  const found = await sql<{ id: string; project_id: string }[]>`
    select workspaces.id, workspaces.project_id from workspaces
    where workspaces.id = any(${ids}) and workspaces.organization_id = ${target.organization_id}
    order by workspaces.id
    for update`;
  const sourceIds = [...new Set(found.map(workspace => workspace.project_id))];
  const sources = await findProjects(sql, actor, sql`projects.id = any(${sourceIds})`);
  const open = sources.filter(({ powers }) => projectPowers.has(powers, 'move-workspaces')).map(({ id }) => id);
  return new Set(found.filter(workspace => open.includes(workspace.project_id)).map(({ id }) => id));
}
