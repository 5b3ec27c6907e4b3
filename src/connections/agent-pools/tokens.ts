/** Tokens that agents of a pool sign in with: any number, each under a description. They open the agents' own door alone. */

import { policy } from '../../access/policy.ts';
import { attributeFault } from '../../core/errors.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { describedTokenBody, expiryFaults, issueToken } from '../../people/tokens/issue.ts';
import { organizationAccount } from '../../people/tokens/service-account.ts';
import { tokenRecords, tokens } from '../../people/tokens/token.ts';
import { agentPoolById } from './agent-pool.ts';

const paths = ['/agent-pools/:agent_pool_id/authentication-tokens'] as const;

export const createAgentToken = endpoint({
  operation: 'authentication-tokens.create-for-agent-pool',
  section: '§5.6',
  summary: 'Create a token for agents of a pool',
  method: 'POST',
  paths,
  subject: agentPoolById,
  needs: policy['agent-pool:manage'],
  holds: 'key share',
  body: describedTokenBody,
  answer: { status: 201, document: tokens },
  check: ({ body: { attributes }, faults }) => {
    if (attributes.description === '' || attributes.description === null) {
      faults.push(attributeFault('description', "Description can't be blank"));
    }
    faults.push(...expiryFaults(attributes['expired-at']));
  },
  handle: async ({ sql, actor, config, subject, body: { attributes } }) => {
    const { organization_id, organization_name, id: agent_pool_id } = subject;
    const userId = await organizationAccount(sql, organization_id, organization_name);
    const holder = { kind: 'agent', user_id: userId, organization_id, agent_pool_id } as const;
    // An agent is not there to ask for another token: without a date it never expires.
    return issueToken(sql, actor, config, holder, { ...attributes, 'expired-at': attributes['expired-at'] ?? null });
  },
});

export const listAgentTokens = endpoint({
  operation: 'authentication-tokens.list-of-agent-pool',
  section: '§5.6',
  summary: 'List the tokens for agents of a pool',
  method: 'GET',
  paths,
  subject: agentPoolById,
  needs: policy['agent-pool:manage'],
  answer: { status: 200, collection: tokens, pages: 'when-asked' },
  handle: async ({ sql, actor, subject, page }) => {
    const condition = sql`tokens.agent_pool_id = ${subject.id}`;
    return tokenRecords.page({ sql, actor, page }, condition, sql`tokens.created_at, tokens.id`);
  },
});
