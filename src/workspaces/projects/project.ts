/** Project: the document, the SELECT and the finder. Projects hold the workspaces of an organization (§2.2). */

import { Type } from 'typebox';
import { projectPowers, projectPowersFromOrganization } from '../../access/project-levels.ts';
import { projectGrant, projectIsReadable } from '../../access/projects.ts';
import { teamIsVisible } from '../../access/teams.ts';
import { readsWhole } from '../../access/workspaces.ts';
import type { Actor } from '../../core/access/actor.ts';
import {
  addressed,
  boolean,
  booleans,
  column,
  computed,
  gathered,
  integer,
  linked,
  nullable,
  text,
  timestamp,
  word,
} from '../../core/jsonapi/fields.ts';
import { duration } from '../../core/jsonapi/forms.ts';
import { type Finder, records, type Subject } from '../../core/jsonapi/records.ts';
import { type RowOf, resource } from '../../core/jsonapi/resource.ts';
import type { Sql } from '../../core/store/store.ts';
import { effectiveOfProjects } from '../tags/effective-tag-binding.ts';
import { overwrites, projectAgentPool, projectExecutionMode, type SettingOverwrites } from './execution-mode.ts';

interface ProjectRow extends Subject<'project'> {
  granted_powers: number;
  organization_id: string;
  organization_name: string;
  default_agent_pool_id: string | null;
  overwrites_execution_mode: boolean;
  own_execution_mode: 'remote' | 'local' | 'agent' | null;
  own_agent_pool_id: string | null;
  is_default: boolean;
  /** Whether the caller sees every workspace of the project. */
  is_read_whole: boolean;
}

const overwritesGiven = Type.Unsafe<SettingOverwrites>({
  type: 'object',
  properties: Object.fromEntries(overwrites.map(key => [key, boolean])),
});

/** Between 3 and 40 characters, without a space at either end. */
const nameForm = Type.String({
  pattern: '^(?! )[A-Za-z0-9 _-]{3,40}(?<! )$',
  'x-rule': 'may only contain 3 to 40 letters, numbers, spaces, - and _, and no space at either end',
});

const attributes = {
  name: column(text, { write: nameForm }),
  description: column(nullable(text), { write: nullable(Type.String({ maxLength: 256 })), default: null }),
  'created-at': column(timestamp),
  'auto-destroy-activity-duration': column(nullable(text), { write: nullable(duration), default: null }),
  'default-execution-mode': column(word('remote', 'local', 'agent'), { write: true }),
  /** Taken as an attribute too; the relationship says the same. */
  'default-agent-pool-id': computed(nullable(text), (row: ProjectRow) => row.default_agent_pool_id, { write: true }),
  'setting-overwrites': computed(
    booleans(...overwrites),
    (row: ProjectRow) =>
      Object.fromEntries(overwrites.map(key => [key, row.overwrites_execution_mode])) as Record<
        (typeof overwrites)[number],
        boolean
      >,
    { write: overwritesGiven },
  ),
  'is-unified': computed(boolean, () => false),
  'workspace-count': column(integer),
  'team-count': column(integer),
  permissions: computed(
    booleans(
      'can-read',
      'can-update',
      'can-destroy',
      'can-create-workspace',
      'can-move-workspace',
      'can-read-teams',
      'can-manage-teams',
      'can-manage-tags',
      'can-manage-varsets',
    ),
    permissions,
  ),
};

export const projects = resource({
  type: 'projects',
  attributes,
  relationships: {
    organization: addressed('organizations', 'organization_name'),
    'default-agent-pool': addressed('agent-pools', 'default_agent_pool_id'),
    'tag-bindings': linked(row => `/api/v2/projects/${row.id}/tag-bindings`),
    'effective-tag-bindings': gathered(
      'effective-tag-bindings',
      row => `/api/v2/projects/${row.id}/effective-tag-bindings`,
      effectiveOfProjects,
    ),
  },
  links: row => ({ self: `/api/v2/projects/${row.id}` }),
  load: async (sql, actor, ids) => withCounts(sql, actor, await projectRecords.load(sql, actor, ids)),
});

interface Counts {
  workspace_count: number;
  team_count: number;
}

