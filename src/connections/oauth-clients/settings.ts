/** What a body says of a connection: its secrets, its rules, and the projects and the agent pool that it names. */
import { Type } from 'typebox';
import { namedProjects } from '../../access/named.ts';
import type { Actor } from '../../core/access/actor.ts';
import type { Config } from '../../core/config.ts';
import { attributeFault, type Fault, relationshipFault } from '../../core/errors.ts';
import { toMany, toOne, type WriteOf } from '../../core/jsonapi/body.ts';
import { column, nullable, text } from '../../core/jsonapi/fields.ts';
import { columns, resource } from '../../core/jsonapi/resource.ts';
import { seal } from '../../core/store/secrets.ts';
import type { Sql } from '../../core/store/store.ts';
import { isAgentPoolOf } from '../agent-pools/agent-pool.ts';
import { type ServiceProvider, signsRequests } from '../forges/providers.ts';
import { oauthClients } from './oauth-client.ts';

const secret = nullable(Type.String({ maxLength: 32_768 }));

/** The document with the secrets that bodies carry and answers do not. */
export const given = resource({
  type: oauthClients.type,
  attributes: {
    ...oauthClients.attributes,
    secret: column(nullable(text), { write: secret }),
    'private-key': column(nullable(text), { write: secret }),
    'oauth-token-string': column(nullable(text), { write: secret }),
  },
  relationships: {},
});

export const givenLinks = { projects: toMany('projects'), 'agent-pool': toOne('agent-pools') };

type Given = WriteOf<(typeof given)['attributes']>;

/** Pure: what the kind of provider allows. */
export function providerFaults(attributes: Given, provider: ServiceProvider | undefined): Fault[] {
  const faults: Fault[] = [];
  if (provider && signsRequests(provider) && attributes.key === '') {
    faults.push(attributeFault('key', "Key can't be blank"));
  }
  if (provider && provider !== 'git' && attributes['http-url']?.startsWith('ssh:')) {
    faults.push(attributeFault('http-url', 'Http url can be one of ssh for plain git only'));
  }
  if (provider && attributes['private-key'] && provider !== 'ado_server') {
    faults.push(attributeFault('private-key', 'Private key can only be given for Azure DevOps Server'));
  }
  return faults;
}

/** Every project must be one of the organization that the caller sees, and so must the pool; both are held. */
export async function linkFaults(
  sql: Sql,
  actor: Actor,
  organizationId: string,
  { projects = [], 'agent-pool': poolId }: { projects?: string[]; 'agent-pool'?: string | null },
): Promise<Fault[]> {
  const faults: Fault[] = [];
  const unknown = await unknownProjects(sql, actor, organizationId, projects);
  if (unknown.length > 0) {
    const reason = `Projects not found, or you are not authorized to use them: ${unknown.join(', ')}`;
    faults.push(relationshipFault('projects', reason));
  }
  if (typeof poolId === 'string' && !(await isAgentPoolOf(sql, organizationId, poolId))) {
    const reason = 'the provided agent pool does not exist or you are not authorized to use it';
    faults.push(relationshipFault('agent-pool', reason));
  }
  return faults;
}

/** The ids that name no project of the organization that the caller sees. The others are held. */
export async function unknownProjects(
  sql: Sql,
  actor: Actor,
  organizationId: string,
  ids: readonly string[],
): Promise<string[]> {
  const known = await namedProjects(sql, actor, { organization_id: organizationId }, ids);
  return [...new Set(ids)].filter(id => !known.has(id));
}

export const secretContext = (id: string, member: 'secret' | 'private-key' | 'webhook-secret') =>
  `oauth-clients/${id}/${member}`;

/** The columns of the secrets that a body gives. Null and an empty text remove one. */
export function sealedSecrets(
  config: Config,
  id: string,
  attributes: Given,
): Record<string, Buffer | null | undefined> {
  const sealed = (member: 'secret' | 'private-key') => {
    const value = attributes[member];
    return value === undefined ? undefined : value ? seal(config, value, secretContext(id, member)) : null;
  };
  return { sealed_secret: sealed('secret'), sealed_private_key: sealed('private-key') };
}

/** The plain columns that a body gives. Clients send empty texts for what they do not have. */
export function plainColumns(attributes: Given): Record<string, unknown> {
  const given = Object.entries(columns(oauthClients, attributes));
  return Object.fromEntries(given.map(([name, value]) => [name, value === '' ? null : value]));
}

/** Adds projects to those that may use the connection; the ones that are there already stay. */
export async function addProjects(sql: Sql, id: string, projectIds: readonly string[]): Promise<void> {
  await sql`
    insert into oauth_client_projects (oauth_client_id, project_id)
    select ${id}, given.project_id from unnest(${projectIds as string[]}::text[]) as given (project_id)
    on conflict do nothing`;
}
