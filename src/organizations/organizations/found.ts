/** What every organization has from its first moment on (§1): an owners team, a default project, and its founder as an owner. */
import type { Actor } from '../../core/access/actor.ts';
import { defaults } from '../../core/jsonapi/resource.ts';
import { newId } from '../../core/store/ids.ts';
import { row, type Sql } from '../../core/store/store.ts';
import { type Organization, organizationRecords, organizations } from './organization.ts';

/** Inserts the organization and what every organization has, and returns it as its creator sees it. */
export async function foundOrganization(
  sql: Sql,
  actor: Actor,
  settings: Record<string, unknown>,
): Promise<Organization> {
  const ids = { organization: newId('org'), project: newId('prj'), team: newId('team'), membership: newId('ou') };
  await sql`
    insert into organizations ${row(sql, {
      ...defaults(organizations),
      ...settings,
      id: ids.organization,
      default_project_id: ids.project,
    })}`;
  await sql`
    insert into projects (id, organization_id, name) values (${ids.project}, ${ids.organization}, 'Default Project')`;
  await sql`
    insert into teams (id, organization_id, name, is_owners) values (${ids.team}, ${ids.organization}, 'owners', true)`;
  await sql`
    insert into organization_memberships (id, organization_id, user_id, status, email)
    select ${ids.membership}, ${ids.organization}, users.id, 'active', users.email
    from users where users.id = ${actor.userId}`;
  await sql`
    insert into team_memberships (team_id, organization_membership_id) values (${ids.team}, ${ids.membership})`;
  const owner: Actor = {
    ...actor,
    standings: new Map([[ids.organization, { isMember: true, isOwner: true, organizationAccess: 0 }]]),
  };
  const [organization] = await organizationRecords.read(sql, owner, sql`organizations.id = ${ids.organization}`);
  return organization!;
}
