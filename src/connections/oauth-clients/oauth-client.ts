/** OAuth client: a connection to version control (§2.2 `vcs-repo`): the document, the SELECT and the finder. */

import { Type } from 'typebox';
import { oauthAccess } from '../../access/owned.ts';
import { projectIsReadable } from '../../access/projects.ts';
import {
  addressed,
  boolean,
  column,
  computed,
  type Deployment,
  nullable,
  references,
  text,
  timestamp,
  word,
} from '../../core/jsonapi/fields.ts';
import { records, type Subject } from '../../core/jsonapi/records.ts';
import { type RowOf, resource } from '../../core/jsonapi/resource.ts';
import { providerNames, type ServiceProvider, serviceProviders } from '../forges/providers.ts';

interface OauthClientRow extends Subject<'oauth'> {
  organization_id: string;
  organization_name: string;
  service_provider: ServiceProvider;
  oauth_token_ids: string[];
  /** Those that the caller may see. */
  project_ids: string[];
}

const address = Type.String({
  pattern: '^https?://[^\\s]+$',
  maxLength: 2048,
  'x-rule': 'must be an http or https URL',
});
/** Plain git may be at a port of its own, where somebody of a certain name signs in. */
const hostAddress = Type.String({
  pattern: '^(?:https?|ssh)://[^\\s]+$',
  maxLength: 2048,
  'x-rule': 'must be an http or https URL, or of plain git one of ssh',
});
const nameForm = Type.String({ maxLength: 255 });

const attributes = {
  name: column(nullable(text), { write: nullable(nameForm), default: null }),
  'service-provider': column(word(...serviceProviders), { write: true }),
  'service-provider-display-name': computed(
    text,
    (row: OauthClientRow) => providerNames[row.service_provider as ServiceProvider],
  ),
  'http-url': column(text, { write: hostAddress }),
  'api-url': column(text, { write: address }),
  /** What it is known by to the provider; not a secret. */
  key: column(nullable(text), { write: nullable(Type.String({ maxLength: 4096 })) }),
  'rsa-public-key': column(nullable(text), { write: nullable(Type.String({ maxLength: 16_384 })) }),
  'organization-scoped': column(boolean, { write: true, default: true }),
  'callback-url': computed(nullable(text), () => null),
  'connect-path': computed(nullable(text), () => null),
  'created-at': column(timestamp),
  /** Where its host tells of pushes and pull requests. Nothing that comes is believed until there is a secret. */
  'webhook-url': computed(text, ({ id }, deployment: Deployment) => webhookUrl(id, deployment)),
  'has-webhook-secret': column(boolean),
};

/** The same for all repositories of a connection: a delivery says which one it is about. */
export const webhookUrl = (id: string, { publicUrl }: Deployment) => `${publicUrl}/webhooks/vcs/${id}`;

export const oauthClients = resource({
  type: 'oauth-clients',
  attributes,
  relationships: {
    organization: addressed('organizations', 'organization_name'),
    'oauth-tokens': references(
      'oauth-tokens',
      'oauth_token_ids',
      row => `/api/v2/oauth-clients/${row.id}/oauth-tokens`,
    ),
    projects: references('projects', 'project_ids'),
    'agent-pool': addressed('agent-pools', 'agent_pool_id'),
  },
  links: row => ({ self: `/api/v2/oauth-clients/${row.id}` }),
  load: (sql, actor, ids) => oauthClientRecords.load(sql, actor, ids),
});

export interface OauthClient extends RowOf<typeof attributes>, OauthClientRow {}

export const oauthClientRecords = records<OauthClient>({
  table: 'oauth_clients',
  columns: (sql, actor) => sql`
    oauth_clients.id, oauth_clients.organization_id, organizations.name as organization_name, oauth_clients.name,
    oauth_clients.service_provider, oauth_clients.http_url, oauth_clients.api_url, oauth_clients.key,
    oauth_clients.rsa_public_key, oauth_clients.organization_scoped, oauth_clients.agent_pool_id,
    oauth_clients.created_at, oauth_clients.sealed_webhook_secret is not null as has_webhook_secret,
    array(
      select oauth_tokens.id from oauth_tokens
      where oauth_tokens.oauth_client_id = oauth_clients.id
      order by oauth_tokens.created_at, oauth_tokens.id
    ) as oauth_token_ids,
    array(
      select projects.id from oauth_client_projects
      join projects on projects.id = oauth_client_projects.project_id
      where oauth_client_projects.oauth_client_id = oauth_clients.id and ${projectIsReadable(sql, actor)}
      order by projects.id
    ) as project_ids`,
  from: sql => sql`
    oauth_clients
    join organizations on organizations.id = oauth_clients.organization_id`,
  isVisible: (sql, actor) => sql`oauth_clients.organization_id = any(${oauthAccess.organizationsOf(actor)})`,
  powers: (row, actor) => oauthAccess.powersIn(actor, row.organization_id),
});

export const oauthClientById = oauthClientRecords.byId('oauth_client_id');
