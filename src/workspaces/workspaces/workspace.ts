/** §2.2 Workspace: the document, the SELECT and the finder. */
import { Type } from 'typebox';
import {
  withForceDelete,
  workspacePermissionNames,
  workspacePermissions,
  workspacePowers,
} from '../../access/workspace-levels.ts';
import { grantColumns, grantedPowers } from '../../access/workspaces.ts';
import type { Actor } from '../../core/access/actor.ts';
import type { Finder, Subject } from '../../core/jsonapi/endpoint.ts';
import {
  boolean,
  booleans,
  column,
  computed,
  type Deployment,
  integer,
  nullable,
  type Row,
  text,
  texts,
  timestamp,
  word,
} from '../../core/jsonapi/fields.ts';
import { type RowOf, resource } from '../../core/jsonapi/resource.ts';
import { type Fragment, held, type Lock, type Sql } from '../../core/store/store.ts';
import { ownPolicyColumns } from '../../organizations/data-retention-policies/data-retention-policy.ts';
import {
  durationForm,
  metric,
  overwritesGiven,
  paths,
  shownClientName,
  shownDuration,
  shownVcsRepo,
  vcsRepoGiven,
  vcsRepoShown,
  workspaceName,
} from './fields.ts';
import { keep, keptBy, keptRow, shownTo } from './kept.ts';
import { workspaceRelationships } from './relationships.ts';

const executionMode = word('remote', 'local', 'agent');
const isHosted = ({ edition }: Deployment) => edition === 'hosted';

const attributes = {
  /** Whether a destroy plan can be asked for at all. */
  actions: computed(booleans('is-destroyable'), row => ({ 'is-destroyable': row['allow_destroy_plan'] })),
  'allow-destroy-plan': column(boolean, { write: true, default: true }),
  'apply-duration-average': metric('apply-duration-average'),
  'plan-duration-average': metric('plan-duration-average'),
  'policy-check-failures': metric('policy-check-failures'),
  'run-failures': metric('run-failures'),
  'workspace-kpis-runs-count': metric('workspace-kpis-runs-count'),
  'assessments-enabled': column(boolean, { write: true, default: false, when: isHosted }),
  'last-assessment-result-at': computed(nullable(timestamp), () => null),
  'auto-apply': column(boolean, { write: true, default: false }),
  'auto-apply-run-trigger': column(boolean, { write: true, default: false }),
  'auto-destroy-at': column(nullable(timestamp), { write: true }),
  'auto-destroy-activity-duration': computed(nullable(text), shownDuration, { write: nullable(durationForm) }),
  'auto-destroy-status': computed(nullable(text), row => (row['auto_destroy_at'] ? 'scheduled' : null)),
  'inherits-project-auto-destroy': column(boolean, { write: true }),
  'created-at': column(timestamp),
  'updated-at': column(timestamp),
  'latest-change-at': column(timestamp),
  description: column(nullable(text), { write: nullable(Type.String({ maxLength: 4096 })), default: null }),
  environment: column(text),
  'execution-mode': computed(executionMode, row => row['effective_execution_mode'], { write: true }),
  operations: computed(boolean, row => row['effective_execution_mode'] !== 'local', { write: true }),
  /** Write-only: answers carry the relationship `agent-pool`. */
  'agent-pool-id': computed(nullable(text), row => row['effective_agent_pool_id'], { write: true }),
  'file-triggers-enabled': column(boolean, { write: true, default: true }),
  'global-remote-state': column(boolean, { write: true }),
  'project-remote-state': column(boolean, { write: true, default: false }),
  locked: column(boolean),
  'locked-reason': column(nullable(text)),
  name: column(text, { write: workspaceName }),
  'oauth-client-name': computed(nullable(text), shownClientName),
  'queue-all-runs': column(boolean, { write: true, default: false }),
  'resource-count': column(integer),
  source: column(text),
  'source-name': column(nullable(text), { write: nullable(Type.String({ maxLength: 255 })), default: null }),
  'source-url': column(nullable(text), { write: nullable(Type.String({ maxLength: 2048 })), default: null }),
  'speculative-enabled': column(boolean, { write: true, default: true }),
  'structured-run-output-enabled': column(boolean, { write: true, default: true }),
  'tag-names': column(texts),
  'engine-version': column(text, { write: nullable(Type.String({ maxLength: 255 })) }),
  /** The name that clients know it by. */
  'terraform-version': computed(text, row => row['engine_version']),
  'trigger-prefixes': column(texts, { write: paths(), default: [] }),
  'trigger-patterns': column(texts, { write: paths(), default: [] }),
  'vcs-repo': computed(vcsRepoShown, shownVcsRepo, { write: vcsRepoGiven }),
  'vcs-repo-identifier': computed(nullable(text), row => row['vcs_repo']?.identifier ?? null),
  'working-directory': column(nullable(text), { write: nullable(Type.String({ maxLength: 1024 })), default: null }),
  'setting-overwrites': computed(
    booleans('execution-mode', 'agent-pool'),
    row => ({ 'execution-mode': row['overwrites_execution_mode'], 'agent-pool': row['overwrites_execution_mode'] }),
    { write: overwritesGiven() },
  ),
  permissions: computed(booleans(...workspacePermissionNames), row => workspacePermissions(row['powers'])),
};

