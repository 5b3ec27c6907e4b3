/** §5.4: which workspaces an actor may read, and what their teams may do with each, in SQL. */
import type { Actor, RunScope } from '../core/access/actor.ts';
import type { Powers } from '../core/access/powers.ts';
import { type Fragment, none, type Sql } from '../core/store/sql.ts';
import { workspacePowers, workspacePowersFromOrganization } from './workspace-levels.ts';

/** What workspace and project access give the caller's teams on a row of `workspaces`. */
export const grantColumns = (sql: Sql, actor: Actor): Fragment => sql`
  ${actor.run ? grantToRun(sql, actor.run) : none}${fromWorkspace(sql, actor)} as workspace_powers,
  ${fromProject(sql, actor)} as project_powers`;

const fromWorkspace = (sql: Sql, actor: Actor): Fragment => sql`
  coalesce((
    select bit_or(team_workspaces.powers) from team_workspaces
    where team_workspaces.workspace_id = workspaces.id and team_workspaces.team_id = any(${actor.teamIds as string[]})
  ), 0)`;

const fromProject = (sql: Sql, actor: Actor): Fragment => sql`
  coalesce((
    select bit_or(team_projects.workspace_powers) from team_projects
    where team_projects.project_id = workspaces.project_id and team_projects.team_id = any(${actor.teamIds as string[]})
  ), 0)`;

/** Whether somebody, who is no run, has one of the powers on a row of `workspaces` of the organization. */
export function workspaceMeets(
  sql: Sql,
  actor: Actor,
  organizationId: string,
  { anyOf }: { anyOf: Powers<'workspace'> },
): Fragment {
  const whole = workspacePowersFromOrganization(actor, organizationId);
  return sql`
    (${whole}::integer | ${fromWorkspace(sql, actor)} | ${fromProject(sql, actor)}) & ${anyOf}::integer <> 0`;
}

/** A run works in its own workspace, and reads the state of those that share theirs with it (§4.5). */
const grantToRun = (sql: Sql, run: RunScope): Fragment => sql`
  case
    when workspaces.id = ${run.workspaceId} then ${runPowersIn[run.phase]}
    when ${sharesStateWith(sql, run)} then ${runPowersElsewhere}
    else 0
  end | `;

const runPowersElsewhere = workspacePowers.of('read', 'read-state', 'read-state-outputs');
const runPowersToPlan = workspacePowers.union(runPowersElsewhere, workspacePowers.bit.lock);
const runPowersToApply = workspacePowers.union(runPowersToPlan, workspacePowers.bit['write-state']);

const runPowersIn = { plan: runPowersToPlan, apply: runPowersToApply, task: workspacePowers.bit.read };

/** A run task has no concern with other workspaces. */
const sharesStateWith = (sql: Sql, { workspaceId, organizationId, phase }: RunScope): Fragment => sql`(
  ${phase !== 'task'} and workspaces.organization_id = ${organizationId} and (
    workspaces.global_remote_state
    or exists (
      select from remote_state_consumers
      where remote_state_consumers.workspace_id = workspaces.id and remote_state_consumers.consumer_id = ${workspaceId}
    )
    or workspaces.project_remote_state and exists (
      select from workspaces as consumers
      where consumers.id = ${workspaceId} and consumers.project_id = workspaces.project_id
    )
  )
)`;

/** What `grantColumns` yield, beside the organization of the workspace. */
export interface Granted {
  organization_id: string;
  project_powers: number;
  workspace_powers: number;
}

/** The union of what organization, project and workspace access give (§5.4). */
export function grantedPowers(row: Granted, actor: Actor): Powers<'workspace'> {
  return workspacePowers.union(
    workspacePowersFromOrganization(actor, row.organization_id),
    workspacePowers.from(row.project_powers | row.workspace_powers),
  );
}

/** §5.4 on a row of `workspaces`: whoever may read runs may view. Any team access gives that, and so do some organization-access keys. */
export function workspaceIsReadable(sql: Sql, actor: Actor): Fragment {
  const whole = organizationsReadWhole(actor);
  const teamIds = actor.teamIds as string[];
  if (actor.run) return sql`(workspaces.id = ${actor.run.workspaceId} or ${sharesStateWith(sql, actor.run)})`;
  return sql`(
    workspaces.organization_id = any(${whole})
    or exists (
      select from team_workspaces
      where team_workspaces.workspace_id = workspaces.id and team_workspaces.team_id = any(${teamIds})
    )
    or exists (
      select from team_projects
      where team_projects.project_id = workspaces.project_id and team_projects.team_id = any(${teamIds})
    )
  )`;
}

/**
 * The same in one organization, as conditions of which a row fulfils one at most. Each starts from what the teams have,
 * where an `or` would be asked of every workspace: 70 instead of 130 ms for somebody who sees 500 of 200,000. Of a
 * `not exists` PostgreSQL expects that it leaves one workspace, and looks one by one at the thousands that it does leave:
 * `not in` (neither side is ever null) is a hash that is asked, 20 times as fast for somebody with 40 teams.
 */
export function workspaceIsReadableApart(sql: Sql, actor: Actor, organizationId: string): Fragment[] {
  if (readsWhole(actor, organizationId)) return [sql`true`];
  if (actor.run) return [workspaceIsReadable(sql, actor)];
  const { projects, workspaces } = whatTeamsHave(sql, actor);
  return [
    sql`workspaces.project_id in (${projects})`,
    sql`workspaces.id in (${workspaces}) and workspaces.project_id not in (${projects})`,
  ];
}

/** The ids of the projects and of the workspaces that the caller's teams have been given, each as a SELECT. */
export function whatTeamsHave(sql: Sql, actor: Actor): { projects: Fragment; workspaces: Fragment } {
  const teamIds = actor.teamIds as string[];
  return {
    projects: sql`select team_projects.project_id from team_projects where team_projects.team_id = any(${teamIds})`,
    workspaces: sql`
      select team_workspaces.workspace_id from team_workspaces where team_workspaces.team_id = any(${teamIds})`,
  };
}

function organizationsReadWhole(actor: Actor): string[] {
  return [...actor.standings.keys()].filter(id => readsWhole(actor, id));
}

/** Whether the actor reads every workspace of the organization, so that lists need no filter. */
export function readsWhole(actor: Actor, organizationId: string): boolean {
  return (workspacePowersFromOrganization(actor, organizationId) & workspacePowers.bit.read) !== 0;
}
