/** Agent pools, in the order of their use, and the tokens of their agents. */
import { deleteAgent, listAgents, showAgent } from './agents.ts';
import { createAgentPool } from './create.ts';
import { deleteAgentPool } from './delete.ts';
import { listAgentPools } from './list.ts';
import { showAgentPool } from './show.ts';
import { createAgentToken, listAgentTokens } from './tokens.ts';
import { updateAgentPool } from './update.ts';

export const agentPoolEndpoints = [
  listAgentPools,
  createAgentPool,
  showAgentPool,
  updateAgentPool,
  deleteAgentPool,
  listAgents,
  showAgent,
  deleteAgent,
  createAgentToken,
  listAgentTokens,
];
