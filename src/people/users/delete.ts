/** §1 Delete an account, by a site administrator: its tokens and memberships go with it. */
import { policy } from '../../access/policy.ts';
import { ApiError } from '../../core/errors.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import type { Sql } from '../../core/store/store.ts';
import { keepUsername } from './kept-usernames.ts';
import { organizationsOf, type User, userById } from './user.ts';

export const deleteUser = endpoint({
  operation: 'users.delete',
  section: '§1',
  summary: 'Delete an account',
  method: 'DELETE',
  paths: ['/admin/users/:user_id'],
  subject: userById,
  needs: policy['user:administer'],
  answer: { status: 204 },
  errors: ['own-account', 'last-administrator', 'last-owner'],
  handle: async ({ sql, actor, subject, alsoIn }) => {
    if (subject.id === actor.userId) throw new ApiError('own-account');
    if (subject.is_admin) await keepAnAdministrator(sql, subject);
    await keepOwners(sql, subject);
    alsoIn(await organizationsOf(sql, subject.id));
    await sql`delete from users where users.id = ${subject.id}`;
    await keepUsername(sql, subject);
  },
});

/** Two administrators who delete each other at once queue for the one row of the settings. */
async function keepAnAdministrator(sql: Sql, user: User): Promise<void> {
  await sql`select from site_settings for update`;
  const [other] = await sql`select users.id from users where users.is_admin and users.id <> ${user.id} limit 1`;
  if (!other) throw new ApiError('last-administrator');
}

/** No organization may be left without an owner. Its owners team is the row that removals queue for. */
async function keepOwners(sql: Sql, user: User): Promise<void> {
  const owned = await sql<{ id: string }[]>`
    select teams.id from teams
    where teams.is_owners and exists (
      select from team_memberships
      join organization_memberships on organization_memberships.id = team_memberships.organization_membership_id
      where team_memberships.team_id = teams.id and organization_memberships.user_id = ${user.id}
    )
    order by teams.id
    for update of teams`;
  for (const { id } of owned) {
    const [other] = await sql`
      select organization_memberships.id from team_memberships
      join organization_memberships on organization_memberships.id = team_memberships.organization_membership_id
      where team_memberships.team_id = ${id}
        and organization_memberships.user_id <> ${user.id} and organization_memberships.status = 'active'
      limit 1`;
    if (!other) throw new ApiError('last-owner');
  }
}
