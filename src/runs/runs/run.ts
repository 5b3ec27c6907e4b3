/** §2.2 `current-run`: the document of a run, its SELECT and finder. */

import { Type } from 'typebox';
import { runPowers } from '../../access/policy.ts';
import { workspacePowers } from '../../access/workspace-levels.ts';
import { type Granted, grantColumns, grantedPowers, workspaceIsReadable } from '../../access/workspaces.ts';
import type { Actor, RunScope } from '../../core/access/actor.ts';
import type { Powers } from '../../core/access/powers.ts';
import {
  addressed,
  boolean,
  booleans,
  column,
  computed,
  integer,
  nullable,
  type Row,
  reference,
  references,
  text,
  texts,
  timestamp,
  word,
} from '../../core/jsonapi/fields.ts';
import type { Page } from '../../core/jsonapi/page.ts';
import { type Finder, records, type Subject } from '../../core/jsonapi/records.ts';
import { type RowOf, resource } from '../../core/jsonapi/resource.ts';
import { counted } from '../../core/store/page.ts';
import type { Fragment, Sql } from '../../core/store/store.ts';
import { holdWorkspace } from '../../workspaces/workspaces/rows.ts';
import { type HeldVariables, ownVariables } from '../queue/own-variables.ts';
import { stageNames } from '../queue/stages.ts';
import { actionsOf, type RunStatus, runStatuses, type Standing } from '../queue/statuses.ts';

interface RunRow extends Subject<'run'>, Granted, Standing {
  organization_id: string;
  workspace_id: string;
  configuration_version_id: string | null;
  plan_id: string;
  apply_id: string | null;
  confirmed_by_id: string | null;
  position: number;
  status: RunStatus;
  variables: HeldVariables;
}

export const statusTimestamps = Type.Unsafe<Record<string, string>>({
  type: 'object',
  additionalProperties: { type: 'string', format: 'date-time' },
});

const addresses = Type.Array(Type.String({ minLength: 1, maxLength: 4096 }), { maxItems: 1000 });
const variable = Type.Object({ key: text, value: text });
const permissionPowers = {
  'can-apply': 'apply',
  'can-cancel': 'cancel',
  'can-comment': 'comment',
  'can-discard': 'discard',
  'can-force-cancel': 'force-cancel',
  'can-force-execute': 'force-execute',
  'can-override-policy-check': 'override-policies',
} as const;
type Permission = keyof typeof permissionPowers;

const attributes = {
  actions: computed(
    booleans('is-cancelable', 'is-confirmable', 'is-discardable', 'is-force-cancelable'),
    (row: RunRow) => actionsOf(row),
  ),
  'allow-config-generation': column(boolean, { write: true }),
  'allow-empty-apply': column(boolean, { write: true }),
  'auto-apply': column(boolean, { write: true }),
  'canceled-at': column(nullable(timestamp)),
  'created-at': column(timestamp),
  'debugging-mode': column(boolean, { write: true }),
  'force-cancel-available-at': column(nullable(timestamp)),
  'has-changes': column(boolean),
  'invoke-action-addrs': column(texts, { write: addresses }),
  'is-destroy': column(boolean, { write: true }),
  message: column(text, { write: nullable(Type.String({ maxLength: 10_000 })) }),
  permissions: computed(booleans(...(Object.keys(permissionPowers) as Permission[])), permissions),
  'plan-only': column(boolean, { write: true }),
  'policy-paths': column(texts, { write: addresses }),
  'position-in-queue': column(integer),
  refresh: column(boolean, { write: true }),
  'refresh-only': column(boolean, { write: true }),
  'replace-addrs': column(texts, { write: addresses }),
  'save-plan': column(boolean, { write: true }),
  source: column(text),
  status: column(word(...runStatuses)),
  'status-timestamps': column(statusTimestamps),
  'target-addrs': column(texts, { write: addresses }),
  'terraform-version': column(text, { write: Type.String({ minLength: 1, maxLength: 255 }) }),
  'trigger-reason': column(text),
  variables: computed(
    Type.Array(variable),
    (row: RunRow, { unseal }) => [...ownVariables(unseal, { id: row.id, variables: row.variables })],
    {
      write: Type.Array(Type.Object({ key: Type.String({ minLength: 1, maxLength: 255 }), value: text }), {
        maxItems: 1000,
      }),
    },
  ),
};

