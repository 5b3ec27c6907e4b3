/** The rows of workspaces: the SELECT of their documents, those of a condition, and the finder; read anew only where they changed. */
import { isDeepStrictEqual } from 'node:util';
import { withForceDelete, workspacePowers } from '../../access/workspace-levels.ts';
import { type Granted, grantColumns, grantedPowers, workspaceIsReadable } from '../../access/workspaces.ts';
import type { Actor } from '../../core/access/actor.ts';
import type { Powers } from '../../core/access/powers.ts';
import type { Finder, Look, Params } from '../../core/jsonapi/records.ts';
import { limits } from '../../core/limits.ts';
import type { Kept } from '../../core/store/kept.ts';
import { none } from '../../core/store/sql.ts';
import { row as columnsOf, type Fragment, held, type Sql } from '../../core/store/store.ts';
import { ownPolicyColumns } from '../../organizations/data-retention-policies/data-retention-policy.ts';
import type { Workspace } from './attributes.ts';
import { effectiveAgentPool, effectiveExecutionMode } from './execution-mode.ts';

/** Everything that documents show, but for what the caller may do. */
const namedOutputs = limits.relationshipOutputs_items.value;

const documentColumns = (sql: Sql): Fragment => sql`
    workspaces.*, organizations.name as organization_name, organizations.allow_force_delete_workspaces,
    projects.auto_destroy_activity_duration as project_auto_destroy_activity_duration,
    ${effectiveExecutionMode(sql)} as effective_execution_mode, ${effectiveAgentPool(sql)} as effective_agent_pool_id,
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
      limit ${namedOutputs}
    ) as output_ids,
    array(
      select variables.id from variables
      where variables.workspace_id = workspaces.id
      order by variables.created_at, variables.id
    ) as variable_ids,
    ${ownPolicyColumns(sql)}, oauth_clients.id as vcs_client_id, oauth_clients.name as vcs_client_name,
    oauth_clients.service_provider as vcs_service_provider, oauth_clients.http_url as vcs_http_url`;

/** The revisions of all that a document shows, and what the actor's teams may do with the workspace. */
const stampColumns = (sql: Sql, actor: Actor): Fragment => sql`
    workspaces.id, workspaces.organization_id,
    (workspaces.revision # projects.revision # organizations.revision)::text as stamp, ${grantColumns(sql, actor)}`;

const allTables = (sql: Sql): Fragment => sql`
    workspaces
    join organizations on organizations.id = workspaces.organization_id
    join projects on projects.id = workspaces.project_id
    left join data_retention_policies on data_retention_policies.workspace_id = workspaces.id
    left join oauth_tokens on oauth_tokens.id = workspaces.vcs_repo ->> 'oauth-token-id'
    left join oauth_clients on oauth_clients.id = oauth_tokens.oauth_client_id`;

/** A workspace of which it is only known whether its kept row still holds, and what the actor's teams may do with it. */
export type Stamped = Granted & { id: string; stamp: string };

/** The workspaces of a condition with what tells whether their kept rows still hold, and the columns of `more`. */
export const workspaceStamps = (sql: Sql, actor: Actor, condition: Fragment, more: Fragment = none): Fragment => sql`
  select ${stampColumns(sql, actor)}${more}
  from workspaces
  join organizations on organizations.id = workspaces.organization_id
  join projects on projects.id = workspaces.project_id
  where ${condition}`;

function wholeWorkspaces(
  sql: Sql,
  actor: Actor,
  condition: Fragment,
  { more = none, rest = none }: { more?: Fragment; rest?: Fragment } = {},
): Promise<Workspace[]> {
  return sql<Workspace[]>`
    select ${documentColumns(sql)}, ${stampColumns(sql, actor)}${more}
    from ${allTables(sql)}
    where ${condition}
    ${rest}`;
}

/** The workspaces of a condition that the actor may read, as they are read everywhere. */
export async function visibleWorkspaces(
  sql: Sql,
  actor: Actor,
  condition: Fragment,
  rest?: Fragment,
): Promise<Workspace[]> {
  const rows = await wholeWorkspaces(sql, actor, condition, rest && { rest });
  return rows.map(row => presented(row, grantedPowers(row, actor))).filter(mayRead);
}

const mayRead = ({ powers }: Workspace) => workspacePowers.has(powers, 'read');

const isShownWhole = (powers: Powers<'workspace'>) =>
  workspacePowers.has(powers, 'read-variables') && workspacePowers.has(powers, 'read-state-outputs');

