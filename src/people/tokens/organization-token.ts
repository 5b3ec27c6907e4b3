/** §5.6 The tokens of an organization: one that acts as an owner, one that reads the audit. A new one revokes the one before. */

import { policy } from '../../access/policy.ts';
import { ApiError } from '../../core/errors.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { word } from '../../core/jsonapi/query.ts';
import { organizationByName } from '../../organizations/organizations/organization.ts';
import { longestLife } from '../../organizations/token-ttl-policies/token-ttl-policy.ts';
import { expiryFaults, issueToken, tokenBody } from './issue.ts';
import { organizationAccount } from './service-account.ts';
import { tokenRecords, tokens } from './token.ts';

const paths = ['/organizations/:organization_name/authentication-token'] as const;
const query = {
  token: word(
    'The kind of token: organization (the default), or audit-trails, which reads the audit alone',
    'organization',
    'audit-trails',
  ),
};

export const createOrganizationToken = endpoint({
  operation: 'authentication-tokens.create-for-organization',
  section: '§5.6',
  summary: "Create the organization's token, in place of the one before",
  method: 'POST',
  paths,
  subject: organizationByName,
  needs: policy['organization:issue-token'],
  query,
  body: tokenBody,
  answer: { status: 201, document: tokens },
  errors: ['invalid-parameter'],
  check: async ({ sql, subject, body, query: { token: kind = 'organization' }, faults }) => {
    const type = kind === 'organization' ? kind : 'audit_trails';
    const longest_ms = await longestLife(sql, subject.organization_id, type);
    faults.push(...expiryFaults(body.attributes['expired-at'], longest_ms));
    return longest_ms;
  },
  handle: async ({ sql, actor, config, subject, body, query: { token: kind = 'organization' } }, longest_ms) => {
    const organizationId = subject.organization_id;
    await sql`delete from tokens where tokens.organization_id = ${organizationId} and tokens.kind = ${kind}`;
    const userId = await organizationAccount(sql, organizationId, subject.name);
    const holder = { kind, organization_id: organizationId, user_id: userId };
    return issueToken(sql, actor, config, holder, { ...body.attributes, description: null, longest_ms });
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
  handle: async ({ sql, actor, subject, query: { token: kind = 'organization' } }) => {
    const condition = sql`tokens.organization_id = ${subject.organization_id} and tokens.kind = ${kind}`;
    const [token] = await tokenRecords.read(sql, actor, condition);
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
  handle: async ({ sql, subject, note, query: { token: kind = 'organization' } }) => {
    const revoked = await sql<{ id: string }[]>`
      delete from tokens
      where tokens.organization_id = ${subject.organization_id} and tokens.kind = ${kind}
      returning tokens.id`;
    if (revoked.length === 0) throw new ApiError('not-found');
    note({ revoked: revoked.map(({ id }) => id) });
  },
});
