/** §5.6 A team's token without a description: there is at most one, and making it anew revokes the one before. */
import { policy } from '../../access/policy.ts';
import { ApiError } from '../../core/errors.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import type { Deployment } from '../../core/jsonapi/fields.ts';
import { longestLife } from '../../organizations/token-ttl-policies/token-ttl-policy.ts';
import { mayManageTokens, type Team, teamById } from '../teams/team.ts';
import { expiryFaults, issueToken, tokenBody } from './issue.ts';
import { teamAccount } from './service-account.ts';
import { tokenRecords, tokens } from './token.ts';

const paths = ['/teams/:team_id/authentication-token'] as const;

/** §9.2: what a release takes from members is for owners alone. */
export function requireTokenManager({ subject, deployment }: { subject: Team; deployment: Deployment }): void {
  if (!mayManageTokens(subject, deployment)) throw new ApiError('not-found');
}

export const createTeamToken = endpoint({
  operation: 'authentication-tokens.create-for-team',
  section: '§5.6',
  summary: "Create the team's token without a description, in place of the one before",
  method: 'POST',
  paths,
  subject: teamById,
  needs: policy['team:issue-token'],
  body: tokenBody,
  answer: { status: 201, document: tokens },
  check: async context => {
    requireTokenManager(context);
    const longest_ms = await longestLife(context.sql, context.subject.organization_id, 'team');
    context.faults.push(...expiryFaults(context.body.attributes['expired-at'], longest_ms));
    return longest_ms;
  },
  handle: async ({ sql, actor, config, subject, body }, longest_ms) => {
    await sql`
      delete from tokens
      where tokens.team_id = ${subject.id} and tokens.kind = 'team' and tokens.description is null`;
    const holder = { kind: 'team', team_id: subject.id, user_id: await teamAccount(sql, subject.id) } as const;
    return issueToken(sql, actor, config, holder, { ...body.attributes, description: null, longest_ms });
  },
});

export const showTeamToken = endpoint({
  operation: 'authentication-tokens.show-of-team',
  section: '§5.6',
  summary: "Show the team's token without a description",
  method: 'GET',
  paths,
  subject: teamById,
  needs: policy['team:manage-tokens'],
  answer: { status: 200, document: tokens },
  check: requireTokenManager,
  handle: async ({ sql, actor, subject }) => {
    const condition = sql`tokens.team_id = ${subject.id} and tokens.kind = 'team' and tokens.description is null`;
    const [token] = await tokenRecords.read(sql, actor, condition);
    if (!token) throw new ApiError('not-found');
    return token;
  },
});

export const deleteTeamToken = endpoint({
  operation: 'authentication-tokens.delete-of-team',
  section: '§5.6',
  summary: "Revoke the team's token without a description",
  method: 'DELETE',
  paths,
  subject: teamById,
  needs: policy['team:manage-tokens'],
  answer: { status: 204 },
  check: requireTokenManager,
  handle: async ({ sql, subject, note }) => {
    const revoked = await sql<{ id: string }[]>`
      delete from tokens
      where tokens.team_id = ${subject.id} and tokens.kind = 'team' and tokens.description is null
      returning tokens.id`;
    if (revoked.length === 0) throw new ApiError('not-found');
    note({ revoked: revoked.map(({ id }) => id) });
  },
});
