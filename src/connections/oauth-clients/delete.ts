/** Delete a connection to version control with its tokens. Workspaces that used one are left without a repository. */
import { policy } from '../../access/policy.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { unlinkRepositories } from '../oauth-tokens/oauth-token.ts';
import { oauthClientById } from './oauth-client.ts';

export const deleteOauthClient = endpoint({
  operation: 'oauth-clients.delete',
  section: '§1',
  summary: 'Delete a connection to version control',
  method: 'DELETE',
  paths: ['/oauth-clients/:oauth_client_id'],
  subject: oauthClientById,
  needs: policy['oauth-client:manage'],
  answer: { status: 204 },
  handle: async ({ sql, subject, note }) => {
    // The tokens first: whoever links a workspace at this moment waits for them, and then finds none.
    const tokens = await sql<{ id: string }[]>`
      delete from oauth_tokens where oauth_tokens.oauth_client_id = ${subject.id} returning oauth_tokens.id`;
    const ids = tokens.map(({ id }) => id);
    const unlinked = await unlinkRepositories(sql, ids);
    await sql`delete from oauth_clients where oauth_clients.id = ${subject.id}`;
    note({ 'oauth-tokens': ids, 'unlinked-workspaces': unlinked });
  },
});
