/** Agent pool: the document, the SELECT and the finder. Workspaces and projects name one for the mode `agent` (§4.2). */

import { agentPoolAccess } from '../../access/owned.ts';
import { projectIsReadable } from '../../access/projects.ts';
import { workspaceIsReadable } from '../../access/workspaces.ts';
import { addressed, boolean, column, integer, linked, references, text, timestamp } from '../../core/jsonapi/fields.ts';
import { plainName } from '../../core/jsonapi/forms.ts';
import { records, type Subject } from '../../core/jsonapi/records.ts';
import { type RowOf, resource } from '../../core/jsonapi/resource.ts';
import type { Sql } from '../../core/store/store.ts';
import { agentIsPresent } from '../../organizations/executors.ts';

interface AgentPoolRow extends Subject<'agent-pool'> {
  organization_id: string;
  organization_name: string;
  /** Those that have the pool as their own and that the caller may see. */
  workspace_ids: string[];
  /** Of the lists of its scope, too, what the caller may see. */
  allowed_workspace_ids: string[];
  allowed_project_ids: string[];
  excluded_workspace_ids: string[];
}

const attributes = {
  name: column(text, { write: plainName }),
  'organization-scoped': column(boolean, { write: true, default: true }),
  'agent-count': column(integer),
  'created-at': column(timestamp),
};

export const agentPools = resource({
  type: 'agent-pools',
  attributes,
  relationships: {
    organization: addressed('organizations', 'organization_name'),
    workspaces: references('workspaces', 'workspace_ids'),
    'allowed-workspaces': references('workspaces', 'allowed_workspace_ids'),
    'allowed-projects': references('projects', 'allowed_project_ids'),
    'excluded-workspaces': references('workspaces', 'excluded_workspace_ids'),
    agents: linked(row => `/api/v2/agent-pools/${row.id}/agents`),
    'authentication-tokens': linked(row => `/api/v2/agent-pools/${row.id}/authentication-tokens`),
  },
  links: row => ({ self: `/api/v2/agent-pools/${row.id}` }),
  load: (sql, actor, ids) => agentPoolRecords.load(sql, actor, ids),
});

export interface AgentPool extends RowOf<typeof attributes>, AgentPoolRow {}

export const agentPoolRecords = records<AgentPool>({
  table: 'agent_pools',
  columns: (sql, actor) => sql`
    agent_pools.id, agent_pools.organization_id, organizations.name as organization_name, agent_pools.name,
    agent_pools.organization_scoped, agent_pools.created_at,
    (
      select count(*) from agents where agents.agent_pool_id = agent_pools.id and ${agentIsPresent(sql)}
    ) as agent_count,
    array(
      select workspaces.id from workspaces
      where workspaces.agent_pool_id = agent_pools.id and ${workspaceIsReadable(sql, actor)}
      order by workspaces.id
    ) as workspace_ids,
    array(
      select workspaces.id from agent_pool_allowed_workspaces
      join workspaces on workspaces.id = agent_pool_allowed_workspaces.workspace_id
      where agent_pool_allowed_workspaces.agent_pool_id = agent_pools.id and ${workspaceIsReadable(sql, actor)}
      order by workspaces.id
    ) as allowed_workspace_ids,
    array(
      select projects.id from agent_pool_allowed_projects
      join projects on projects.id = agent_pool_allowed_projects.project_id
      where agent_pool_allowed_projects.agent_pool_id = agent_pools.id and ${projectIsReadable(sql, actor)}
      order by projects.id
    ) as allowed_project_ids,
    array(
      select workspaces.id from agent_pool_excluded_workspaces
      join workspaces on workspaces.id = agent_pool_excluded_workspaces.workspace_id
      where agent_pool_excluded_workspaces.agent_pool_id = agent_pools.id and ${workspaceIsReadable(sql, actor)}
      order by workspaces.id
    ) as excluded_workspace_ids`,
  from: sql => sql`
    agent_pools
    join organizations on organizations.id = agent_pools.organization_id`,
  isVisible: (sql, actor) => sql`agent_pools.organization_id = any(${agentPoolAccess.organizationsOf(actor)})`,
  powers: (row, actor) => agentPoolAccess.powersIn(actor, row.organization_id),
});

export const agentPoolById = agentPoolRecords.byId('agent_pool_id');

/** Whether the pool is one of the organization. It is held until the transaction ends, so that nobody deletes it. */
export async function isAgentPoolOf(sql: Sql, organizationId: string, poolId: string): Promise<boolean> {
  const found = await sql`
    select from agent_pools
    where agent_pools.id = ${poolId} and agent_pools.organization_id = ${organizationId}
    for key share`;
  return found.length > 0;
}
