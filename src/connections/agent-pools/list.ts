/** List the agent pools of an organization: searched, sorted, paginated. Every member may read them. */

import { policy } from '../../access/policy.ts';
import { projectIsReadable } from '../../access/projects.ts';
import { workspaceIsReadable } from '../../access/workspaces.ts';
import type { Actor } from '../../core/access/actor.ts';
import { ApiError } from '../../core/errors.ts';
import { type Collection, endpoint } from '../../core/jsonapi/endpoint.ts';
import { type Page, type RawQuery, single } from '../../core/jsonapi/page.ts';
import { containing } from '../../core/jsonapi/search.ts';
import type { Fragment, Sql } from '../../core/store/store.ts';
import { organizationByName } from '../../organizations/organizations/organization.ts';
import { agentPools, readAgentPools } from './agent-pool.ts';
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
    q: 'Pools whose name contains this, whatever its case',
    sort: 'name, -name, created-at or -created-at',
    'filter[allowed_workspaces][name]': 'Pools that the workspace of this name may use',
    'filter[allowed_projects][name]': 'Pools that the project of this name may use',
  },
  include: ['workspaces', 'organization', 'allowed-workspaces', 'allowed-projects', 'excluded-workspaces'],
  answer: { status: 200, collection: agentPools, pages: 'always' },
  handle: ({ store, actor, subject, query, page }) =>
    agentPoolPage(store.search, actor, subject.organization_id, query, page),
});

async function agentPoolPage(
  sql: Sql,
  actor: Actor,
  organizationId: string,
  query: RawQuery,
  page: Page,
): Promise<Collection> {
  const search = single(query, 'q');
  const places = await placesAsked(sql, actor, organizationId, query);
  const condition = sql`
    agent_pools.organization_id = ${organizationId}
    ${search ? sql`and lower(agent_pools.name) like lower(${containing(search)})` : sql``}
    ${places.reduce((all, place) => sql`${all} and ${openTo(sql, place)}`, sql``)}`;
  const [counts, rows] = await Promise.all([
    sql<{ total: number }[]>`select count(*) as total from agent_pools where ${condition}`,
    readAgentPools(sql, actor, condition, sql`order by ${order(sql, query)} limit ${page.size} offset ${page.offset}`),
  ]);
  return { rows, total: counts[0]!.total };
}

/** Clients write `_`, the vendor's description `-`. A name that the caller does not see is that of nobody. */
async function placesAsked(sql: Sql, actor: Actor, organizationId: string, query: RawQuery): Promise<PoolPlace[]> {
  const asked = (kind: string) =>
    single(query, `filter[allowed_${kind}][name]`) || single(query, `filter[allowed-${kind}][name]`);
  const workspaceName = asked('workspaces');
  const projectName = asked('projects');
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

function order(sql: Sql, query: RawQuery): Fragment {
  switch (single(query, 'sort') || 'name') {
    case 'name':
      return sql`agent_pools.name, agent_pools.id`;
    case '-name':
      return sql`agent_pools.name desc, agent_pools.id desc`;
    case 'created-at':
      return sql`agent_pools.created_at, agent_pools.id`;
    case '-created-at':
      return sql`agent_pools.created_at desc, agent_pools.id desc`;
    default: {
      const reason = 'sort must be name, -name, created-at or -created-at.';
      throw new ApiError('invalid-parameter', { reason }, { parameter: 'sort' });
    }
  }
}
