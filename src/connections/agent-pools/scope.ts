/** Who may choose a pool (§4.2 `agent-pool-id`): everybody in its organization, or only those that it names. */

import { namedProjects, namedWorkspaces } from '../../access/named.ts';
import type { Actor } from '../../core/access/actor.ts';
import { type Fault, relationshipFault } from '../../core/errors.ts';
import { toMany } from '../../core/jsonapi/body.ts';
import type { Fragment, Sql } from '../../core/store/store.ts';

export const scopeLinks = {
  'allowed-workspaces': toMany('workspaces'),
  'allowed-projects': toMany('projects'),
  'excluded-workspaces': toMany('workspaces'),
};

/** What a body says; undefined where it is silent, and empty to name none. */
export type ScopeGiven = { [Name in keyof typeof scopeLinks]?: string[] };

/** Whose choice it would be: a workspace of a project, a new one (without an id), or a project for its default. */
export interface PoolPlace {
  projectId: string | null;
  workspaceId: string | null;
}

/** Whether a pool (a row of `agent_pools`) is open to a workspace, to a new one, or to a project as its default. */
export const openTo = (sql: Sql, place: PoolPlace): Fragment => sql`
  (
    agent_pools.organization_scoped
    or exists (
      select from agent_pool_allowed_workspaces
      where agent_pool_allowed_workspaces.agent_pool_id = agent_pools.id
        and agent_pool_allowed_workspaces.workspace_id = ${place.workspaceId}
    )
    or exists (
      select from agent_pool_allowed_projects
      where agent_pool_allowed_projects.agent_pool_id = agent_pools.id
        and agent_pool_allowed_projects.project_id = ${place.projectId}
    )
  )
  and not exists (
    select from agent_pool_excluded_workspaces
    where agent_pool_excluded_workspaces.agent_pool_id = agent_pools.id
      and agent_pool_excluded_workspaces.workspace_id = ${place.workspaceId}
  )`;

/** Whether the pool may be chosen there. It is held until the transaction ends, so that nobody deletes it. */
export async function mayUsePool(
  sql: Sql,
  place: PoolPlace & { organizationId: string },
  poolId: string,
): Promise<boolean> {
  const found = await sql`
    select from agent_pools
    where agent_pools.id = ${poolId} and agent_pools.organization_id = ${place.organizationId}
      and ${openTo(sql, place)}
    for key share of agent_pools`;
  return found.length > 0;
}

/** Every workspace and project must be one of the organization that the caller sees. They are held. */
export async function scopeFaults(sql: Sql, actor: Actor, organizationId: string, given: ScopeGiven): Promise<Fault[]> {
  const { 'allowed-workspaces': allowed = [], 'excluded-workspaces': excluded = [] } = given;
  const projectIds = given['allowed-projects'] ?? [];
  const workspaces = await namedWorkspaces(sql, actor, { organization_id: organizationId }, [...allowed, ...excluded]);
  const projects = await namedProjects(sql, actor, { organization_id: organizationId }, projectIds);
  return [
    ...unknownFaults('allowed-workspaces', allowed, workspaces),
    ...unknownFaults('allowed-projects', projectIds, projects),
    ...unknownFaults('excluded-workspaces', excluded, workspaces),
  ];
}

function unknownFaults(name: keyof ScopeGiven, given: readonly string[], known: ReadonlySet<string>): Fault[] {
  const unknown = [...new Set(given)].filter(id => !known.has(id));
  if (unknown.length === 0) return [];
  return [relationshipFault(name, `Not found, or you are not authorized to use them: ${unknown.join(', ')}`)];
}

const scopeNames = Object.keys(scopeLinks) as (keyof ScopeGiven)[];

/** Adds what a body names to the pool's lists. */
export async function addToScope(sql: Sql, poolId: string, given: ScopeGiven): Promise<void> {
  for (const name of scopeNames) {
    const { table, column } = placeOf(sql, name);
    await sql`
      insert into ${table} (agent_pool_id, ${column})
      select ${poolId}, given.id from unnest(${given[name] ?? []}::text[]) as given (id)
      on conflict do nothing`;
  }
}

/** Empties the lists that a body gives of what the caller sees in them; the rest is not the caller's to take away. */
export async function removeFromScope(
  sql: Sql,
  poolId: string,
  given: ScopeGiven,
  seen: Required<ScopeGiven>,
): Promise<void> {
  for (const name of scopeNames.filter(one => given[one])) {
    const { table, column } = placeOf(sql, name);
    await sql`delete from ${table} where ${table}.agent_pool_id = ${poolId} and ${table}.${column} = any(${seen[name]})`;
  }
}

function placeOf(sql: Sql, name: keyof ScopeGiven) {
  return {
    table: sql(`agent_pool_${name.replace('-', '_')}`),
    column: sql(name === 'allowed-projects' ? 'project_id' : 'workspace_id'),
  };
}
