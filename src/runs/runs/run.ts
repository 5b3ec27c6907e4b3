/** §2.2 `current-run`: the document of a run, its SELECT and finder. */

import { Type } from 'typebox';
import { runPowers } from '../../access/policy.ts';
import { workspacePowers } from '../../access/workspace-levels.ts';
import { grantColumns, grantedPowers } from '../../access/workspaces.ts';
import type { Actor } from '../../core/access/actor.ts';
import type { Finder, Subject } from '../../core/jsonapi/endpoint.ts';
import {
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
import { type RowOf, resource } from '../../core/jsonapi/resource.ts';
import type { Fragment, Sql } from '../../core/store/store.ts';
import { heldWorkspace } from '../../workspaces/workspaces/workspace.ts';
import { actionsOf, type RunStatus, runStatuses, type Standing } from '../queue/statuses.ts';

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
  actions: computed(booleans('is-cancelable', 'is-confirmable', 'is-discardable', 'is-force-cancelable'), row =>
    actionsOf(row as unknown as Standing),
  ),
  'allow-config-generation': column(boolean, { write: true, default: false }),
  'allow-empty-apply': column(boolean, { write: true, default: false }),
  'auto-apply': column(boolean, { write: true }),
  'canceled-at': column(nullable(timestamp)),
  'created-at': column(timestamp),
  'debugging-mode': column(boolean, { write: true, default: false }),
  'force-cancel-available-at': column(nullable(timestamp)),
  'has-changes': column(boolean),
  'invoke-action-addrs': column(texts, { write: addresses, default: [] }),
  'is-destroy': column(boolean, { write: true, default: false }),
  message: column(text, { write: nullable(Type.String({ maxLength: 10_000 })) }),
  permissions: computed(booleans(...(Object.keys(permissionPowers) as Permission[])), permissions),
  'plan-only': column(boolean, { write: true }),
  'policy-paths': column(texts, { write: addresses, default: [] }),
  'position-in-queue': column(integer),
  refresh: column(boolean, { write: true, default: true }),
  'refresh-only': column(boolean, { write: true, default: false }),
  'replace-addrs': column(texts, { write: addresses, default: [] }),
  'save-plan': column(boolean, { write: true, default: false }),
  source: column(text),
  status: column(word(...runStatuses)),
  'status-timestamps': column(statusTimestamps),
  'target-addrs': column(texts, { write: addresses, default: [] }),
  'terraform-version': column(text, { write: Type.String({ minLength: 1, maxLength: 255 }) }),
  'trigger-reason': column(text),
  variables: computed(Type.Array(variable), row => row['variables'], {
    write: Type.Array(Type.Object({ key: Type.String({ minLength: 1, maxLength: 255 }), value: text }), {
      maxItems: 1000,
    }),
  }),
};

function permissions(row: Row): Record<Permission, boolean> {
  const named = Object.entries(permissionPowers).map(([name, power]) => [name, runPowers.has(row['powers'], power)]);
  return Object.fromEntries(named) as Record<Permission, boolean>;
}

const user = (id: string) => reference('users', id, row => `/api/v2/users/${row[id]}`);
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
    'task-stages': references('task-stages', () => []),
    workspace: reference('workspaces', 'workspace_id', row => `/api/v2/workspaces/${row['workspace_id']}`),
  },
  links: row => ({ self: `/api/v2/runs/${row.id}` }),
  load: (sql, actor, ids) => visibleRuns(sql, actor, sql`runs.id = any(${ids as string[]})`),
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
export interface Run extends RowOf<typeof attributes>, Subject {
  id: string;
  organization_id: string;
  workspace_id: string;
  configuration_version_id: string | null;
  plan_id: string;
  apply_id: string | null;
  position: number;
  status: RunStatus;
  variables: { key: string; value: string }[];
}

/** Whoever may only queue runs may also stop those that cannot be applied. */
export function runPowersFrom(onWorkspace: number, isPlanOnly: boolean): number {
  const { has } = workspacePowers;
  if (!has(onWorkspace, 'read')) return 0;
  const decides = has(onWorkspace, 'apply');
  return (
    runPowers.bit.read |
    (has(onWorkspace, 'plan') ? runPowers.bit.comment : 0) |
    (has(onWorkspace, 'plan') && isPlanOnly ? runPowers.of('cancel', 'discard') : 0) |
    (decides ? runPowers.of('comment', 'apply', 'cancel', 'discard', 'force-execute') : 0) |
    (decides && has(onWorkspace, 'administer') ? runPowers.bit['force-cancel'] : 0) |
    (has(onWorkspace, 'override-policies') ? runPowers.bit['override-policies'] : 0)
  );
}

/** The statuses of the index that serves the queue. */
export const isWaiting = (sql: Sql, alias: string): Fragment =>
  sql`${sql(alias)}.status in ('pending', 'plan_queued', 'apply_queued')`;

const runColumns = (sql: Sql, actor: Actor): Fragment => sql`
  runs.*, ${grantColumns(sql, actor)},
  case when ${isWaiting(sql, 'runs')} then 1 + (
    select count(*) from runs as ahead
    where ahead.organization_id = runs.organization_id and ${isWaiting(sql, 'ahead')}
      and (ahead.created_at, ahead.id) < (runs.created_at, runs.id)
  ) else 0 end as position_in_queue,
  array(
    select run_events.id from run_events where run_events.run_id = runs.id
    order by run_events.created_at, run_events.id
  ) as run_event_ids,
  array(
    select comments.id from comments where comments.run_id = runs.id order by comments.created_at, comments.id
  ) as comment_ids`;

/** The runs of a condition that the actor may read, as they are read everywhere: one statement. */
export async function visibleRuns(sql: Sql, actor: Actor, condition: Fragment, rest?: Fragment): Promise<Run[]> {
  const rows = await sql<Row[]>`
    select ${runColumns(sql, actor)}
    from runs
    join workspaces on workspaces.id = runs.workspace_id
    where ${condition}
    ${rest ?? sql``}`;
  const all = rows.map(row => ({ ...row, powers: runPowersFrom(grantedPowers(row, actor), row['plan_only']) }));
  return (all as unknown as Run[]).filter(({ powers }) => powers !== 0);
}

/** A write holds the row of the workspace, as every move of its runs does; the run is read after that. */
export const runById: Finder<Run> = {
  find: async (sql, actor, params, lock) => {
    const id = params['run_id']!;
    if (lock !== null) {
      const of = sql`workspaces.id = (select runs.workspace_id from runs where runs.id = ${id})`;
      if (!(await heldWorkspace(sql, actor, of, lock))) return undefined;
    }
    const [run] = await visibleRuns(sql, actor, sql`runs.id = ${id}`);
    return run;
  },
};
