/** The name of a violated constraint → the name of the error a caller reads. A duplicate name is 422, never 500. */
import { ApiError, faultAt } from '../errors.ts';

const namePointer = '/data/attributes/name';
const keyPointer = '/data/attributes/key';
const idTaken = () => new ApiError([faultAt('id-taken', '/data/id')]);
const taken = (pointer: string) => new ApiError([faultAt('name-taken', pointer)]);

const byConstraint: Record<string, () => ApiError> = {
  agent_pools_pkey: idTaken,
  projects_pkey: idTaken,
  ssh_keys_pkey: idTaken,
  teams_pkey: idTaken,
  variable_sets_pkey: idTaken,
  workspaces_pkey: idTaken,
  agent_pools_name_unique: () => taken(namePointer),
  // The workspace was deleted while its content was on its way.
  blob_chunks_blob_gone: () => new ApiError('not-found'),
  blobs_workspace_gone: () => new ApiError('not-found'),
  state_instances_blob_gone: () => new ApiError('not-found'),
  state_version_outputs_blob_gone: () => new ApiError('not-found'),
  engine_versions_version_unique: () => new ApiError([faultAt('version-taken', '/data/attributes/version')]),
  organization_memberships_user_unique: () => new ApiError([faultAt('membership-taken', '/data/attributes/email')]),
  organizations_agent_pool_used: () => new ApiError('agent-pool-in-use'),
  organizations_name_unique: () => taken(namePointer),
  projects_name_unique: () => taken(namePointer),
  reserved_tag_keys_key_unique: () => new ApiError([faultAt('key-taken', keyPointer)]),
  run_triggers_source_unique: () => new ApiError([faultAt('run-trigger-taken', '/data/relationships/sourceable')]),
  run_tasks_name_unique: () => taken(namePointer),
  sign_in_providers_name_unique: () => taken(namePointer),
  ssh_keys_name_unique: () => taken(namePointer),
  teams_name_unique: () => taken(namePointer),
  workspace_tasks_task_unique: () => new ApiError([faultAt('workspace-task-taken', '/data/relationships/task')]),
  workspaces_name_unique: () => taken(namePointer),
  users_username_unique: () => new ApiError([faultAt('username-taken', '/data/attributes/username')]),
  users_email_unique: () => new ApiError([faultAt('email-taken', '/data/attributes/email')]),
  tokens_team_description_unique: () => new ApiError('token-description-taken'),
  team_workspaces_unique: () => new ApiError([faultAt('team-access-taken', '/data/relationships/team')]),
  team_projects_unique: () => new ApiError([faultAt('team-access-taken', '/data/relationships/team')]),
  variable_sets_name_unique: () => taken(namePointer),
  variable_sets_project_name_unique: () => taken(namePointer),
  variables_global_key_unique: () => new ApiError([faultAt('variable-key-global', keyPointer)]),
  variables_key_unique: () => new ApiError([faultAt('variable-key-taken', keyPointer)]),
  variables_set_key_unique: () => new ApiError([faultAt('variable-key-taken', keyPointer)]),
  workspaces_project_used: () => new ApiError('project-not-empty'),
  workspaces_agent_pool_used: () => new ApiError('agent-pool-in-use'),
  projects_agent_pool_used: () => new ApiError('agent-pool-in-use'),
  // The pool was deleted while a run for it was made: tried again, it finds the one that holds by now.
  runs_agent_pool_id_fkey: () => new ApiError('record-busy'),
  jobs_agent_pool_id_fkey: () => new ApiError('record-busy'),
};

/**
 * States that mean "not now": connections refused or lost, shutdown, a standby, too many, disk full, statements cancelled,
 * and conflicts of transactions that trying again did not solve.
 */
const unavailable =
  /^(08|57P|57014|53|25006|40001|40P01|ECONN|EPIPE|ENOENT|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|CONNECT)/;

/** Values that a column cannot hold and that no rule refused before: out of range, malformed, or too long for an index. */
const unstorable = /^(22003|22007|22008|22021|22P02|22P05|54000)$/;

/** The refusal that a fault of the store means, or the fault itself when it means none. */
export function storeFault(error: unknown): unknown {
  const { code, constraint } = error as { code?: string; constraint?: string };
  if (constraint !== undefined && byConstraint[constraint]) return byConstraint[constraint]();
  if (typeof code !== 'string') return error;
  // A row that another transaction holds for too long.
  if (code === '55P03') return new ApiError('record-busy');
  if (isUnavailable(error)) return new ApiError('store-unavailable');
  if (unstorable.test(code)) {
    const reason = 'A value of the request is malformed, or outside of what can be stored.';
    return new ApiError('malformed-request', { reason });
  }
  return error;
}

/** Whether a fault says that PostgreSQL cannot serve now: it lies outside of the program, and comes with every request. */
export function isUnavailable(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && unavailable.test(code);
}
