/** What callers show to say who they are, in SQL: each as one row of one form, or none where it is nobody's, or ended. */
import type { Credential } from '../../core/access/actor.ts';
import type { Fragment, Sql } from '../../core/store/store.ts';
import { sessionEnds, sessionIsOpen } from '../sessions/session.ts';

export function shown(sql: Sql, credential: Credential): Fragment {
  if (credential.kind === 'token') return token(sql, sql`tokens.hash = ${credential.hash} and tokens.kind <> 'agent'`);
  if (credential.kind === 'session') return session(sql, credential.hash);
  const { givenTo } = credential;
  // An address that a run was shown ends with the token of its phase.
  if (givenTo.startsWith('run-')) return token(sql, sql`tokens.run_id = ${givenTo}`);
  return givenTo.startsWith('job-') ? job(sql, givenTo) : account(sql, givenTo);
}

const token = (sql: Sql, condition: Fragment): Fragment => sql`
  select tokens.id, tokens.kind, tokens.user_id, tokens.organization_id, tokens.team_id, tokens.created_at,
    true as is_token, (
      select ${scope(sql, sql`tokens.run_phase`, sql`tokens.task_result_id`)} from runs where runs.id = tokens.run_id
    ) as run
  from tokens
  where ${condition} and (tokens.expired_at is null or tokens.expired_at > now())`;

const scope = (sql: Sql, phase: Fragment, taskResultId = sql`null`): Fragment => sql`
  jsonb_build_object('runId', runs.id, 'phase', ${phase}, 'workspaceId', runs.workspace_id,
    'organizationId', runs.organization_id, 'taskResultId', ${taskResultId})`;

const session = (sql: Sql, hash: Buffer): Fragment => sql`
  select sessions.id, 'user' as kind, sessions.user_id, null as organization_id, null as team_id,
    null::timestamptz as created_at, false as is_token, null::jsonb as run
  from sessions ${sessionEnds(sql)}
  where sessions.hash = ${hash} and ${sessionIsOpen(sql)}`;

/** A person, or what a service account stands for while that is there. */
const account = (sql: Sql, id: string): Fragment => sql`
  select null as id,
    case when not users.is_service_account then 'user' when teams.id is not null then 'team' else 'organization' end
      as kind,
    users.id as user_id, organizations.id as organization_id, teams.id as team_id, null::timestamptz as created_at,
    false as is_token, null::jsonb as run
  from users
  left join teams on teams.id = users.service_of_id
  left join organizations on organizations.id = users.service_of_id
  where users.id = ${id} and (not users.is_service_account or teams.id is not null or organizations.id is not null)`;

/** The run of a job, also once the job is over: what an apply could not save is worth more than its token. */
const job = (sql: Sql, id: string): Fragment => sql`
  select null as id, 'run' as kind, coalesce(
      (select users.id from users where users.id = runs.created_by_id),
      (select users.id from users where users.service_of_id = runs.organization_id)
    ) as user_id,
    null as organization_id, null as team_id, null::timestamptz as created_at, false as is_token,
    ${scope(sql, sql`jobs.phase`)} as run
  from jobs
  join runs on runs.id = jobs.run_id
  where jobs.id = ${id}`;
