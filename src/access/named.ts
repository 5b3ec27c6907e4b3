/** Records that a body or a query names by id: which of them are there for this caller. */
import type { Actor } from '../core/access/actor.ts';
import type { Requirement } from '../core/jsonapi/records.ts';
import type { Sql } from '../core/store/store.ts';
import { projectPowersFromOrganization } from './project-levels.ts';
import { projectGrant, projectIsReadable } from './projects.ts';
import { type Granted, grantColumns, grantedPowers, workspaceIsReadable } from './workspaces.ts';

/** Where a named record must be: in an organization, or in one project of it. */
export interface Within {
  organization_id: string;
  project_id?: string | null;
}

/** Those of the ids that are workspaces there and readable by the actor. They are held, in the order of ids. */
export async function namedWorkspaces(
  sql: Sql,
  actor: Actor,
  { organization_id, project_id }: Within,
  ids: readonly string[],
): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const found = await sql<{ id: string }[]>`
    select workspaces.id from workspaces
    where workspaces.id = any(${ids as string[]}) and workspaces.organization_id = ${organization_id}
      ${project_id ? sql`and workspaces.project_id = ${project_id}` : sql``} and ${workspaceIsReadable(sql, actor)}
    order by workspaces.id for key share of workspaces`;
  return new Set(found.map(({ id }) => id));
}

/** Those of the workspaces on which the actor has the power. Their rows are held against other writes. */
export async function namedWorkspacesWith(
  sql: Sql,
  actor: Actor,
  organizationId: string,
  ids: readonly string[],
  { anyOf }: Requirement<'workspace'>,
): Promise<Set<string>> {
  const rows = await sql<(Granted & { id: string })[]>`
    select workspaces.id, workspaces.organization_id, ${grantColumns(sql, actor)} from workspaces
    where workspaces.id = any(${ids as string[]}) and workspaces.organization_id = ${organizationId}
      and ${workspaceIsReadable(sql, actor)}
    order by workspaces.id for no key update of workspaces`;
  return new Set(rows.filter(row => (grantedPowers(row, actor) & anyOf) !== 0).map(({ id }) => id));
}

interface GrantedProject {
  id: string;
  organization_id: string;
  granted_powers: number;
}

/** Those of the projects on which the actor has the power. */
export async function namedProjectsWith(
  sql: Sql,
  actor: Actor,
  ids: readonly string[],
  { anyOf }: Requirement<'project'>,
): Promise<Set<string>> {
  const rows = await sql<GrantedProject[]>`
    select projects.id, projects.organization_id, ${projectGrant(sql, actor)} as granted_powers from projects
    where projects.id = any(${ids as string[]}) and ${projectIsReadable(sql, actor)}`;
  const powersOn = (row: GrantedProject) =>
    row.granted_powers | projectPowersFromOrganization(actor, row.organization_id);
  return new Set(rows.filter(row => (powersOn(row) & anyOf) !== 0).map(({ id }) => id));
}

/** Those of the ids that are projects there and readable by the actor. They are held, in the order of ids. */
export async function namedProjects(
  sql: Sql,
  actor: Actor,
  { organization_id, project_id }: Within,
  ids: readonly string[],
): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const found = await sql<{ id: string }[]>`
    select projects.id from projects
    where projects.id = any(${ids as string[]}) and projects.organization_id = ${organization_id}
      ${project_id ? sql`and projects.id = ${project_id}` : sql``} and ${projectIsReadable(sql, actor)}
    order by projects.id for key share of projects`;
  return new Set(found.map(({ id }) => id));
}
