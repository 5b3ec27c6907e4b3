/** §1 Delete an organization, by its owners: everything in it goes, and the accounts that only it needed. */

import { policy } from '../../access/policy.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { forgetUninvited } from './invited.ts';
import { organizationByName } from './organization.ts';

export const deleteOrganization = endpoint({
  operation: 'organizations.delete',
  section: '§1',
  summary: 'Delete an organization',
  method: 'DELETE',
  paths: ['/organizations/:organization_name'],
  subject: organizationByName,
  needs: policy['organization:delete'],
  answer: { status: 204 },
  handle: async ({ sql, subject: { organization_id: id }, note }) => {
    const invited = await sql<{ user_id: string }[]>`
      select organization_memberships.user_id from organization_memberships
      where organization_memberships.organization_id = ${id} and organization_memberships.status = 'invited'`;
    // The accounts behind the tokens of the organization and of its teams; their tokens follow them.
    await sql`
      delete from users
      where users.service_of_id = ${id}
        or users.service_of_id in (select teams.id from teams where teams.organization_id = ${id})`;
    await sql`delete from organizations where organizations.id = ${id}`;
    await forgetUninvited(
      sql,
      invited.map(({ user_id }) => user_id),
    );
    // By which what happened in it before is still found in the database.
    note({ organization_id: id });
  },
});
