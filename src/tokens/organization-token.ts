/** §5.6 The token of an organization: there is at most one, and making it anew revokes the one before. */
import { policy } from '../access/policy.ts';
import { ApiError } from '../errors.ts';
import { endpoint } from '../jsonapi/endpoint.ts';
import { type RawQuery, single } from '../jsonapi/page.ts';
import { organizationByName } from '../organizations/organization.ts';
import { expiryFaults, issueToken, tokenBody } from './issue.ts';
import { organizationAccount } from './service-account.ts';
import { readTokens, tokens } from './token.ts';

const paths = ['/organizations/:organization_name/authentication-token'] as const;
const query = { token: 'The kind of token: organization, the only one' };

export const createOrganizationToken = endpoint({
  operation: 'authentication-tokens.create-for-organization',
  section: '§5.6',
  summary: "Create the organization's token, in place of the one before",
  method: 'POST',
  paths,
  subject: organizationByName,
  needs: policy['organization:manage-token'],
  query,
  body: tokenBody,
  answer: { status: 201, document: tokens },
  errors: ['invalid-parameter'],
  check: ({ query, body, faults }) => {
    requireKnownKind(query);
    faults.push(...expiryFaults(body.attributes['expired-at']));
  },
  handle: async ({ sql, actor, config, subject, body }) => {
    const organizationId = subject.organization_id;
    await sql`delete from tokens where tokens.organization_id = ${organizationId} and tokens.kind = 'organization'`;
    const userId = await organizationAccount(sql, organizationId, subject.name);
    const holder = { kind: 'organization', organization_id: organizationId, user_id: userId } as const;
    return issueToken(sql, actor, config, holder, { ...body.attributes, description: null });
  },
});

export const showOrganizationToken = endpoint({
  operation: 'authentication-tokens.show-of-organization',
  section: '§5.6',
  summary: "Show the organization's token",
  method: 'GET',
  paths,
  subject: organizationByName,
  needs: policy['organization:manage-token'],
  query,
  answer: { status: 200, document: tokens },
  errors: ['invalid-parameter'],
  check: ({ query }) => requireKnownKind(query),
  handle: async ({ sql, actor, subject }) => {
    const condition = sql`tokens.organization_id = ${subject.organization_id} and tokens.kind = 'organization'`;
    const [token] = await readTokens(sql, actor, condition);
    if (!token) throw new ApiError('not-found');
    return token;
  },
});

export const deleteOrganizationToken = endpoint({
  operation: 'authentication-tokens.delete-of-organization',
  section: '§5.6',
  summary: "Revoke the organization's token",
  method: 'DELETE',
  paths,
  subject: organizationByName,
  needs: policy['organization:manage-token'],
  query,
  answer: { status: 204 },
  errors: ['invalid-parameter'],
  check: ({ query }) => requireKnownKind(query),
  handle: async ({ sql, subject, note }) => {
    const revoked = await sql<{ id: string }[]>`
      delete from tokens
      where tokens.organization_id = ${subject.organization_id} and tokens.kind = 'organization'
      returning tokens.id`;
    if (revoked.length === 0) throw new ApiError('not-found');
    note({ revoked: revoked.map(({ id }) => id) });
  },
});

/** Another kind that clients ask for reads audit trails, which are not served. */
function requireKnownKind(given: RawQuery): void {
  const kind = single(given, 'token');
  if (kind === undefined || kind === '' || kind === 'organization') return;
  const reason = 'token must be organization: there is no other kind of organization token here.';
  throw new ApiError('invalid-parameter', { reason }, { parameter: 'token' });
}