function permissions({ powers }: RunRow): Record<Permission, boolean> {
  const named = Object.entries(permissionPowers).map(([name, power]) => [name, runPowers.has(powers, power)]);
  return Object.fromEntries(named) as Record<Permission, boolean>;
}

const user = (id: string) => addressed('users', id);
const under = (path: string) => (row: Row) => `/api/v2/runs/${row.id}/${path}`;

export const runs = resource({
  type: 'runs',
  attributes,
  relationships: {
    apply: reference('applies', 'apply_id', under('apply')),
    comments: references('comments', 'comment_ids', under('comments')),
    'configuration-version': reference(
      'configuration-versions',
      'configuration_version_id',
      under('configuration-version'),
    ),
    'confirmed-by': user('confirmed_by_id'),
    'cost-estimate': reference('cost-estimates', () => null),
    'created-by': user('created_by_id'),
    plan: reference('plans', 'plan_id', under('plan')),
    'policy-checks': references('policy-checks', () => []),
    'run-events': references('run-events', 'run_event_ids', under('run-events')),
    'task-stages': references('task-stages', 'task_stage_ids', under('task-stages')),
    workspace: addressed('workspaces', 'workspace_id'),
  },
  links: row => ({ self: `/api/v2/runs/${row.id}` }),
  load: (sql, actor, ids) => runRecords.load(sql, actor, ids),
});

export const includePaths = [
  'apply',
  'comments',
  'configuration_version',
  'configuration_version.ingress_attributes',
  'confirmed_by',
  'cost_estimate',
  'created_by',
  'plan',
  'run_events',
  'task_stages',
  'workspace',
] as const;

/** `powers` are those of the run: what the caller's powers on the workspace come to. */
export interface Run extends RowOf<typeof attributes>, RunRow {}

/** Whoever may only queue runs may also stop those that cannot be applied. */
export function runPowersFrom(onWorkspace: Powers<'workspace'>, isPlanOnly: boolean): Powers<'run'> {
  const may = (power: Parameters<typeof workspacePowers.has>[1]) => workspacePowers.has(onWorkspace, power);
  if (!may('read')) return runPowers.none;
  const decides = may('apply');
  const endsPlan = decides || (may('plan') && isPlanOnly);
  return runPowers.where({
    read: true,
    comment: decides || may('plan'),
    apply: decides,
    cancel: endsPlan,
    discard: endsPlan,
    'force-execute': decides,
    'force-cancel': decides && may('administer'),
    'override-policies': may('override-policies'),
    'read-json-output': may('administer'),
    'read-errored-state': may('write-state'),
  });
}

/** A run, or a part of it, which names it. */
export type PartOfRun = Granted & { id: string; run_id?: string; plan_only: boolean };

/** What the actor may do with the run. */
export function powersOnRun(row: PartOfRun, actor: Actor): Powers<'run'> {
  if (actor.run?.phase === 'task') return powersOfTask(row, actor.run);
  return runPowersFrom(grantedPowers(row, actor), row.plan_only);
}

/** On the run that it was asked about: its plan, too, with what is sensitive in it. */
const powersOfTask = (row: PartOfRun, { runId }: RunScope) =>
  (row.run_id ?? row.id) === runId ? runPowers.of('read', 'read-json-output') : runPowers.none;

/** The statuses of the index that serves the queue, in which people wait. */
export const isWaiting = (sql: Sql, alias: string): Fragment =>
  sql`(${sql(alias)}.status in ('pending', 'plan_queued', 'apply_queued') and not ${sql(alias)}.is_assessment)`;

