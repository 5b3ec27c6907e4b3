/** §5.6 Any token by its id: shown without its secret text, and revoked for good. */
import { policy } from '../../access/policy.ts';
import { ApiError } from '../../core/errors.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import type { Deployment } from '../../core/jsonapi/fields.ts';
import { hasMemberTokens } from '../teams/team.ts';
import { type Token, tokenById, tokens } from './token.ts';

const paths = ['/authentication-tokens/:token_id'] as const;

export const showToken = endpoint({
  operation: 'authentication-tokens.show',
  section: '§5.6',
  summary: 'Show a token, without its secret text',
  method: 'GET',
  paths,
  subject: tokenById,
  needs: policy['token:read'],
  answer: { status: 200, document: tokens },
  check: requireTokenRight,
  handle: ({ subject }) => subject,
});

export const deleteToken = endpoint({
  operation: 'authentication-tokens.delete',
  section: '§5.6',
  summary: 'Revoke a token',
  method: 'DELETE',
  paths,
  subject: tokenById,
  needs: policy['token:delete'],
  answer: { status: 204 },
  check: requireTokenRight,
  handle: async ({ sql, subject }) => {
    await sql`delete from tokens where tokens.id = ${subject.id}`;
  },
});

/** §9.2: what a release takes from members is for owners alone. */
function requireTokenRight({ subject, deployment }: { subject: Token; deployment: Deployment }): void {
  if (subject.is_by_membership && !hasMemberTokens(deployment)) throw new ApiError('not-found');
}
