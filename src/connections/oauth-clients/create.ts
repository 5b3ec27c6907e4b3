/** Create a connection to version control: owners and teams that manage VCS settings may (§2.1 `manage-vcs-settings`). */
import { policy } from '../../access/policy.ts';
import { documentBody } from '../../core/jsonapi/body.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { defaults } from '../../core/jsonapi/resource.ts';
import { newId } from '../../core/store/ids.ts';
import { row } from '../../core/store/store.ts';
import { organizationByName } from '../../organizations/organizations/organization.ts';
import { addToken } from '../oauth-tokens/oauth-token.ts';
import { oauthClientById, oauthClients } from './oauth-client.ts';
import { addProjects, given, givenLinks, linkFaults, plainColumns, providerFaults, sealedSecrets } from './settings.ts';

export const createOauthClient = endpoint({
  operation: 'oauth-clients.create',
  section: '§1',
  summary: 'Create a connection to version control',
  method: 'POST',
  paths: ['/organizations/:organization_name/oauth-clients'],
  subject: organizationByName,
  needs: policy['organization:manage-oauth-clients'],
  holds: 'key share',
  body: documentBody(given, { required: ['service-provider', 'http-url', 'api-url'], relationships: givenLinks }),
  answer: { status: 201, document: oauthClients, reads: oauthClientById },
  errors: ['invalid-relationship'],
  check: async ({ sql, actor, subject, body: { attributes, relationships }, faults }) => {
    faults.push(...providerFaults(attributes, attributes['service-provider']));
    faults.push(...(await linkFaults(sql, actor, subject.organization_id, relationships)));
  },
  handle: async ({ sql, subject, body: { attributes, relationships }, config }) => {
    const id = newId('oc');
    await sql`
      insert into oauth_clients ${row(sql, {
        ...defaults(oauthClients),
        ...plainColumns(attributes),
        ...sealedSecrets(config, id, attributes),
        id,
        organization_id: subject.organization_id,
        agent_pool_id: relationships['agent-pool'] ?? null,
      })}`;
    await addProjects(sql, id, relationships.projects ?? []);
    const token = attributes['oauth-token-string'];
    if (token) await addToken(sql, config, id, token);
    return id;
  },
});