/** The row as it is for a caller of these powers: which variables and outputs there are is not for everyone. */
function presented(row: Workspace, granted: Powers<'workspace'>): Workspace {
  row.powers = withForceDelete(granted, row.allow_force_delete_workspaces);
  if (!workspacePowers.has(granted, 'read-variables')) row.variable_ids = [];
  if (!workspacePowers.has(granted, 'read-state-outputs')) row.output_ids = [];
  return row;
}

/** The rows of `workspaceStamps` as documents show them: only what is not kept as it is now is read. */
export async function workspacesByStamps(sql: Sql, actor: Actor, stamps: readonly Stamped[]): Promise<Workspace[]> {
  const { kept } = sql;
  const keptOf = (row: Stamped) => kept?.find(row.id, row.stamp, grantedPowers(row, actor), presentedFor);
  const current = new Map(stamps.flatMap(row => keptOf(row) ?? []).map(row => [row.id, row]));
  const missing = stamps.map(({ id }) => id).filter(id => !current.has(id));
  if (missing.length > 0) {
    const rows = await wholeWorkspaces(sql, actor, sql`workspaces.id = any(${missing})`);
    for (const row of rows) current.set(row.id, keptAs(kept, row, grantedPowers(row, actor)));
  }
  return stamps.flatMap(({ id }) => current.get(id) ?? []).filter(mayRead);
}

const presentedFor = (row: Workspace, powers: number) => presented(row, workspacePowers.from(powers));

/** The row without what is one caller's alone. */
function ofNobody({ caller_stamp: _caller, ...row }: Workspace & { caller_stamp?: string }): Workspace {
  return { ...row, workspace_powers: 0, project_powers: 0 };
}

/** Keeps the row, and returns it as it is for these powers. */
function keptAs(kept: Kept | undefined, found: Workspace, powers: Powers<'workspace'>): Workspace {
  const row = ofNobody(found);
  kept?.keep(row, row.stamp);
  return kept?.find(row.id, row.stamp, powers, presentedFor) ?? presented({ ...row }, powers);
}

/** Columns from which more follows than what they say: an effective mode, the names of a connection. */
const decisive = ['project_id', 'overwrites_execution_mode', 'execution_mode', 'agent_pool_id', 'vcs_repo'] as const;

/**
 * Writes these columns of a workspace that is held, and returns it as it is then; undefined where that has to be read, since
 * it follows from other tables too.
 */
export async function changeColumns(
  sql: Sql,
  before: Workspace,
  changes: Partial<Workspace>,
): Promise<Workspace | undefined> {
  const update = sql`
    update workspaces set ${columnsOf(sql, changes)}, updated_at = now(), revision = default
    where workspaces.id = ${before.id}`;
  if (decisive.every(name => !(name in changes) || isDeepStrictEqual(changes[name], before[name])))
    return changed(sql, before, update);
  update.send();
  return undefined;
}

/** The workspace as a statement leaves it that changes nothing of its document but columns of its own; undefined where it changed nothing. */
export async function changed(sql: Sql, before: Workspace, update: Fragment): Promise<Workspace | undefined> {
  const statement = sql<Workspace[]>`${update} returning workspaces.*`;
  statement.send();
  const [now] = await statement;
  if (!now) return undefined;
  // A stamp is made of the revisions of three records, of which only this one has changed.
  const stamp = BigInt(before.stamp) ^ BigInt(before.revision) ^ BigInt(now.revision);
  const after = { ...before, ...now, stamp: String(stamp) };
  if (isShownWhole(before.powers)) sql.known?.keep(ofNobody(after), after.stamp);
  return after;
}

/** The workspace of a condition, its row held. */
export async function heldWorkspace(
  { sql, actor, lock, proof }: Look,
  condition: Fragment,
  order: Fragment = none,
): Promise<Workspace | undefined> {
  const look = async () => {
    const rest = sql`${order} ${held(sql, lock, 'workspaces')}`;
    const readable = sql`${condition} and ${workspaceIsReadable(sql, actor)}`;
    const [row] = await wholeWorkspaces(sql, actor, readable, { more: proof.column, rest });
    proof.of(row);
    // What a change is answered with is what the next one, and whoever reads, asks for.
    if (row && lock === null) sql.known?.keep(ofNobody(row), row.stamp);
    return row && presented(row, grantedPowers(row, actor));
  };
  return lock === null ? look() : twice(look);
}

