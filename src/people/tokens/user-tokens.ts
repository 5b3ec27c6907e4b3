/** §5.6 Tokens of a person: made by themselves or by a site administrator, listed for themselves alone. */
import { policy } from '../../access/policy.ts';
import { ApiError } from '../../core/errors.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { organizationsOf, userById } from '../users/user.ts';
import { expiryFaults, issueToken, tokenBody } from './issue.ts';
import { tokenRecords, tokens } from './token.ts';

const paths = ['/users/:user_id/authentication-tokens'] as const;

export const createUserToken = endpoint({
  operation: 'authentication-tokens.create-for-user',
  section: '§5.6',
  summary: 'Create a token of a user',
  method: 'POST',
  paths,
  subject: userById,
  needs: policy['user:create-token'],
  body: tokenBody,
  answer: { status: 201, document: tokens },
  check: ({ subject, body, faults }) => {
    // A service account acts through the tokens of its team or organization, someone invited through none.
    if (subject.is_service_account || subject.username === null) throw new ApiError('not-found');
    faults.push(...expiryFaults(body.attributes['expired-at']));
  },
  handle: async ({ sql, actor, config, subject, body, note, alsoIn }) => {
    if (actor.userId !== subject.id) {
      note({ username: subject.username });
      alsoIn(await organizationsOf(sql, subject.id));
    }
    return issueToken(sql, actor, config, { kind: 'user', user_id: subject.id }, body.attributes);
  },
});

export const listUserTokens = endpoint({
  operation: 'authentication-tokens.list-of-user',
  section: '§5.6',
  summary: 'List the tokens of a user',
  method: 'GET',
  paths,
  subject: userById,
  needs: policy['user:read'],
  answer: { status: 200, collection: tokens, pages: 'when-asked' },
  handle: async context => {
    const { sql, subject } = context;
    const isTheirs = (subject.powers & policy['user:create-token'].anyOf) !== 0;
    if (!isTheirs) return { rows: [], total: 0 };
    const condition = sql`tokens.kind = 'user' and tokens.user_id = ${subject.id}`;
    return tokenRecords.page(context, condition, sql`tokens.created_at, tokens.id`);
  },
});
