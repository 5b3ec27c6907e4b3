/** List the connections of an organization to version control: all of them, unless pages are asked for. */
import { policy } from '../../access/policy.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { organizationByName } from '../../organizations/organizations/organization.ts';
import { oauthClientRecords, oauthClients } from './oauth-client.ts';

export const listOauthClients = endpoint({
  operation: 'oauth-clients.list',
  section: '§1',
  summary: 'List the connections of an organization to version control',
  method: 'GET',
  paths: ['/organizations/:organization_name/oauth-clients'],
  subject: organizationByName,
  needs: policy['organization:list-oauth-clients'],
  include: ['oauth-tokens', 'projects'],
  answer: { status: 200, collection: oauthClients, pages: 'when-asked' },
  handle: async ({ sql, actor, subject, page }) => {
    const condition = sql`oauth_clients.organization_id = ${subject.organization_id}`;
    return oauthClientRecords.page({ sql, actor, page }, condition, sql`oauth_clients.created_at, oauth_clients.id`);
  },
});
