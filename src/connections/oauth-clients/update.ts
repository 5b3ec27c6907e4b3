/** Update a connection to version control: what the body leaves out keeps its value; a new token takes the place of the old. */
import { policy } from '../../access/policy.ts';
import { documentBody } from '../../core/jsonapi/body.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { row } from '../../core/store/store.ts';
import { reviseOrganization } from '../../organizations/revisions.ts';
import { renewToken } from '../oauth-tokens/oauth-token.ts';
import { oauthClientById, oauthClients } from './oauth-client.ts';
import { addProjects, given, givenLinks, linkFaults, plainColumns, providerFaults, sealedSecrets } from './settings.ts';

export const updateOauthClient = endpoint({
  operation: 'oauth-clients.update',
  section: '§1',
  summary: 'Update a connection to version control',
  method: 'PATCH',
  paths: ['/oauth-clients/:oauth_client_id'],
  subject: oauthClientById,
  needs: policy['oauth-client:manage'],
  body: documentBody(given, { relationships: givenLinks }),
  answer: { status: 200, document: oauthClients, reads: oauthClientById },
  errors: ['invalid-relationship'],
  check: async ({ sql, actor, subject, body: { attributes, relationships }, faults }) => {
    faults.push(...providerFaults(attributes, attributes['service-provider'] ?? subject.service_provider));
    faults.push(...(await linkFaults(sql, actor, subject.organization_id, relationships)));
  },
  handle: async ({ sql, subject, body: { attributes, relationships }, config, note }) => {
    const { id } = subject;
    await sql`
      update oauth_clients set ${row(sql, {
        id,
        ...plainColumns(attributes),
        ...sealedSecrets(config, id, attributes),
        agent_pool_id: relationships['agent-pool'],
      })}
      where oauth_clients.id = ${id}`;
    await reviseOrganization(sql, subject.organization_id);
    if (relationships.projects) {
      // Projects that the caller does not see are not the caller's to take away.
      await sql`
        delete from oauth_client_projects
        where oauth_client_projects.oauth_client_id = ${id}
          and oauth_client_projects.project_id = any(${subject.project_ids})`;
      await addProjects(sql, id, relationships.projects);
    }
    const token = attributes['oauth-token-string'];
    if (token) await renewToken(sql, config, id, token);
    const secrets = (['secret', 'private-key', 'oauth-token-string'] as const).filter(
      name => attributes[name] !== undefined,
    );
    if (secrets.length > 0) note({ secrets: secrets.map(name => `${name} changed`) });
    return id;
  },
});
