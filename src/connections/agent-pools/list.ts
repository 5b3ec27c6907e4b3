/** List the agent pools of an organization: searched, sorted, paginated. Every member may read them. */

import { policy } from '../../access/policy.ts';
import { projectIsReadable } from '../../access/projects.ts';
import { workspaceIsReadable } from '../../access/workspaces.ts';
import type { Actor } from '../../core/access/actor.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { alias, type Order, sort, term } from '../../core/jsonapi/query.ts';
import { containing, listing } from '../../core/jsonapi/search.ts';
import { all } from '../../core/store/conditions.ts';
import type { Sql } from '../../core/store/store.ts';
import { organizationByName } from '../../organizations/organizations/organization.ts';
import { agentPoolRecords, agentPools } from './agent-pool.ts';
import { openTo, type PoolPlace } from './scope.ts';

export const listAgentPools = endpoint({
  operation: 'agent-pools.list',
  section: '§1',
  summary: 'List the agent pools of an organization',
  method: 'GET',
  paths: ['/organizations/:organization_name/agent-pools'],
  subject: organizationByName,
  needs: policy['organization:list-agent-pools'],
  query: {
    q: term('Pools whose name contains this, whatever its case'),
    sort: sort('The order', 'name', 'created-at'),
    // Clients write `_`, the vendor's description `-`.
    'filter[allowed_workspaces][name]': alias(
      term('Pools that the workspace of this name may use'),
      'filter[allowed-workspaces][name]',
    ),
    'filter[allowed_projects][name]': alias(
      term('Pools that the project of this name may use'),
      'filter[allowed-projects][name]',
    ),
  },
  include: ['workspaces', 'organization', 'allowed-workspaces', 'allowed-projects', 'excluded-workspaces'],
  answer: { status: 200, collection: agentPools, pages: 'always' },
  handle: async ({ store, actor, subject, query, page }) => {
    const sql = listing(store, query);
    const places = await placesAsked(sql, actor, subject.organization_id, query);
    const condition = all(sql, [
      sql`agent_pools.organization_id = ${subject.organization_id}`,
      query.q && sql`lower(agent_pools.name) like lower(${containing(query.q)})`,
      ...places.map(place => openTo(sql, place)),
    ]);
    return agentPoolRecords.page({ sql, actor, page }, condition, order(sql, query.sort));
  },
});

interface PlacesNamed {
  'filter[allowed_workspaces][name]': string | undefined;
  'filter[allowed_projects][name]': string | undefined;
}

/** A name that the caller does not see is that of nobody. */
async function placesAsked(sql: Sql, actor: Actor, organizationId: string, named: PlacesNamed): Promise<PoolPlace[]> {
  const workspaceName = named['filter[allowed_workspaces][name]'];
  const projectName = named['filter[allowed_projects][name]'];
  const places: PoolPlace[] = [];
  if (workspaceName) {
    const [workspace] = await sql<{ id: string; project_id: string }[]>`
      select workspaces.id, workspaces.project_id from workspaces
      where workspaces.organization_id = ${organizationId} and workspaces.name = ${workspaceName}
        and ${workspaceIsReadable(sql, actor)}`;
    places.push({ projectId: workspace?.project_id ?? null, workspaceId: workspace?.id ?? null });
  }
  if (projectName) {
    const [project] = await sql<{ id: string }[]>`
      select projects.id from projects
      where projects.organization_id = ${organizationId} and projects.name = ${projectName}
        and ${projectIsReadable(sql, actor)}`;
    places.push({ projectId: project?.id ?? null, workspaceId: null });
  }
  return places;
}

function order(sql: Sql, { by, isReversed }: Order<'name' | 'created-at'> = { by: 'name', isReversed: false }) {
  const column = { name: sql`agent_pools.name`, 'created-at': sql`agent_pools.created_at` }[by];
  const direction = isReversed ? sql`desc` : sql`asc`;
  return sql`${column} ${direction}, agent_pools.id ${direction}`;
}
