/** §5.6 Tokens of teams with a description each: any number for a team, and one list for an organization. */

import { policy } from '../../access/policy.ts';
import type { Actor } from '../../core/access/actor.ts';
import { ApiError, attributeFault } from '../../core/errors.ts';
import { type Collection, endpoint } from '../../core/jsonapi/endpoint.ts';
import type { Deployment, Row } from '../../core/jsonapi/fields.ts';
import { type Page, type RawQuery, single } from '../../core/jsonapi/page.ts';
import { containing } from '../../core/jsonapi/search.ts';
import type { Fragment, Sql } from '../../core/store/store.ts';
import { organizationByName } from '../../organizations/organizations/organization.ts';
import { hasMemberTokens, teamById } from '../teams/team.ts';
import { describedTokenBody, expiryFaults, issueToken } from './issue.ts';
import { teamAccount } from './service-account.ts';
import { requireTokenManager } from './team-token.ts';
import { asToken, manageableBy, readTokens, tokenColumns, tokens, tokenTables } from './token.ts';

export const createDescribedTeamToken = endpoint({
  operation: 'authentication-tokens.create-described-for-team',
  section: '§5.6',
  summary: 'Create a token of a team, under a description of its own',
  method: 'POST',
  paths: ['/teams/:team_id/authentication-tokens'],
  subject: teamById,
  needs: policy['team:manage-tokens'],
  body: describedTokenBody,
  answer: { status: 201, document: tokens },
  errors: ['token-description-taken'],
  check: context => {
    requireTokenManager(context);
    const { attributes } = context.body;
    // An empty description is one; none at all is the other endpoint's token.
    if (attributes.description === null)
      context.faults.push(attributeFault('description', "Description can't be null"));
    context.faults.push(...expiryFaults(attributes['expired-at']));
  },
  handle: async ({ sql, actor, config, subject, body }) => {
    const holder = { kind: 'team', team_id: subject.id, user_id: await teamAccount(sql, subject.id) } as const;
    return issueToken(sql, actor, config, holder, body.attributes);
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
  handle: async ({ sql, actor, subject, page }) => {
    const condition = sql`tokens.team_id = ${subject.id} and tokens.kind = 'team'`;
    const all = await readTokens(sql, actor, condition, sql`order by tokens.created_at, tokens.id`);
    const rows = page.isGiven ? all.slice(page.offset, page.offset + page.size) : all;
    return { rows, total: all.length };
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
    q: 'Tokens of teams whose name contains this, whatever its case',
    sort: 'team-name, created-by, expired-at (the default) or last-used-at; a leading - reverses',
  },
  answer: { status: 200, collection: tokens, pages: 'always' },
  handle: ({ store, actor, subject, deployment, query, page }) =>
    tokenPage(store.search, actor, deployment, subject.organization_id, query, page),
});

async function tokenPage(
  sql: Sql,
  actor: Actor,
  deployment: Deployment,
  organizationId: string,
  query: RawQuery,
  page: Page,
): Promise<Collection> {
  const order = orderBy(sql, single(query, 'sort'));
  const isOwner = actor.standings.get(organizationId)?.isOwner ?? false;
  if (!isOwner && !hasMemberTokens(deployment)) return { rows: [], total: 0 };
  const search = single(query, 'q');
  const condition = sql`
    tokens.kind = 'team' and teams.organization_id = ${organizationId} and ${manageableBy(sql, actor)}
    ${search ? sql`and lower(teams.name) like lower(${containing(search)})` : sql``}`;
  const [counts, rows] = await Promise.all([
    sql<{ total: number }[]>`select count(*) as total ${tokenTables(sql)} where ${condition}`,
    sql<Row[]>`
      select ${tokenColumns(sql)}
      ${tokenTables(sql)}
      where ${condition}
      order by ${order}, tokens.id
      limit ${page.size} offset ${page.offset}`,
  ]);
  return { rows: rows.map(row => asToken(row, actor)), total: counts[0]!.total };
}

/** Tokens that never expire and tokens never used stand last, in reverse first. */
function orderBy(sql: Sql, sort: string | undefined): Fragment {
  switch (sort || 'expired-at') {
    case 'team-name':
      return sql`teams.name`;
    case '-team-name':
      return sql`teams.name desc`;
    case 'created-by':
      return sql`coalesce(creating_users.username, creating_teams.name, creating_organizations.name)`;
    case '-created-by':
      return sql`coalesce(creating_users.username, creating_teams.name, creating_organizations.name) desc`;
    case 'expired-at':
      return sql`tokens.expired_at`;
    case '-expired-at':
      return sql`tokens.expired_at desc`;
    case 'last-used-at':
      return sql`tokens.last_used_at`;
    case '-last-used-at':
      return sql`tokens.last_used_at desc`;
    default: {
      const reason = 'sort must be team-name, created-by, expired-at or last-used-at, with or without a leading -.';
      throw new ApiError('invalid-parameter', { reason }, { parameter: 'sort' });
    }
  }
}