const runColumns = (sql: Sql, actor: Actor, position: Fragment): Fragment => sql`
  runs.*, ${grantColumns(sql, actor)}, ${position} as position_in_queue,
  array(
    select run_events.id from run_events where run_events.run_id = runs.id
    order by run_events.created_at, run_events.id
  ) as run_event_ids,
  array(
    select comments.id from comments where comments.run_id = runs.id order by comments.created_at, comments.id
  ) as comment_ids,
  array(
    select task_stages.id from task_stages where task_stages.run_id = runs.id
    order by array_position(${[...stageNames]}::text[], task_stages.stage)
  ) as task_stage_ids`;

/** Of one run, or of a few: those before it are counted. */
const countedPosition = (sql: Sql): Fragment => sql`
  case when ${isWaiting(sql, 'runs')} then 1 + (
    select count(*) from runs as ahead
    where ahead.organization_id = runs.organization_id and ${isWaiting(sql, 'ahead')}
      and (ahead.created_at, ahead.id) < (runs.created_at, runs.id)
  ) else 0 end`;

const fromRuns = (sql: Sql): Fragment => sql`
  runs
  join workspaces on workspaces.id = runs.workspace_id`;

const runRecords = records<Run>({
  table: 'runs',
  columns: (sql, actor) => runColumns(sql, actor, countedPosition(sql)),
  from: fromRuns,
  isVisible: (sql, actor) => sql`${workspaceIsReadable(sql, actor)} and not runs.is_assessment`,
  powers: powersOnRun,
});

/** Of many runs of one organization: its queue is read once, and each is looked for in it. */
const queuedPosition = (sql: Sql, organizationId: string): Fragment => sql`
  case when ${isWaiting(sql, 'runs')} then array_position(
    array(
      select queued.id from runs as queued
      where queued.organization_id = ${organizationId} and ${isWaiting(sql, 'queued')}
      order by queued.created_at, queued.id
    ), runs.id
  ) else 0 end`;

interface Door {
  sql: Sql;
  actor: Actor;
  page: Pick<Page, 'size' | 'offset'>;
}

interface Asked {
  organizationId: string;
  condition: Fragment;
  order: Fragment;
}

const readableRuns = ({ sql, actor }: Door, { condition }: Asked): Fragment =>
  sql`from ${fromRuns(sql)} where ${condition} and not runs.is_assessment and ${workspaceIsReadable(sql, actor)}`;

/** Only the runs of the page are looked at closely: a queue may hold many thousands before it. */
function pageRows(door: Door, asked: Asked): Fragment {
  const { sql, actor, page } = door;
  const { organizationId, order } = asked;
  return sql`
    select ${runColumns(sql, actor, queuedPosition(sql, organizationId))} from ${fromRuns(sql)}
    where runs.id in (
      select runs.id ${readableRuns(door, asked)} order by ${order} limit ${page.size} offset ${page.offset}
    )
    order by ${order}`;
}

const withPowers = (rows: readonly Run[], actor: Actor): Run[] =>
  rows.map(row => ({ ...row, powers: powersOnRun(row, actor) }));

/** A page of the runs of one organization, and the number of all. */
export async function countedRuns(door: Door, asked: Asked): Promise<{ rows: Run[]; total: number }> {
  const { sql, actor } = door;
  const total = sql`select count(*) as total ${readableRuns(door, asked)}`;
  const found = await counted<Run>(sql, total, pageRows(door, asked));
  return { rows: withPowers(found.rows, actor), total: found.total };
}

/** The same without the number. */
export async function uncountedRuns(door: Door, asked: Asked): Promise<Run[]> {
  return withPowers(await door.sql<Run[]>`${pageRows(door, asked)}`, door.actor);
}

/** A write holds the row of the workspace, as every move of its runs does; the run is read after that. */
export const runById: Finder<Run> = {
  parameter: 'run_id',
  find: async (look, params) => {
    const { sql } = look;
    const id = params['run_id']!;
    const workspace = sql`workspaces.id = (select runs.workspace_id from runs where runs.id = ${id})`;
    return (await holdWorkspace(look, workspace)) ? byId.find({ ...look, lock: null }, params) : undefined;
  },
};

const byId = runRecords.byId('run_id');
