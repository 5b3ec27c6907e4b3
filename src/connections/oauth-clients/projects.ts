/** The projects that may use a connection which is not open to the whole organization: added and removed in lists. */

import { policy } from '../../access/policy.ts';
import type { Actor } from '../../core/access/actor.ts';
import { ApiError } from '../../core/errors.ts';
import { identifiersBody } from '../../core/jsonapi/body.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import type { Sql } from '../../core/store/store.ts';
import { type OauthClient, oauthClientById } from './oauth-client.ts';
import { addProjects, unknownProjects } from './settings.ts';

const common = {
  section: '§1',
  paths: ['/oauth-clients/:oauth_client_id/relationships/projects'],
  subject: oauthClientById,
  needs: policy['oauth-client:manage'],
  body: identifiersBody('projects'),
  answer: { status: 204 },
} as const;

export const addOauthClientProjects = endpoint({
  ...common,
  operation: 'oauth-clients.add-projects',
  summary: 'Let projects use a connection to version control',
  method: 'POST',
  check: ({ sql, actor, subject, body }) => requireProjects(sql, actor, subject, body),
  handle: async ({ sql, subject, body, note }) => {
    await addProjects(sql, subject.id, body);
    note({ added: body });
  },
});

export const removeOauthClientProjects = endpoint({
  ...common,
  operation: 'oauth-clients.remove-projects',
  summary: 'Let projects no longer use a connection to version control',
  method: 'DELETE',
  check: ({ sql, actor, subject, body }) => requireProjects(sql, actor, subject, body),
  handle: async ({ sql, subject, body, note }) => {
    await sql`
      delete from oauth_client_projects
      where oauth_client_projects.oauth_client_id = ${subject.id}
        and oauth_client_projects.project_id = any(${body})`;
    note({ removed: body });
  },
});

/** Throws `not-found` unless each is a project of the connection's organization that the caller sees. */
async function requireProjects(sql: Sql, actor: Actor, client: OauthClient, ids: readonly string[]): Promise<void> {
  const unknown = await unknownProjects(sql, actor, client.organization_id, ids);
  if (unknown.length > 0) throw new ApiError('not-found');
}
