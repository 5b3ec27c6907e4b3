/** Workspace task: a run task that the runs of a workspace are shown to. The document, the SELECT and the finder. */
import { Type } from 'typebox';
import { type Granted, grantColumns, grantedPowers, workspaceIsReadable } from '../../access/workspaces.ts';
import { addressed, column, computed, word } from '../../core/jsonapi/fields.ts';
import { type Finder, records, type Subject } from '../../core/jsonapi/records.ts';
import { type RowOf, resource } from '../../core/jsonapi/resource.ts';
import { type StageName, stageNames } from '../queue/stages.ts';

interface WorkspaceTaskRow extends Subject<'workspace'>, Granted {
  organization_id: string;
  workspace_id: string;
  run_task_id: string;
  stages: StageName[];
}

const stage = word(...stageNames);

const attributes = {
  'enforcement-level': column(word('advisory', 'mandatory'), { write: true }),
  /** The first of them, as older clients know it. */
  stage: computed(stage, (row: WorkspaceTaskRow) => row.stages[0]!, { write: true }),
  stages: column(Type.Array(stage), { write: Type.Array(stage, { minItems: 1, maxItems: 2 * stageNames.length }) }),
};

export const workspaceTasks = resource({
  type: 'workspace-tasks',
  attributes,
  relationships: {
    task: addressed('tasks', 'run_task_id'),
    workspace: addressed('workspaces', 'workspace_id'),
  },
  links: (row: WorkspaceTaskRow) => ({ self: `/api/v2/workspaces/${row.workspace_id}/tasks/${row.id}` }),
  load: (sql, actor, ids) => workspaceTaskRecords.load(sql, actor, ids),
});

/** `powers` are those on the workspace. */
export interface WorkspaceTask extends RowOf<typeof attributes>, WorkspaceTaskRow {}

export const workspaceTaskRecords = records<WorkspaceTask>({
  table: 'workspace_tasks',
  columns: (sql, actor) => sql`workspace_tasks.*, workspaces.organization_id, ${grantColumns(sql, actor)}`,
  from: sql => sql`
    workspace_tasks
    join workspaces on workspaces.id = workspace_tasks.workspace_id`,
  isVisible: workspaceIsReadable,
  powers: grantedPowers,
});

const byId = workspaceTaskRecords.byId('workspace_task_id');

/** At the address of its own workspace alone. */
export const workspaceTaskById: Finder<WorkspaceTask> = {
  parameter: 'workspace_task_id',
  find: async (look, params) => {
    const found = await byId.find(look, params);
    const { workspace_id: named } = params;
    return found && (named === undefined || named === found.workspace_id) ? found : undefined;
  },
};
