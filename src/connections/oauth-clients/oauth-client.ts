/** OAuth client: a connection to version control (§2.2 `vcs-repo`): the document, the SELECT and the finder. */

import { Type } from 'typebox';
import { oauthPowersOn, organizationsOfOauth } from '../../access/oauth.ts';
import { projectIsReadable } from '../../access/projects.ts';
import type { Actor } from '../../core/access/actor.ts';
import type { Finder, Subject } from '../../core/jsonapi/endpoint.ts';
import {
  boolean,
  column,
  computed,
  nullable,
  type Row,
  reference,
  references,
  text,
  timestamp,
  word,
} from '../../core/jsonapi/fields.ts';
import { type RowOf, resource } from '../../core/jsonapi/resource.ts';
import { type Fragment, held, type Sql } from '../../core/store/store.ts';
import { providerNames, type ServiceProvider, serviceProviders } from './providers.ts';

const address = Type.String({
  pattern: '^https?://[^\\s]+$',
  maxLength: 2048,
  'x-rule': 'must be an http or https URL',
});
const nameForm = Type.String({ maxLength: 255 });

const attributes = {
  name: column(nullable(text), { write: nullable(nameForm), default: null }),
  'service-provider': column(word(...serviceProviders), { write: true }),
  'service-provider-display-name': computed(text, row => providerNames[row['service_provider'] as ServiceProvider]),
  'http-url': column(text, { write: address }),
  'api-url': column(text, { write: address }),
  /** What it is known by to the provider; not a secret. */
  key: column(nullable(text), { write: nullable(Type.String({ maxLength: 4096 })) }),
  'rsa-public-key': column(nullable(text), { write: nullable(Type.String({ maxLength: 16_384 })) }),
  'organization-scoped': column(boolean, { write: true, default: true }),
  'callback-url': computed(nullable(text), () => null),
  'connect-path': computed(nullable(text), () => null),
  'created-at': column(timestamp),
};

export const oauthClients = resource({
  type: 'oauth-clients',
  attributes,
  relationships: {
    organization: reference(
      'organizations',
      'organization_name',
      row => `/api/v2/organizations/${row['organization_name']}`,
    ),
    'oauth-tokens': references(
      'oauth-tokens',
      'oauth_token_ids',
      row => `/api/v2/oauth-clients/${row.id}/oauth-tokens`,
    ),
    projects: references('projects', 'project_ids'),
    'agent-pool': reference('agent-pools', 'agent_pool_id', row => `/api/v2/agent-pools/${row['agent_pool_id']}`),
  },
  links: row => ({ self: `/api/v2/oauth-clients/${row.id}` }),
  load: (sql, actor, ids) => readOauthClients(sql, actor, sql`oauth_clients.id = any(${ids as string[]})`),
});

export interface OauthClient extends RowOf<typeof attributes>, Subject {
  id: string;
  organization_id: string;
  organization_name: string;
  service_provider: ServiceProvider;
  oauth_token_ids: string[];
  /** Those that the caller may see. */
  project_ids: string[];
}

/** The connections of a condition, for those who may choose one. */
export async function readOauthClients(
  sql: Sql,
  actor: Actor,
  condition: Fragment,
  rest?: Fragment,
): Promise<OauthClient[]> {
  const rows = await sql<Row[]>`
    select
      oauth_clients.id, oauth_clients.organization_id, organizations.name as organization_name, oauth_clients.name,
      oauth_clients.service_provider, oauth_clients.http_url, oauth_clients.api_url, oauth_clients.key,
      oauth_clients.rsa_public_key, oauth_clients.organization_scoped, oauth_clients.agent_pool_id,
      oauth_clients.created_at,
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
      ) as project_ids
    from oauth_clients
    join organizations on organizations.id = oauth_clients.organization_id
    where ${condition} and oauth_clients.organization_id = any(${organizationsOfOauth(actor)})
    ${rest ?? sql``}`;
  return rows.map(row => ({ ...row, powers: oauthPowersOn(actor, row['organization_id']) }) as unknown as OauthClient);
}

export const oauthClientById: Finder<OauthClient> = {
  find: async (sql, actor, params, lock) => {
    const condition = sql`oauth_clients.id = ${params['oauth_client_id']!}`;
    const [found] = await readOauthClients(sql, actor, condition, held(sql, lock, 'oauth_clients'));
    return found;
  },
};
