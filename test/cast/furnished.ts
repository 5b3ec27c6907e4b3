/** An organization with a record of each kind, and their names: for tests of what one organization learns of another. */

import { newId } from '../../src/core/store/ids.ts';
import type { TestApp } from '../app.ts';
import { agentRow } from '../builders/agent.ts';
import { member, organization, randomName, team, tokenOf } from '../builders/records.ts';
import { run } from '../builders/run.ts';
import { runTask, workspaceTask } from '../builders/run-task.ts';
import {
  agentPool,
  binding,
  project,
  projectAccess,
  runTrigger,
  setVariable,
  tag,
  variableSet,
  workspace,
  workspaceAccess,
} from '../builders/workspace.ts';

/** Everything of an organization that a request can name. */
export type Names = Record<
  | 'organization_name'
  | 'project_id'
  | 'project_name'
  | 'team_id'
  | 'team_name'
  | 'workspace_id'
  | 'workspace_name'
  | 'user_id'
  | 'username'
  | 'email'
  | 'organization_membership_id'
  | 'agent_pool_id'
  | 'agent_id'
  | 'ssh_key_id'
  | 'tag_id'
  | 'tag_name'
  | 'binding_key'
  | 'variable_id'
  | 'variable_set_id'
  | 'variable_set_name'
  | 'team_workspace_id'
  | 'team_project_id'
  | 'token_id'
  | 'reserved_tag_key_id'
  | 'run_trigger_id'
  | 'notification_configuration_id'
  | 'task_id'
  | 'workspace_task_id'
  | 'task_stage_id'
  | 'task_result_id'
  | 'version_id',
  string
>;

/** The names, and the token of the owner. */
export interface Side {
  names: Names;
  token: string;
}

/** An organization with a record of each kind. */
export async function furnished(app: TestApp): Promise<Side> {
  const home = await organization(app);
  const sql = app.store.read;
  const names = { organization_name: home.name, version_id: 'tool-none', reserved_tag_key_id: 'rtk-none' } as Names;
  names.project_name = randomName('project');
  names.project_id = await project(app, home, { name: names.project_name });
  names.team_name = randomName('team');
  names.team_id = await team(app, home, { name: names.team_name, visibility: 'organization' });
  names.workspace_name = randomName('ws');
  names.workspace_id = await workspace(app, home, { name: names.workspace_name, project_id: names.project_id });
  const someone = await member(app, home, names.team_id);
  Object.assign(names, { user_id: someone.id, username: someone.username, email: someone.email });
  names.agent_pool_id = await agentPool(app, home);
  names.agent_id = await agentRow(app, { agent_pool_id: names.agent_pool_id });
  names.ssh_key_id = newId('sshkey');
  await sql`
    insert into ssh_keys (id, organization_id, name, sealed_value)
    values (${names.ssh_key_id}, ${home.key}, ${randomName('key')}, ${Buffer.of(0)})`;
  names.tag_name = randomName('tag').toLowerCase();
  await tag(app, home, names.workspace_id, names.tag_name);
  names.binding_key = randomName('key');
  await binding(app, home, { workspaceId: names.workspace_id }, names.binding_key, 'east');
  names.variable_id = newId('var');
  await sql`
    insert into variables (id, organization_id, workspace_id, key, category, value, sensitive, hcl, version_id)
    values (${names.variable_id}, ${home.key}, ${names.workspace_id}, 'region', 'env', 'eu', false, false, 'v')`;
  names.variable_set_name = randomName('set');
  const places = { workspaces: [names.workspace_id] };
  names.variable_set_id = await variableSet(app, home, { name: names.variable_set_name }, places);
  await setVariable(app, home, names.variable_set_id);
  names.run_trigger_id = await runTrigger(app, names.workspace_id, await workspace(app, home));
  names.task_id = await runTask(app, home);
  names.workspace_task_id = await workspaceTask(app, names.workspace_id, names.task_id);
  await run(app, home, names.workspace_id, { save_plan: true });
  names.notification_configuration_id = newId('nc');
  await sql`
    insert into notification_configurations (id, workspace_id, name, enabled, destination_type)
    values (${names.notification_configuration_id}, ${names.workspace_id}, ${randomName('hook')}, false, 'email')`;
  await workspaceAccess(app, names.team_id, names.workspace_id, 'admin');
  await projectAccess(app, names.team_id, names.project_id, 'admin');
  names.token_id = newId('at');
  await tokenOf(app, { id: names.token_id, kind: 'user', user_id: someone.id });
  const [ids] = await sql`
    select
      (select task_stages.id from task_stages join runs on runs.id = task_stages.run_id
        where runs.workspace_id = ${names.workspace_id}) as task_stage_id,
      (select task_results.id from task_results where task_results.task_id = ${names.task_id}) as task_result_id,
      (select tags.id from tags where tags.organization_id = ${home.key}) as tag_id,
      (select team_workspaces.id from team_workspaces where team_workspaces.team_id = ${names.team_id}) as team_workspace_id,
      (select team_projects.id from team_projects where team_projects.team_id = ${names.team_id}) as team_project_id,
      (select organization_memberships.id from organization_memberships
        where organization_memberships.user_id = ${someone.id}) as organization_membership_id`;
  return { names: { ...names, ...ids }, token: home.owner.token };
}

/** A name of the same form that is nobody's. */
export function nothingLike(value: string): string {
  const [, prefix] = /^([a-z]+)-[A-Za-z0-9]{16}$/.exec(value) ?? [];
  return prefix ? `${prefix}-${'0'.repeat(16)}` : value.replace(/^[a-z]+/, 'nothing');
}
