/** A token by its id: shown without its text, given a private key for submodules, and deleted. */
import { policy } from '../../access/policy.ts';
import { documentBody } from '../../core/jsonapi/body.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { seal } from '../../core/store/secrets.ts';
import { given, oauthTokenById, oauthTokens, tokenContext, unlinkRepositories } from './oauth-token.ts';

const paths = ['/oauth-tokens/:oauth_token_id'] as const;

export const showOauthToken = endpoint({
  operation: 'oauth-tokens.show',
  section: '§4.2',
  summary: 'Show a token of a connection to version control',
  method: 'GET',
  paths,
  subject: oauthTokenById,
  needs: policy['oauth-client:read'],
  include: ['oauth-client'],
  answer: { status: 200, document: oauthTokens },
  handle: ({ subject }) => subject,
});

export const updateOauthToken = endpoint({
  operation: 'oauth-tokens.update',
  section: '§4.2',
  summary: 'Give a token of a connection to version control a private key, or take it away',
  method: 'PATCH',
  paths,
  subject: oauthTokenById,
  needs: policy['oauth-client:manage'],
  body: documentBody(given),
  answer: { status: 200, document: oauthTokens, reads: oauthTokenById },
  handle: async ({ sql, subject, body: { attributes }, config, note }) => {
    const value = attributes['ssh-key'];
    if (value !== undefined) {
      const sealed = value ? seal(config, value, tokenContext(subject.id, 'ssh-key')) : null;
      await sql`update oauth_tokens set sealed_ssh_key = ${sealed} where oauth_tokens.id = ${subject.id}`;
      note({ secrets: ['ssh-key changed'] });
    }
  },
});

export const deleteOauthToken = endpoint({
  operation: 'oauth-tokens.delete',
  section: '§4.2',
  summary: 'Delete a token of a connection to version control',
  method: 'DELETE',
  paths,
  subject: oauthTokenById,
  needs: policy['oauth-client:manage'],
  answer: { status: 204 },
  handle: async ({ sql, subject, note }) => {
    note({ 'unlinked-workspaces': await unlinkRepositories(sql, [subject.id]) });
    await sql`delete from oauth_tokens where oauth_tokens.id = ${subject.id}`;
  },
});
