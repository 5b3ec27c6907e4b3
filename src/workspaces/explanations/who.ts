/** Who may do something in a workspace: people, page by page, each with the teams and accesses that let them. */
import { Type } from 'typebox';
import { policy } from '../../access/policy.ts';
import { ApiError } from '../../core/errors.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { addressed, column, text } from '../../core/jsonapi/fields.ts';
import { required, term } from '../../core/jsonapi/query.ts';
import { resource } from '../../core/jsonapi/resource.ts';
import { counted } from '../../core/store/page.ts';
import { workspaceById } from '../workspaces/rows.ts';
import { workspaceFromOrganization, workspaceGrants } from './access-grants.ts';
import { workspaceActions } from './explain.ts';
import { grantShape, shownGrant } from './explanation.ts';
import { type Grant, keysGiving } from './grants.ts';

export const permissionHolders = resource({
  type: 'permission-holders',
  attributes: {
    username: column(text),
    /** Each of them would be enough by itself. */
    grants: column(Type.Array(grantShape)),
  },
  relationships: { user: addressed('users', 'id') },
});

interface Holder {
  id: string;
  username: string;
  team_ids: string[];
}

export const listPermissionHolders = endpoint({
  operation: 'workspaces.who',
  section: '§5.4',
  summary: 'List who may do something in a workspace, and through what',
  method: 'GET',
  paths: ['/workspaces/:workspace_id/who'],
  subject: workspaceById,
  needs: policy['workspace:manage-teams'],
  query: { action: required(term(`One of: ${Object.keys(workspaceActions).join(', ')}`)) },
  answer: { status: 200, collection: permissionHolders, pages: 'always' },
  handle: async ({ store: { search: sql }, actor, subject, query: { action }, page }) => {
    const anyOf = Object.hasOwn(workspaceActions, action) ? workspaceActions[action] : undefined;
    if (anyOf === undefined) {
      const reason = `action must be one of: ${Object.keys(workspaceActions).join(', ')}.`;
      throw new ApiError('invalid-parameter', { reason }, { parameter: 'action' });
    }
    const grants = await workspaceGrants(sql, actor, subject, { everyTeam: true });
    const giving = grants.filter(({ powers }) => (powers & anyOf) !== 0);
    const shown = giving.filter(({ team }) => team!.is_visible);
    const teamIds = [...new Set(shown.map(({ team }) => team!.id))];
    const holders = sql`
      from team_memberships
      join organization_memberships on organization_memberships.id = team_memberships.organization_membership_id
      join users on users.id = organization_memberships.user_id
      where team_memberships.team_id = any(${teamIds}) and organization_memberships.status = 'active'`;
    const { rows, total } = await counted<Holder>(
      sql,
      sql`select count(distinct users.id) as total ${holders}`,
      sql`
        select users.id, users.username, array_agg(distinct team_memberships.team_id) as team_ids ${holders}
        group by users.id order by users.username, users.id limit ${page.size} offset ${page.offset}`,
    );
    const from = workspaceFromOrganization(subject);
    const keysOf = ({ via, team }: Grant<'workspace'>) =>
      via === 'organization-access' ? keysGiving(subject.organization_id, from, anyOf, team!.organization_access) : [];
    const through = (holder: Holder) => shown.filter(({ team }) => holder.team_ids.includes(team!.id));
    return {
      rows: rows.map(holder => ({ ...holder, grants: through(holder).map(one => shownGrant(one, keysOf(one))) })),
      total,
      // Teams that the caller may not see give it to others, who are not named.
      meta: { 'is-complete': shown.length === giving.length },
    };
  },
});
