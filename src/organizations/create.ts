/** §1 Create an organization, with its owners team, its default project and its creator as the first owner. */
import type { Actor } from '../access/actor.ts';
import { policy } from '../access/policy.ts';
import { documentBody } from '../jsonapi/body.ts';
import { endpoint } from '../jsonapi/endpoint.ts';
import { columns, defaults } from '../jsonapi/resource.ts';
import { site } from '../site/site.ts';
import { newId } from '../store/ids.ts';
import { row, type Sql } from '../store/store.ts';
import {
  agentPoolFaults,
  defaultExecutionLinks,
  readDefaultExecution,
  settleDefaultExecution,
} from './default-execution.ts';
import { type Organization, organizations, readOrganizations } from './organization.ts';

export const createOrganization = endpoint({
  operation: 'organizations.create',
  section: '§1',
  summary: 'Create an organization',
  method: 'POST',
  paths: ['/organizations'],
  subject: site,
  needs: policy['site:create-organization'],
  holds: null,
  body: documentBody(organizations, { required: ['name', 'email'], relationships: defaultExecutionLinks }),
  answer: { status: 201, document: organizations, alwaysInclude: ['entitlement-set'] },
  errors: ['name-taken'],
  check: async ({ sql, body: { attributes, relationships }, faults }) => {
    const given = readDefaultExecution(attributes, relationships, faults);
    const { settled, faults: broken } = settleDefaultExecution({ mode: 'remote', agentPoolId: null }, given);
    // A new organization has no pools, so every id is one too many.
    faults.push(...broken, ...(await agentPoolFaults(sql, '', settled.agentPoolId)));
  },
  handle: ({ sql, actor, body }) => foundOrganization(sql, actor, columns(organizations, body.attributes)),
});

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
  const [organization] = await readOrganizations(sql, owner, sql`organizations.id = ${ids.organization}`);
  return organization!;
}