/**
 * The same for a record that was looked at a moment ago: what is held is the row, and what it says is known unless somebody
 * has changed it since.
 */
async function heldAsKnown(
  { sql, actor, lock, proof }: Look,
  condition: Fragment,
  params: Params,
): Promise<Workspace | undefined> {
  const readable = sql`${condition} and ${workspaceIsReadable(sql, actor)}`;
  const hold = async () => {
    const [row] = await sql<Stamped[]>`
      ${workspaceStamps(sql, actor, readable, proof.column)} ${held(sql, lock, 'workspaces')}`;
    proof.of(row);
    return row;
  };
  const row = await twice(hold);
  if (!row) return undefined;
  sql.known?.show(actor.userId, nameOf(params), groundsOf(row, actor));
  const known = sql.known?.find(row.id, row.stamp, grantedPowers(row, actor), presentedFor);
  if (known) return known;
  const [whole] = await wholeWorkspaces(sql, actor, sql`workspaces.id = ${row.id}`);
  return presented(whole!, grantedPowers(whole!, actor));
}

/**
 * One that moves to another project while the statement waits for its row fits the joined rows no more and seems to be gone:
 * the next look finds it, if it is still there, with its row held already.
 */
async function twice<Found>(look: () => Promise<Found | undefined>): Promise<Found | undefined> {
  return (await look()) ?? look();
}

/** What told that a caller may see a workspace, and when. */
interface Grounds extends Granted {
  id: string;
  /** Of the caller. */
  stamp: string;
  at_ms: number;
}

function groundsOf({ id, organization_id, project_powers, workspace_powers }: Stamped, { stamp }: Actor): Grounds {
  return { id, organization_id, project_powers, workspace_powers, stamp, at_ms: performance.now() };
}

/** The address by which the workspace was asked for: its id, or its organization and its name. */
const nameOf = ({ workspace_id: id, organization_name: organization, workspace_name: name }: Params) =>
  id ?? `${organization}/${name}`;

/** For how long who was shown a workspace is taken for somebody who may see it. */
const recall_ms = 60_000;

/** By id, or by the organization's name and the workspace's. */
export const workspaceById: Finder<Workspace> = {
  parameter: 'workspace_id',
  recall: ({ sql, actor }, params) => {
    const grounds = sql.kept?.wasShown(actor.userId, nameOf(params)) as Grounds | undefined;
    if (grounds?.stamp !== actor.stamp || performance.now() - grounds.at_ms > recall_ms) return undefined;
    return sql.kept?.latest(grounds.id, grantedPowers(grounds, actor), presentedFor);
  },
  find: async (look, params) => {
    const { sql, actor, lock, proof } = look;
    const { workspace_id: id, organization_name: organization, workspace_name: name } = params;
    const condition =
      id === undefined
        ? sql`organizations.name = ${organization!} and workspaces.name = ${name!}`
        : sql`workspaces.id = ${id}`;
    if (lock !== null) return heldAsKnown(look, condition, params);
    if (!sql.kept) return heldWorkspace(look, condition);
    // By whether this caller was shown it before: what is hidden is asked for as what is missing, whoever else has it kept.
    const isLikely = sql.kept.wasShown(actor.userId, nameOf(params)) !== undefined;
    const readable = sql`${condition} and ${workspaceIsReadable(sql, actor)}`;
    const [whole] = isLikely ? [] : await wholeWorkspaces(sql, actor, readable, { more: proof.column });
    const [row] = isLikely ? await sql<Stamped[]>`${workspaceStamps(sql, actor, readable, proof.column)}` : [whole];
    proof.of(row);
    if (!row) return undefined;
    if (whole) keptAs(sql.kept, whole, grantedPowers(whole, actor));
    const [workspace] = await workspacesByStamps(sql, actor, [row]);
    if (workspace) sql.kept.show(actor.userId, nameOf(params), groundsOf(row, actor));
    return workspace;
  },
};

/** Holds the row of the workspace of a condition, for a write to what hangs from it. False where the actor sees none. */
export async function holdWorkspace({ sql, actor, lock }: Look, condition: Fragment): Promise<boolean> {
  if (lock === null) return true;
  const found = await sql`
    select from workspaces where ${condition} and ${workspaceIsReadable(sql, actor)} ${held(sql, lock, 'workspaces')}`;
  return found.length > 0;
}