export const workspaces = resource({
  type: 'workspaces',
  attributes,
  relationships: workspaceRelationships,
  links: row => ({
    self: `/api/v2/organizations/${row['organization_name']}/workspaces/${row['name']}`,
    'self-html': `/app/${row['organization_name']}/workspaces/${row['name']}`,
  }),
  load: (sql, actor, ids) => visibleWorkspaces(sql, actor, sql`workspaces.id = any(${ids as string[]})`),
});

export interface Workspace extends RowOf<typeof attributes>, Subject {
  id: string;
  organization_id: string;
  organization_name: string;
  project_id: string;
  overwrites_execution_mode: boolean;
  /** Its own, which count only while it overwrites. */
  execution_mode: 'remote' | 'local' | 'agent' | null;
  agent_pool_id: string | null;
  effective_execution_mode: 'remote' | 'local' | 'agent';
  auto_destroy_activity_duration: string | null;
  vcs_repo: Record<string, unknown> | null;
  ssh_key_id: string | null;
}

/** The row as it is for a caller of these powers: the names of variables are not for everyone. */
function asWorkspace(row: Row, granted: number): Workspace {
  row['powers'] = withForceDelete(granted, row['allow_force_delete_workspaces']);
  if (!workspacePowers.has(granted, 'read-variables')) row['variable_ids'] = [];
  return row as Workspace;
}

/** The workspaces of a condition that the actor may read, as they are read everywhere. */
export async function visibleWorkspaces(
  sql: Sql,
  actor: Actor,
  condition: Fragment,
  rest?: Fragment,
): Promise<Workspace[]> {
  const rows = await readWorkspaces(sql, actor, condition, rest);
  return rows.map(row => asWorkspace(row, grantedPowers(row, actor))).filter(mayRead);
}

const mayRead = ({ powers }: Workspace) => workspacePowers.has(powers, 'read');

/** The columns that say whether a kept row still holds, and what the actor's teams may do with the workspace. */
const stampedColumns = (sql: Sql, actor: Actor): Fragment => sql`
  workspaces.id, workspaces.organization_id,
  (workspaces.revision # projects.revision # organizations.revision)::text as stamp, ${grantColumns(sql, actor)}`;

/** The workspaces of a condition with these columns alone, and those of `also`. */
export const stampedWorkspaces = (sql: Sql, actor: Actor, condition: Fragment, also?: Fragment): Fragment => sql`
  select ${stampedColumns(sql, actor)} ${also ? sql`, ${also}` : sql``}
  from workspaces
  join organizations on organizations.id = workspaces.organization_id
  join projects on projects.id = workspaces.project_id
  where ${condition}`;

