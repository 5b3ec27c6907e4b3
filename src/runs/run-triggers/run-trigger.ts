/** Run triggers (§4.2 `auto-apply-run-trigger`): the document, the SELECT and the finder. */

import { type Granted, grantColumns, grantedPowers, workspaceIsReadable } from '../../access/workspaces.ts';
import { addressed, choice, column, text, timestamp } from '../../core/jsonapi/fields.ts';
import { records, type Subject } from '../../core/jsonapi/records.ts';
import { type RowOf, resource } from '../../core/jsonapi/resource.ts';

interface RunTriggerRow extends Subject<'workspace'>, Granted {
  organization_id: string;
  workspace_id: string;
  sourceable_id: string;
}

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
    sourceable: choice(['workspaces'], (row: RunTriggerRow) => ({ type: 'workspaces', id: row.sourceable_id })),
    workspace: addressed('workspaces', 'workspace_id'),
  },
  links: row => ({ self: `/api/v2/run-triggers/${row.id}` }),
});

export const includePaths = ['workspace', 'sourceable'] as const;

/** `powers` are those on the workspace in which runs begin. */
export interface RunTrigger extends RowOf<typeof attributes>, RunTriggerRow {}

/** A trigger names two workspaces: only who may read both learns of it. */
export const runTriggerRecords = records<RunTrigger>({
  table: 'run_triggers',
  columns: (sql, actor) => sql`
    run_triggers.id, run_triggers.workspace_id, run_triggers.sourceable_id, run_triggers.created_at,
    workspaces.name as workspace_name, sources.name as sourceable_name, workspaces.organization_id,
    ${grantColumns(sql, actor)}`,
  from: sql => sql`
    run_triggers
    join workspaces on workspaces.id = run_triggers.workspace_id
    join workspaces as sources on sources.id = run_triggers.sourceable_id`,
  isVisible: (sql, actor) => sql`
    ${workspaceIsReadable(sql, actor)}
    and exists (
      select from workspaces where workspaces.id = run_triggers.sourceable_id and ${workspaceIsReadable(sql, actor)}
    )`,
  powers: grantedPowers,
});

export const runTriggerById = runTriggerRecords.byId('run_trigger_id');
