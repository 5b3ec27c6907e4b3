/** Run triggers (§4.2 `auto-apply-run-trigger`): the document, the SELECT and the finder. */
import { grantColumns, grantedPowers, workspaceIsReadable } from '../../access/workspaces.ts';
import type { Actor } from '../../core/access/actor.ts';
import type { Finder, Subject } from '../../core/jsonapi/endpoint.ts';
import { choice, column, type Row, reference, text, timestamp } from '../../core/jsonapi/fields.ts';
import { type RowOf, resource } from '../../core/jsonapi/resource.ts';
import { type Fragment, held, type Sql } from '../../core/store/store.ts';

const attributes = {
  'created-at': column(timestamp),
  'sourceable-name': column(text),
  'workspace-name': column(text),
};

export const runTriggers = resource({
  type: 'run-triggers',
  attributes,
  relationships: {
    /** Clients read it as one of several types. */
    sourceable: choice(['workspaces'], row => ({ type: 'workspaces', id: row['sourceable_id'] })),
    workspace: reference('workspaces', 'workspace_id', row => `/api/v2/workspaces/${row['workspace_id']}`),
  },
  links: row => ({ self: `/api/v2/run-triggers/${row.id}` }),
});

export const includePaths = ['workspace', 'sourceable'] as const;

/** `powers` are those on the workspace in which runs begin. */
export interface RunTrigger extends RowOf<typeof attributes>, Subject {
  id: string;
  organization_id: string;
  workspace_id: string;
  sourceable_id: string;
}

/** A trigger names two workspaces: only who may read both learns of it. */
export function readableBy(sql: Sql, actor: Actor): Fragment {
  return sql`(
    exists (select from workspaces where workspaces.id = run_triggers.workspace_id and ${workspaceIsReadable(sql, actor)})
    and exists (select from workspaces where workspaces.id = run_triggers.sourceable_id and ${workspaceIsReadable(sql, actor)})
  )`;
}

/** The triggers of a condition that the actor may read: one statement. */
export async function readRunTriggers(
  sql: Sql,
  actor: Actor,
  condition: Fragment,
  rest?: Fragment,
): Promise<RunTrigger[]> {
  const rows = await sql<Row[]>`
    select run_triggers.id, run_triggers.workspace_id, run_triggers.sourceable_id, run_triggers.created_at,
      workspaces.name as workspace_name, sources.name as sourceable_name, workspaces.organization_id,
      ${grantColumns(sql, actor)}
    from run_triggers
    join workspaces on workspaces.id = run_triggers.workspace_id
    join workspaces as sources on sources.id = run_triggers.sourceable_id
    where ${condition} and ${readableBy(sql, actor)}
    ${rest ?? sql``}`;
  return rows.map(({ workspace_powers, project_powers, ...row }) => {
    const powers = grantedPowers({ ...row, workspace_powers, project_powers }, actor);
    return { ...row, powers } as unknown as RunTrigger;
  });
}

export const runTriggerById: Finder<RunTrigger> = {
  find: async (sql, actor, params, lock) => {
    const condition = sql`run_triggers.id = ${params['run_trigger_id']!}`;
    const [found] = await readRunTriggers(sql, actor, condition, held(sql, lock, 'run_triggers'));
    return found;
  },
};
