/** §5.6 Tokens of teams with a description each: any number for a team, and one list for an organization. */

import { policy } from '../../access/policy.ts';
import { standingIn } from '../../core/access/actor.ts';
import { attributeFault } from '../../core/errors.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { type Order, sort, term } from '../../core/jsonapi/query.ts';
import { containing } from '../../core/jsonapi/search.ts';
import { all } from '../../core/store/conditions.ts';
import type { Fragment, Sql } from '../../core/store/store.ts';
import { organizationByName } from '../../organizations/organizations/organization.ts';
import { longestLife } from '../../organizations/token-ttl-policies/token-ttl-policy.ts';
import { hasMemberTokens, teamById } from '../teams/team.ts';
import { describedTokenBody, expiryFaults, issueToken } from './issue.ts';
import { teamAccount } from './service-account.ts';
import { requireTokenManager } from './team-token.ts';
import { tokenRecords, tokens } from './token.ts';

export const createDescribedTeamToken = endpoint({
  operation: 'authentication-tokens.create-described-for-team',
  section: '§5.6',
  summary: 'Create a token of a team, under a description of its own',
  method: 'POST',
  paths: ['/teams/:team_id/authentication-tokens'],
  subject: teamById,
  needs: policy['team:issue-token'],
  body: describedTokenBody,
  answer: { status: 201, document: tokens },
  errors: ['token-description-taken'],
  check: async context => {
    requireTokenManager(context);
    const { attributes } = context.body;
    const longest_ms = await longestLife(context.sql, context.subject.organization_id, 'team');
    // An empty description is one; none at all is the other endpoint's token.
    if (attributes.description === null)
      context.faults.push(attributeFault('description', "Description can't be null"));
    context.faults.push(...expiryFaults(attributes['expired-at'], longest_ms));
    return longest_ms;
  },
  handle: async ({ sql, actor, config, subject, body }, longest_ms) => {
    const holder = { kind: 'team', team_id: subject.id, user_id: await teamAccount(sql, subject.id) } as const;
    return issueToken(sql, actor, config, holder, { ...body.attributes, longest_ms });
  },
});

export const listTokensOfTeam = endpoint({
  operation: 'authentication-tokens.list-of-team',
  section: '§5.6',
  summary: 'List the tokens of a team, with and without a description',
  method: 'GET',
  paths: ['/teams/:team_id/authentication-tokens'],
  subject: teamById,
  needs: policy['team:manage-tokens'],
  answer: { status: 200, collection: tokens, pages: 'when-asked' },
  check: requireTokenManager,
  handle: context => {
    const { sql, subject } = context;
    const condition = sql`tokens.team_id = ${subject.id} and tokens.kind = 'team'`;
    return tokenRecords.page(context, condition, sql`tokens.created_at, tokens.id`);
  },
});

export const listTeamTokens = endpoint({
  operation: 'authentication-tokens.list-of-teams',
  section: '§5.6',
  summary: 'List the tokens of the teams whose tokens the caller manages',
  method: 'GET',
  paths: ['/organizations/:organization_name/team-tokens'],
  subject: organizationByName,
  needs: policy['organization:list-team-tokens'],
  query: {
    q: term('Tokens of teams whose name contains this, whatever its case'),
    sort: sort('The order, expired-at when nothing is said', 'team-name', 'created-by', 'expired-at', 'last-used-at'),
  },
  answer: { status: 200, collection: tokens, pages: 'always' },
  handle: async ({ store: { search: sql }, actor, subject, deployment, query, page }) => {
    if (!standingIn(actor, subject.organization_id).isOwner && !hasMemberTokens(deployment))
      return { rows: [], total: 0 };
    const condition = all(sql, [
      sql`tokens.kind = 'team' and teams.organization_id = ${subject.organization_id}`,
      query.q && sql`lower(teams.name) like lower(${containing(query.q)})`,
    ]);
    return tokenRecords.page({ sql, actor, page }, condition, sql`${orderOf(sql, query.sort)}, tokens.id`);
  },
});

type Orders = 'team-name' | 'created-by' | 'expired-at' | 'last-used-at';

/** Tokens that never expire and tokens never used stand last, in reverse first. */
function orderOf(sql: Sql, order: Order<Orders> = { by: 'expired-at', isReversed: false }): Fragment {
  const column = {
    'team-name': sql`teams.name`,
    'created-by': sql`coalesce(creating_users.username, creating_teams.name, creating_organizations.name)`,
    'expired-at': sql`tokens.expired_at`,
    'last-used-at': sql`tokens.last_used_at`,
  }[order.by];
  return order.isReversed ? sql`${column} desc` : column;
}