/** `default_execution_mode` and `default_agent_pool_id` are what is in effect; `own_…` what the project itself says. */
export interface Project extends Omit<RowOf<typeof attributes>, keyof Counts>, ProjectRow {}

/** Counts cost a statement of their own, so that only documents have them. */
export type CountedProject = Project & Counts;

function permissions({ powers, is_default }: ProjectRow): Record<string, boolean> {
  const may = (power: (typeof projectPowers.names)[number]) => projectPowers.has(powers, power);
  return {
    'can-read': may('read'),
    'can-update': may('update'),
    'can-destroy': may('delete') && !is_default,
    'can-create-workspace': may('create-workspaces'),
    'can-move-workspace': may('move-workspaces'),
    'can-read-teams': may('read-teams'),
    'can-manage-teams': may('manage-teams'),
    'can-manage-tags': may('update'),
    'can-manage-varsets': may('write-variable-sets'),
  };
}

/** Without counts, which cost a statement more and which only a document needs. */
export const projectRecords = records<Project>({
  table: 'projects',
  columns: (sql, actor) => sql`
    projects.id, projects.organization_id, organizations.name as organization_name, projects.name,
    projects.description, projects.created_at, projects.auto_destroy_activity_duration,
    projects.overwrites_execution_mode, projects.default_execution_mode as own_execution_mode,
    projects.default_agent_pool_id as own_agent_pool_id, ${projectExecutionMode(sql)} as default_execution_mode,
    ${projectAgentPool(sql)} as default_agent_pool_id, organizations.default_project_id = projects.id as is_default,
    ${projectGrant(sql, actor)} as granted_powers`,
  from: sql => sql`
    projects
    join organizations on organizations.id = projects.organization_id`,
  isVisible: projectIsReadable,
  powers: (row, actor) =>
    projectPowers.union(
      projectPowers.bit.read,
      projectPowers.from(row.granted_powers),
      projectPowersFromOrganization(actor, row.organization_id),
    ),
  complete: (row, actor) => ({
    is_read_whole: row.granted_powers !== 0 || readsWhole(actor, row.organization_id),
  }),
});

export const projectById = projectRecords.byId('project_id');

/** As `projectById`, with the counts that its document shows. */
export const countedProjectById: Finder<CountedProject> = {
  parameter: 'project_id',
  find: async (look, params) => {
    const found = await projectById.find(look, params);
    return found && (await withCounts(look.sql, look.actor, [found]))[0];
  },
};

/** Only what the caller may see counts: a project that is read whole has counters, of others few workspaces are seen. */
export async function withCounts(sql: Sql, actor: Actor, found: readonly Project[]): Promise<CountedProject[]> {
  const teamIds = actor.teamIds as string[];
  const idsOf = (some: readonly Project[]) => some.map(({ id }) => id);
  const rows = await sql<{ project_id: string; counted: 'workspaces' | 'teams'; total: number }[]>`
    select project_workspace_counts.project_id, 'workspaces' as counted, sum(project_workspace_counts.workspaces) as total
    from project_workspace_counts
    where project_workspace_counts.project_id = any(${idsOf(found.filter(project => project.is_read_whole))})
    group by project_workspace_counts.project_id
    union all
    select workspaces.project_id, 'workspaces' as counted, count(distinct workspaces.id) as total from team_workspaces
    join workspaces on workspaces.id = team_workspaces.workspace_id
    where team_workspaces.team_id = any(${teamIds})
      and workspaces.project_id = any(${idsOf(found.filter(project => !project.is_read_whole))})
    group by workspaces.project_id
    union all
    select team_projects.project_id, 'teams' as counted, count(*) as total from team_projects
    join teams on teams.id = team_projects.team_id
    where team_projects.project_id = any(${idsOf(found)}) and ${teamIsVisible(sql, actor)}
    group by team_projects.project_id`;
  const totals = new Map(rows.map(row => [`${row.counted} ${row.project_id}`, row.total]));
  return found.map(project => ({
    ...project,
    workspace_count: totals.get(`workspaces ${project.id}`) ?? 0,
    team_count: totals.get(`teams ${project.id}`) ?? 0,
  }));
}
