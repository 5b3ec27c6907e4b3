/** List the tokens of an organization's connections, or of one: all of them, unless pages are asked for. */
import type { Actor } from '../access/actor.ts';
import { policy } from '../access/policy.ts';
import { type Collection, endpoint } from '../jsonapi/endpoint.ts';
import type { Page } from '../jsonapi/page.ts';
import { oauthClientById } from '../oauth-clients/oauth-client.ts';
import { organizationByName } from '../organizations/organization.ts';
import type { Fragment, Sql } from '../store/store.ts';
import { oauthTokens, readOauthTokens } from './oauth-token.ts';

export const listOauthTokens = endpoint({
  operation: 'oauth-tokens.list',
  section: '§4.2',
  summary: "List the tokens of an organization's connections to version control",
  method: 'GET',
  paths: ['/organizations/:organization_name/oauth-tokens'],
  subject: organizationByName,
  needs: policy['organization:list-oauth-clients'],
  include: ['oauth-client'],
  answer: { status: 200, collection: oauthTokens, pages: 'when-asked' },
  handle: ({ sql, actor, subject, page }) =>
    tokenPage(sql, actor, sql`oauth_clients.organization_id = ${subject.organization_id}`, page),
});

export const listTokensOfClient = endpoint({
  operation: 'oauth-tokens.list-of-client',
  section: '§4.2',
  summary: 'List the tokens of a connection to version control',
  method: 'GET',
  paths: ['/oauth-clients/:oauth_client_id/oauth-tokens'],
  subject: oauthClientById,
  needs: policy['oauth-client:read'],
  answer: { status: 200, collection: oauthTokens, pages: 'when-asked' },
  handle: ({ sql, actor, subject, page }) => tokenPage(sql, actor, sql`oauth_clients.id = ${subject.id}`, page),
});

async function tokenPage(sql: Sql, actor: Actor, condition: Fragment, page: Page): Promise<Collection> {
  const limit = page.isGiven ? sql`limit ${page.size} offset ${page.offset}` : sql``;
  const [counts, rows] = await Promise.all([
    sql<{ total: number }[]>`
      select count(*) as total from oauth_tokens
      join oauth_clients on oauth_clients.id = oauth_tokens.oauth_client_id
      where ${condition}`,
    readOauthTokens(sql, actor, condition, sql`order by oauth_tokens.created_at, oauth_tokens.id ${limit}`),
  ]);
  return { rows, total: counts[0]!.total };
}
