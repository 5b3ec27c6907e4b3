/** §4.6 One tag on many workspaces at once: on all of them or on none. */
import { namedWorkspacesWith } from '../../access/named.ts';
import { policy } from '../../access/policy.ts';
import { faultAt } from '../../core/errors.ts';
import { identifiersBody } from '../../core/jsonapi/body.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { reviseWorkspaces } from '../../organizations/revisions.ts';
import { tagById } from './tag.ts';

export const addTagToWorkspaces = endpoint({
  operation: 'tags.add-workspaces',
  section: '§4.6',
  summary: 'Add a tag to workspaces',
  method: 'POST',
  paths: ['/tags/:tag_id/relationships/workspaces'],
  subject: tagById,
  needs: policy['tag:read'],
  holds: 'key share',
  body: identifiersBody('workspaces'),
  answer: { status: 204 },
  check: async ({ sql, actor, subject, body: ids, faults }) => {
    const needs = policy['workspace:manage-tags'];
    const open = await namedWorkspacesWith(sql, actor, subject.organization_id, ids, needs);
    ids.forEach((id, position) => {
      const reason = `Workspace "${id}" does not exist in this organization, or you may not manage its tags.`;
      if (!open.has(id)) faults.push(faultAt('invalid-document', `/data/${position}/id`, { reason }));
    });
  },
  handle: async ({ sql, subject, body: ids, note }) => {
    await sql`
      insert into workspace_tags (workspace_id, tag_id)
      select workspaces.id, ${subject.id} from workspaces
      where workspaces.id = any(${ids})
      order by workspaces.id
      on conflict do nothing`;
    await reviseWorkspaces(sql, ids);
    note({ workspaces: ids });
  },
});
