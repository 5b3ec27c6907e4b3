/** Records that a body or a query names by id: which of them are there for this caller. */
import type { Actor } from '../core/access/actor.ts';
import type { Requirement } from '../core/jsonapi/endpoint.ts';
import type { Row } from '../core/jsonapi/fields.ts';
import type { Sql } from '../core/store/store.ts';
import { projectIsReadable } from './projects.ts';
import { grantColumns, grantedPowers, workspaceIsReadable } from './workspaces.ts';

/** Those of the ids that are workspaces of the organization and readable by the actor. They are held, in the order of ids. */
export async function namedWorkspaces(
  sql: Sql,
  actor: Actor,
  organizationId: string,
  ids: readonly string[],
): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const found = await sql<{ id: string }[]>`
    select workspaces.id from workspaces
    where workspaces.id = any(${ids as string[]}) and workspaces.organization_id = ${organizationId}
      and ${workspaceIsReadable(sql, actor)}
    order by workspaces.id for key share of workspaces`;
  return new Set(found.map(({ id }) => id));
}

/** Those of the workspaces on which the actor has the power. Their rows are held against other writes. */
export async function namedWorkspacesWith(
  sql: Sql,
  actor: Actor,
  organizationId: string,
  ids: readonly string[],
  { anyOf }: Requirement,
): Promise<Set<string>> {
  const rows = await sql<Row[]>`
    select workspaces.id, workspaces.organization_id, ${grantColumns(sql, actor)} from workspaces
    where workspaces.id = any(${ids as string[]}) and workspaces.organization_id = ${organizationId}
      and ${workspaceIsReadable(sql, actor)}
    order by workspaces.id for no key update of workspaces`;
  return new Set(rows.filter(row => (grantedPowers(row, actor) & anyOf) !== 0).map(({ id }) => id));
}

/** Those of the ids that are projects of the organization and readable by the actor. They are held, in the order of ids. */
export async function namedProjects(
  sql: Sql,
  actor: Actor,
  organizationId: string,
  ids: readonly string[],
): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const found = await sql<{ id: string }[]>`
    select projects.id from projects
    where projects.id = any(${ids as string[]}) and projects.organization_id = ${organizationId}
      and ${projectIsReadable(sql, actor)}
    order by projects.id for key share of projects`;
  return new Set(found.map(({ id }) => id));
}
