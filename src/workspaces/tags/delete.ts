/** §4.6 Delete tags from the organization: they come off every workspace. */
import { policy } from '../../access/policy.ts';
import { faultAt } from '../../core/errors.ts';
import { identifiersBody } from '../../core/jsonapi/body.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { organizationByName } from '../../organizations/organizations/organization.ts';
import { reviseOrganization } from '../../organizations/revisions.ts';

export const deleteTags = endpoint({
  operation: 'tags.delete',
  section: '§4.6',
  summary: 'Delete tags from an organization and all its workspaces',
  method: 'DELETE',
  paths: ['/organizations/:organization_name/tags'],
  subject: organizationByName,
  needs: policy['organization:manage-tags'],
  holds: 'key share',
  body: identifiersBody('tags'),
  answer: { status: 204 },
  check: async ({ sql, subject, body: ids, faults }) => {
    const found = await sql<{ id: string; name: string }[]>`
      select tags.id, tags.name from tags
      where tags.organization_id = ${subject.organization_id} and tags.id = any(${ids})
      order by tags.id
      for update`;
    const known = new Set(found.map(({ id }) => id));
    ids.forEach((id, position) => {
      const reason = `Tag "${id}" does not exist in this organization.`;
      if (!known.has(id)) faults.push(faultAt('invalid-document', `/data/${position}/id`, { reason }));
    });
    return found;
  },
  handle: async ({ sql, subject, note }, found) => {
    await sql`delete from tags where tags.id = any(${found.map(({ id }) => id)})`;
    await reviseOrganization(sql, subject.organization_id);
    note({ tags: found.map(({ name }) => name) });
  },
});
