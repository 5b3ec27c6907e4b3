/** What a variable set applies to: workspaces and projects, added and removed in lists. */

import { namedProjects, namedWorkspaces } from '../../access/named.ts';
import { policy } from '../../access/policy.ts';
import { projectIsReadable } from '../../access/projects.ts';
import { workspaceIsReadable } from '../../access/workspaces.ts';
import type { Actor } from '../../core/access/actor.ts';
import { ApiError, type Fault, faultAt, relationshipFault } from '../../core/errors.ts';
import { identifiersBody } from '../../core/jsonapi/body.ts';
import { type Context, endpoint } from '../../core/jsonapi/endpoint.ts';
import type { Sql } from '../../core/store/store.ts';
import { type VariableSet, variableSetById } from './variable-set.ts';

const common = {
  section: '§2.2',
  subject: variableSetById,
  needs: policy['variable-set:manage'],
  answer: { status: 204 },
  errors: ['variable-set-global', 'invalid-document'],
} as const;

const ofWorkspaces = {
  ...common,
  paths: ['/varsets/:variable_set_id/relationships/workspaces'],
  body: identifiersBody('workspaces'),
} as const;

const ofProjects = {
  ...common,
  paths: ['/varsets/:variable_set_id/relationships/projects'],
  body: identifiersBody('projects'),
} as const;

export const addSetWorkspaces = endpoint({
  ...ofWorkspaces,
  operation: 'varsets.add-workspaces',
  summary: 'Apply a variable set to workspaces',
  method: 'POST',
  check: context => checkPlaces(context, namedWorkspaces),
  handle: async ({ sql, subject, body, note }) => {
    await addPlaces(sql, subject.id, { workspaces: body });
    note({ workspaces: body });
  },
});

export const removeSetWorkspaces = endpoint({
  ...ofWorkspaces,
  operation: 'varsets.remove-workspaces',
  summary: 'Take a variable set away from workspaces',
  method: 'DELETE',
  check: refuseGlobal,
  handle: async ({ sql, actor, subject, body, note }) => {
    const gone = await sql<{ id: string }[]>`
      delete from variable_set_workspaces
      where variable_set_workspaces.variable_set_id = ${subject.id}
        and variable_set_workspaces.workspace_id in (
          select workspaces.id from workspaces where workspaces.id = any(${body}) and ${workspaceIsReadable(sql, actor)}
        )
      returning variable_set_workspaces.workspace_id as id`;
    await touch(sql, subject.id);
    note({ workspaces: gone.map(({ id }) => id) });
  },
});

export const addSetProjects = endpoint({
  ...ofProjects,
  operation: 'varsets.add-projects',
  summary: 'Apply a variable set to the workspaces of projects, present and future',
  method: 'POST',
  check: context => checkPlaces(context, namedProjects),
  handle: async ({ sql, subject, body, note }) => {
    await addPlaces(sql, subject.id, { projects: body });
    note({ projects: body });
  },
});

export const removeSetProjects = endpoint({
  ...ofProjects,
  operation: 'varsets.remove-projects',
  summary: 'Take a variable set away from projects',
  method: 'DELETE',
  check: refuseGlobal,
  handle: async ({ sql, actor, subject, body, note }) => {
    const gone = await sql<{ id: string }[]>`
      delete from variable_set_projects
      where variable_set_projects.variable_set_id = ${subject.id}
        and variable_set_projects.project_id in (
          select projects.id from projects where projects.id = any(${body}) and ${projectIsReadable(sql, actor)}
        )
      returning variable_set_projects.project_id as id`;
    await touch(sql, subject.id);
    note({ projects: gone.map(({ id }) => id) });
  },
});

function refuseGlobal({ subject }: Context<VariableSet, string[]>): void {
  if (subject.global) throw new ApiError('variable-set-global');
}

/** Every place must be one that the caller sees, within what owns the set; all are held. */
async function checkPlaces(context: Context<VariableSet, string[]>, find: Find): Promise<void> {
  refuseGlobal(context);
  const { sql, actor, subject, body: ids, faults } = context;
  const missing = new Set(await unknown(find, sql, actor, subject, ids));
  ids.forEach((id, position) => {
    const reason = `"${id}" does not exist where the set may apply, or you may not see it.`;
    if (missing.has(id)) faults.push(faultAt('invalid-document', `/data/${position}/id`, { reason }));
  });
}

/** What a body says that a set applies to; undefined where it is silent. */
export interface Places {
  workspaces?: string[];
  projects?: string[];
}

/** Whose a set is: an organization's, or one project's of it. */
export interface Owner {
  organization_id: string;
  project_id: string | null;
}

/** As for the lists of `relationships/…`, of a body that describes the set. */
export async function placeFaults(sql: Sql, actor: Actor, owner: Owner, given: Places): Promise<Fault[]> {
  const workspaces = await unknown(namedWorkspaces, sql, actor, owner, given.workspaces ?? []);
  const projects = await unknown(namedProjects, sql, actor, owner, given.projects ?? []);
  const fault = (name: keyof Places, ids: string[]) =>
    relationshipFault(name, `Not found where the set may apply, or you may not see them: ${ids.join(', ')}`);
  return [
    ...(workspaces.length > 0 ? [fault('workspaces', workspaces)] : []),
    ...(projects.length > 0 ? [fault('projects', projects)] : []),
  ];
}

type Find = typeof namedWorkspaces;

/** Those of the ids that name nothing there that the caller sees. The others are held. */
async function unknown(find: Find, sql: Sql, actor: Actor, owner: Owner, ids: readonly string[]): Promise<string[]> {
  const known = await find(sql, actor, owner, ids);
  return [...new Set(ids)].filter(id => !known.has(id));
}

/** Adds to what a set applies to; what is there already stays. */
export async function addPlaces(sql: Sql, id: string, { workspaces = [], projects = [] }: Places): Promise<void> {
  await sql`
    insert into variable_set_workspaces (variable_set_id, workspace_id)
    select ${id}, given.id from unnest(${workspaces}::text[]) as given (id)
    on conflict do nothing`;
  await sql`
    insert into variable_set_projects (variable_set_id, project_id)
    select ${id}, given.id from unnest(${projects}::text[]) as given (id)
    on conflict do nothing`;
  await touch(sql, id);
}

/** Makes what a body gives all that a set applies to, but for what the caller does not see: that stays. */
export async function replacePlaces(sql: Sql, actor: Actor, id: string, given: Places): Promise<void> {
  if (given.workspaces) {
    await sql`
      delete from variable_set_workspaces
      where variable_set_workspaces.variable_set_id = ${id}
        and variable_set_workspaces.workspace_id in (select workspaces.id from workspaces where ${workspaceIsReadable(sql, actor)})`;
  }
  if (given.projects) {
    await sql`
      delete from variable_set_projects
      where variable_set_projects.variable_set_id = ${id}
        and variable_set_projects.project_id in (select projects.id from projects where ${projectIsReadable(sql, actor)})`;
  }
  await addPlaces(sql, id, given);
}

async function touch(sql: Sql, id: string): Promise<void> {
  await sql`update variable_sets set updated_at = now() where variable_sets.id = ${id}`;
}
