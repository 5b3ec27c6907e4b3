/** §4.2 `auto-destroy-at`: what is past its time, or was not touched for as long as may be, is destroyed without approval. */
import type { Config } from '../../core/config.ts';
import type { Fragment, Sql, Store } from '../../core/store/store.ts';
import { organizationAccount } from '../../people/tokens/service-account.ts';
import { announceWorkspace } from '../notification-configurations/outbox.ts';
import { beginRun, runningWorkspace } from '../queue/of-workspace.ts';

const batch = 100;

/** Once over all workspaces; any number of servers may do so at once. Returns the runs that were begun. */
export async function destroyWhatIsDue(store: Store, config: Config): Promise<string[]> {
  await followActivity(store.read);
  await store.transaction(settleEnded);
  await store.transaction(remind);
  const due = await store.read<{ id: string }[]>`
    select workspaces.id from workspaces where ${isDue(store.read)}
    order by workspaces.auto_destroy_at, workspaces.id limit ${batch}`;
  const runs: string[] = [];
  for (const { id } of due) {
    const run = await store.transaction(sql => destroy(sql, config, id));
    if (run) runs.push(run);
  }
  return runs;
}

const isDue = (sql: Sql): Fragment =>
  sql`workspaces.auto_destroy_at <= now() and workspaces.auto_destroy_run_id is null`;

/** Each new state moves the time on; where nothing is managed there is none. After a failure, too, it takes a new state. */
async function followActivity(sql: Sql): Promise<void> {
  await sql`
    update workspaces
    set auto_destroy_at = followed.due_at, auto_destroy_errored_at = null, revision = default
    from (
      select workspaces.id, case when workspaces.resource_count > 0 then
          state_versions.created_at + (
            case when workspaces.inherits_project_auto_destroy then projects.auto_destroy_activity_duration
              else workspaces.auto_destroy_activity_duration end
          )::interval
        end as due_at, state_versions.created_at as state_made_at
      from workspaces
      join projects on projects.id = workspaces.project_id
      join state_versions on state_versions.id = workspaces.current_state_version_id
      where workspaces.inherits_project_auto_destroy and projects.auto_destroy_activity_duration is not null
        or not workspaces.inherits_project_auto_destroy and workspaces.auto_destroy_activity_duration is not null
    ) as followed
    where workspaces.id = followed.id and workspaces.auto_destroy_run_id is null
      and workspaces.auto_destroy_at is distinct from followed.due_at
      and (workspaces.auto_destroy_errored_at is null or followed.state_made_at > workspaces.auto_destroy_errored_at)`;
}

interface Settled {
  id: string;
  run_id: string | null;
  status: string | null;
}

/** What became of the runs that were begun: the time is gone, that it failed is shown, and whoever wants to know is told. */
async function settleEnded(sql: Sql): Promise<void> {
  const settled = await sql<Settled[]>`
    update workspaces
    set auto_destroy_run_id = null, auto_destroy_at = null, revision = default,
      auto_destroy_errored_at = case
        when runs.id is not null and runs.status in ('applied', 'planned_and_finished') then null else now()
      end
    from workspaces as those
    left join runs on runs.id = those.auto_destroy_run_id
    -- Asked of the row that is changed: another server may have settled it while this one waited for it.
    where workspaces.id = those.id and workspaces.auto_destroy_run_id is not null
      and (runs.id is null or runs.finished_at is not null)
    returning workspaces.id, runs.id as run_id, runs.status`;
  for (const { id, run_id, status } of settled) await announceEnd(sql, id, { run_id, run_status: status });
}

async function announceEnd(
  sql: Sql,
  id: string,
  run: { run_id: string | null; run_status: string | null },
): Promise<void> {
  const isDone = run.run_status === 'applied' || run.run_status === 'planned_and_finished';
  const message = isDone ? 'Auto Destroy Succeeded' : 'Auto Destroy Failed';
  await announceWorkspace(sql, id, { trigger: 'workspace:auto_destroy_run_results', message }, run);
}

interface Reminded {
  id: string;
  auto_destroy_at: string;
  hours: number;
}

/** A day before, and half a day before: once each for every time of destruction. */
async function remind(sql: Sql): Promise<void> {
  const reminded = await sql<Reminded[]>`
    update workspaces
    set auto_destroy_reminded_for = workspaces.auto_destroy_at, auto_destroy_reminded_hours = near.hours, revision = default
    from (
      select workspaces.id,
        case when workspaces.auto_destroy_at <= now() + interval '12 hours' then 12 else 24 end as hours
      from workspaces
      where workspaces.auto_destroy_at > now() and workspaces.auto_destroy_at <= now() + interval '24 hours'
        and workspaces.auto_destroy_run_id is null
        and (
          workspaces.auto_destroy_reminded_for is distinct from workspaces.auto_destroy_at
          or workspaces.auto_destroy_reminded_hours = 24 and workspaces.auto_destroy_at <= now() + interval '12 hours'
        )
      order by workspaces.auto_destroy_at, workspaces.id
      limit ${batch}
      for update skip locked
    ) as near
    where workspaces.id = near.id
    returning workspaces.id, workspaces.auto_destroy_at, near.hours`;
  for (const { id, auto_destroy_at, hours } of reminded) {
    const message = `Auto Destroy In Less Than ${hours} Hours`;
    const told = { trigger: 'workspace:auto_destroy_reminder', message } as const;
    await announceWorkspace(sql, id, told, { auto_destroy_at });
  }
}

/** Where it cannot be destroyed that is shown as a failure: nobody should believe that it is gone. */
async function destroy(sql: Sql, config: Config, id: string): Promise<string | null> {
  const [held] = await sql`select from workspaces where workspaces.id = ${id} and ${isDue(sql)} for update skip locked`;
  const workspace = held && (await runningWorkspace(sql, id));
  if (!workspace) return null;
  const { configuration_version_id, allow_destroy_plan, organization_id, organization_name } = workspace;
  const run =
    configuration_version_id !== null && allow_destroy_plan
      ? await beginRun(
          sql,
          config,
          workspace,
          {
            source: 'tfe-api',
            created_by_id: await organizationAccount(sql, organization_id, organization_name),
            configuration_version_id,
          },
          { message: 'Destroyed because its time had come', auto_apply: true, is_destroy: true },
        )
      : null;
  if (run === null) await announceEnd(sql, id, { run_id: null, run_status: null });
  await sql`
    update workspaces
    set auto_destroy_run_id = ${run}, auto_destroy_at = ${run === null ? null : sql`workspaces.auto_destroy_at`},
      auto_destroy_errored_at = ${run === null ? sql`now()` : null}, revision = default
    where workspaces.id = ${id}`;
  return run;
}
