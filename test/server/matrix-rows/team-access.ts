/** Rows of the access matrix for the access of teams to workspaces and projects (§5.4). */
import { newId } from '../../../src/core/store/ids.ts';
import { bodyOf } from '../../builders/records.ts';
import { projectAccess, workspaceAccess } from '../../builders/workspace.ts';
import type { Asked, Fresh, Row, Rows } from './fresh.ts';

const related = (type: string, id: string) => ({ data: { type, id } });

const giving = (kind: 'workspace' | 'project', id: string, teamId: string) =>
  bodyOf(`team-${kind}s`, { access: 'read' }, { team: related('teams', teamId), [kind]: related(`${kind}s`, id) });

/** Gives a new team access to a workspace or project: what `visibility` the team has decides who can name it. */
function giveTo(kind: 'workspace' | 'project', visibility: 'secret' | 'organization'): Row {
  return async fresh => {
    const target = await fresh[kind]();
    const team = await fresh.team({ visibility });
    const params = visibility === 'secret' ? { ...target.params, ...team.params } : target.params;
    return { params, body: giving(kind, target.id, team.id) };
  };
}

/** The record of a new team on a new workspace. */
async function workspaceRecord({ world: { app }, workspace, team }: Fresh): Promise<Asked> {
  const { id } = await workspace();
  const { id: teamId } = await team();
  await workspaceAccess(app, teamId, id, 'read');
  const [record] = await app.store.read`
    select team_workspaces.id from team_workspaces
    where team_workspaces.workspace_id = ${id} and team_workspaces.team_id = ${teamId}`;
  return { params: { team_workspace_id: record!['id'] } };
}

/** The record of the team of `read`, which sees its own. */
async function workspaceRecordOfRead({ world: { app, workspaceTeamIds }, workspace }: Fresh): Promise<Asked> {
  const { id } = await workspace();
  const [record] = await app.store.read`
    select team_workspaces.id from team_workspaces
    where team_workspaces.workspace_id = ${id} and team_workspaces.team_id = ${workspaceTeamIds.read}`;
  return { params: { team_workspace_id: record!['id'] } };
}

/** The record of a new team on a new project. */
async function projectRecord({ world: { app }, project, team }: Fresh): Promise<Asked> {
  const target = await project();
  const { id: teamId } = await team();
  await projectAccess(app, teamId, target.id, 'read');
  const [record] = await app.store.read`
    select team_projects.id from team_projects where team_projects.team_id = ${teamId}`;
  return { params: { team_project_id: record!['id'] } };
}

const to = (type: string, access: string) => bodyOf(type, { access });

export const teamAccessRows: Rows = {
  'team-workspaces.list': async ({ workspace }) => {
    const { id, params } = await workspace();
    return { params, query: `filter[workspace][id]=${id}` };
  },
  'team-workspaces.create': {
    'to a visible team': giveTo('workspace', 'organization'),
    'to a secret team': giveTo('workspace', 'secret'),
  },
  'team-workspaces.show': { 'of another team': workspaceRecord, 'of the team of read': workspaceRecordOfRead },
  'team-workspaces.update': {
    'of another team': async fresh => ({ ...(await workspaceRecord(fresh)), body: to('team-workspaces', 'plan') }),
    'of the team of read': async fresh => ({
      ...(await workspaceRecordOfRead(fresh)),
      body: to('team-workspaces', 'plan'),
    }),
  },
  'team-workspaces.delete': { 'of another team': workspaceRecord, 'of the team of read': workspaceRecordOfRead },
  'team-projects.list': async ({ project }) => {
    const { id, params } = await project();
    return { params, query: `filter[project][id]=${id}` };
  },
  'team-projects.create': {
    'to a visible team': giveTo('project', 'organization'),
    'to a secret team': giveTo('project', 'secret'),
  },
  'team-projects.show': projectRecord,
  'team-projects.update': async fresh => ({ ...(await projectRecord(fresh)), body: to('team-projects', 'write') }),
  'team-projects.delete': projectRecord,
};

/** A tag of the organization that is on one workspace, by its id. */
async function tagOn({ world: { app, acme }, workspace }: Fresh): Promise<Asked & { tagId: string }> {
  const { id, params } = await workspace();
  const tagId = newId('tag');
  const name = tagId.toLowerCase();
  await app.store.read`insert into tags (id, organization_id, name) values (${tagId}, ${acme.key}, ${name})`;
  await app.store.read`insert into workspace_tags (workspace_id, tag_id) values (${id}, ${tagId})`;
  return { params, tagId };
}

const tagBody = (tagId: string) => ({ data: [{ type: 'tags', id: tagId }] });

export const tagRows: Rows = {
  'workspaces.list-tags': tagOn,
  'workspaces.add-tags': async ({ workspace }) => ({
    ...(await workspace()),
    body: { data: [{ type: 'tags', attributes: { name: 'blue' } }] },
  }),
  'workspaces.remove-tags': async fresh => {
    const { params, tagId } = await tagOn(fresh);
    return { params, body: tagBody(tagId) };
  },
  'tags.list': ({ organization }) => organization(),
  'tags.delete': async fresh => ({ ...fresh.organization(), body: tagBody((await tagOn(fresh)).tagId) }),
  'tags.add-workspaces': async fresh => {
    const { tagId } = await tagOn(fresh);
    const { id } = await fresh.workspace();
    return { params: { tag_id: tagId }, body: { data: [{ type: 'workspaces', id }] } };
  },
};
