/** Agent pool: the document, the SELECT and the finder. Workspaces and projects name one for the mode `agent` (§4.2). */

import { Type } from 'typebox';
import { organizationPowersOf } from '../../access/organization-access.ts';
import { agentPoolPowers, policy } from '../../access/policy.ts';
import { projectIsReadable } from '../../access/projects.ts';
import { workspaceIsReadable } from '../../access/workspaces.ts';
import type { Actor } from '../../core/access/actor.ts';
import type { Finder, Subject } from '../../core/jsonapi/endpoint.ts';
import {
  boolean,
  column,
  computed,
  integer,
  linked,
  type Row,
  reference,
  references,
  text,
  timestamp,
} from '../../core/jsonapi/fields.ts';
import { type RowOf, resource } from '../../core/jsonapi/resource.ts';
import { type Fragment, held, type Sql } from '../../core/store/store.ts';

const nameForm = Type.String({
  pattern: '^[A-Za-z0-9_-]{1,90}$',
  'x-rule': 'may only contain letters, numbers, - and _, and at most 90 of them',
});

const attributes = {
  name: column(text, { write: nameForm }),
  'organization-scoped': column(boolean, { write: true, default: true }),
  'agent-count': computed(integer, () => 0),
  'created-at': column(timestamp),
};

export const agentPools = resource({
  type: 'agent-pools',
  attributes,
  relationships: {
    organization: reference(
      'organizations',
      'organization_name',
      row => `/api/v2/organizations/${row['organization_name']}`,
    ),
    workspaces: references('workspaces', 'workspace_ids'),
    'allowed-workspaces': references('workspaces', 'allowed_workspace_ids'),
    'allowed-projects': references('projects', 'allowed_project_ids'),
    'excluded-workspaces': references('workspaces', 'excluded_workspace_ids'),
    agents: linked(row => `/api/v2/agent-pools/${row.id}/agents`),
    'authentication-tokens': linked(row => `/api/v2/agent-pools/${row.id}/authentication-tokens`),
  },
  links: row => ({ self: `/api/v2/agent-pools/${row.id}` }),
  load: (sql, actor, ids) => readAgentPools(sql, actor, sql`agent_pools.id = any(${ids as string[]})`),
});

export interface AgentPool extends RowOf<typeof attributes>, Subject {
  id: string;
  organization_id: string;
  organization_name: string;
  /** Those that have the pool as their own and that the caller may see. */
  workspace_ids: string[];
  /** Of the lists of its scope, too, what the caller may see. */
  allowed_workspace_ids: string[];
  allowed_project_ids: string[];
  excluded_workspace_ids: string[];
}

/** The pools of a condition, in the organizations that the actor belongs to. */
export async function readAgentPools(
  sql: Sql,
  actor: Actor,
  condition: Fragment,
  rest?: Fragment,
): Promise<AgentPool[]> {
  const rows = await sql<Row[]>`
    select
      agent_pools.id, agent_pools.organization_id, organizations.name as organization_name, agent_pools.name,
      agent_pools.organization_scoped, agent_pools.created_at,
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
      ) as excluded_workspace_ids
    from agent_pools
    join organizations on organizations.id = agent_pools.organization_id
    where ${condition} and agent_pools.organization_id = any(${[...actor.standings.keys()]})
    ${rest ?? sql``}`;
  return rows.map(row => ({ ...row, powers: powersOn(actor, row['organization_id']) }) as unknown as AgentPool);
}

function powersOn(actor: Actor, organizationId: string): number {
  const powers = organizationPowersOf(actor, organizationId);
  const may = (action: 'organization:list-agent-pools' | 'organization:manage-agent-pools') =>
    (powers & policy[action].anyOf) !== 0;
  const { bit } = agentPoolPowers;
  return (
    (may('organization:list-agent-pools') ? bit.read : 0) | (may('organization:manage-agent-pools') ? bit.manage : 0)
  );
}

/** Whether the pool is one of the organization. It is held until the transaction ends, so that nobody deletes it. */
export async function isAgentPoolOf(sql: Sql, organizationId: string, poolId: string): Promise<boolean> {
  const found = await sql`
    select from agent_pools
    where agent_pools.id = ${poolId} and agent_pools.organization_id = ${organizationId}
    for key share`;
  return found.length > 0;
}

export const agentPoolById: Finder<AgentPool> = {
  find: async (sql, actor, params, lock) => {
    const condition = sql`agent_pools.id = ${params['agent_pool_id']!}`;
    const [found] = await readAgentPools(sql, actor, condition, held(sql, lock, 'agent_pools'));
    return found;
  },
};