/** As `visibleWorkspaces`, of rows with `stampedColumns`: only what is not kept as it is now is read. */
export async function shownWorkspaces(sql: Sql, actor: Actor, stamped: readonly Row[]): Promise<Workspace[]> {
  const kept = keptBy(sql)!;
  const current = new Map(stamped.flatMap(row => keptRow(kept, row) ?? []).map(found => [found.row.id, found]));
  const missing = stamped.map(({ id }) => id).filter(id => !current.has(id));
  if (missing.length > 0) {
    const rows = await readWorkspaces(sql, actor, sql`workspaces.id = any(${missing})`);
    for (const row of rows) current.set(row.id, keep(kept, row));
  }
  const all = stamped.flatMap(row => {
    const found = current.get(row.id);
    return found ? shownTo(found, grantedPowers(row, actor), asWorkspace) : [];
  });
  return all.filter(mayRead);
}

/** Everything that documents show. */
function readWorkspaces(sql: Sql, actor: Actor, condition: Fragment, rest?: Fragment): Promise<Row[]> {
  return sql<Row[]>`
    select
      workspaces.*, organizations.name as organization_name, organizations.allow_force_delete_workspaces,
      projects.auto_destroy_activity_duration as project_auto_destroy_activity_duration,
      case
        when workspaces.overwrites_execution_mode then workspaces.execution_mode
        when projects.overwrites_execution_mode then projects.default_execution_mode
        else organizations.default_execution_mode
      end as effective_execution_mode,
      case
        when workspaces.overwrites_execution_mode then workspaces.agent_pool_id
        when projects.overwrites_execution_mode then projects.default_agent_pool_id
        else organizations.default_agent_pool_id
      end as effective_agent_pool_id,
      array(
        select tags.name from workspace_tags
        join tags on tags.id = workspace_tags.tag_id
        where workspace_tags.workspace_id = workspaces.id
        order by tags.name
      ) as tag_names,
      array(
        select state_version_outputs.id from state_version_outputs
        where state_version_outputs.state_version_id = workspaces.current_state_version_id
        order by state_version_outputs.id
      ) as output_ids,
      array(
        select variables.id from variables
        where variables.workspace_id = workspaces.id
        order by variables.created_at, variables.id
      ) as variable_ids,
      ${stampedColumns(sql, actor)}, ${ownPolicyColumns(sql)}, oauth_clients.name as vcs_client_name,
      oauth_clients.service_provider as vcs_service_provider, oauth_clients.http_url as vcs_http_url
    from workspaces
    join organizations on organizations.id = workspaces.organization_id
    join projects on projects.id = workspaces.project_id
    left join data_retention_policies on data_retention_policies.workspace_id = workspaces.id
    left join oauth_tokens on oauth_tokens.id = workspaces.vcs_repo ->> 'oauth-token-id'
    left join oauth_clients on oauth_clients.id = oauth_tokens.oauth_client_id
    where ${condition}
    ${rest ?? sql``}`;
}

/**
 * The workspace of a condition, its row held. One that moves to another project while the statement waits for its row fits
 * the joined rows no more and seems to be gone: the next look finds it, if it is still there, with its row held already.
 */
export async function heldWorkspace(
  sql: Sql,
  actor: Actor,
  condition: Fragment,
  lock: Lock,
): Promise<Workspace | undefined> {
  const look = () => visibleWorkspaces(sql, actor, condition, held(sql, lock, 'workspaces'));
  const [workspace] = await look();
  return workspace ?? (lock === null ? undefined : (await look())[0]);
}

/** By id, or by the organization's name and the workspace's. */
export const workspaceById: Finder<Workspace> = {
  find: async (sql, actor, params, lock) => {
    const { workspace_id: id, organization_name: organization, workspace_name: name } = params;
    const condition =
      id === undefined
        ? sql`organizations.name = ${organization!} and workspaces.name = ${name!}`
        : sql`workspaces.id = ${id}`;
    const kept = keptBy(sql);
    if (!kept || lock !== null) return heldWorkspace(sql, actor, condition, lock);
    const isLikely = kept.byId.has(id ?? kept.ids.get(`${organization}/${name}`) ?? '');
    const rows = isLikely
      ? await sql<Row[]>`${stampedWorkspaces(sql, actor, condition)}`
      : await readWorkspaces(sql, actor, condition);
    if (!isLikely) for (const row of rows) keep(kept, row);
    const [workspace] = await shownWorkspaces(sql, actor, rows);
    return workspace;
  },
};
