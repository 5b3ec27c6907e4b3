/** Run task: a service that runs are shown to before they go on. The document, the SELECT and the finder. */

import { Type } from 'typebox';
import { runTaskAccess } from '../../access/owned.ts';
import { workspaceIsReadable } from '../../access/workspaces.ts';
import { addressed, boolean, column, computed, nullable, references, text, word } from '../../core/jsonapi/fields.ts';
import { plainName } from '../../core/jsonapi/forms.ts';
import { records, type Subject } from '../../core/jsonapi/records.ts';
import { type RowOf, resource } from '../../core/jsonapi/resource.ts';
import { mayAskEverywhere } from '../../organizations/site/feature-sets.ts';
import { type StageName, stageNames } from '../queue/stages.ts';

interface RunTaskRow extends Subject<'run-task'> {
  organization_id: string;
  organization_name: string;
  sealed_hmac_key: Buffer | null;
  global_enabled: boolean;
  global_stages: StageName[];
  global_enforcement_level: 'advisory' | 'mandatory';
  /** Whether its organization may have it asked in all workspaces. */
  may_ask_everywhere: boolean;
  /** In workspaces that the caller may read. */
  workspace_task_ids: string[];
}

const address = Type.String({
  pattern: '^https?://[^\\s]+$',
  maxLength: 2048,
  'x-rule': 'must be an http or https URL',
});

const stage = word(...stageNames);
const level = word('advisory', 'mandatory');
const everywhere = { additionalProperties: false };
const shownGlobally = Type.Object(
  { enabled: boolean, stages: Type.Array(stage), 'enforcement-level': level },
  everywhere,
);
const givenGlobally = Type.Object(
  {
    enabled: Type.Optional(boolean),
    stages: Type.Optional(Type.Array(stage, { minItems: 1, maxItems: 2 * stageNames.length })),
    'enforcement-level': Type.Optional(level),
  },
  everywhere,
);

const attributes = {
  category: column(word('task'), { write: true }),
  description: column(nullable(text), { write: nullable(Type.String({ maxLength: 300 })), default: null }),
  enabled: column(boolean, { write: true, default: true }),
  /** Whether and when it is asked in all workspaces of the organization; null where that may not have it. */
  'global-configuration': computed(
    nullable(shownGlobally),
    (row: RunTaskRow) =>
      row.may_ask_everywhere
        ? {
            enabled: row.global_enabled,
            stages: row.global_stages,
            'enforcement-level': row.global_enforcement_level,
          }
        : null,
    { write: nullable(givenGlobally) },
  ),
  name: column(text, { write: plainName }),
  url: column(text, { write: address }),
};

export const runTasks = resource({
  type: 'tasks',
  attributes,
  relationships: {
    organization: addressed('organizations', 'organization_name'),
    'workspace-tasks': references('workspace-tasks', 'workspace_task_ids'),
  },
  links: row => ({ self: `/api/v2/tasks/${row.id}` }),
  load: (sql, actor, ids) => runTaskRecords.load(sql, actor, ids),
});

export const includePaths = ['workspace_tasks', 'workspace_tasks.workspace', 'organization'] as const;

/** The document with the key that bodies carry and answers do not. */
export const given = resource({
  type: runTasks.type,
  attributes: {
    ...attributes,
    'hmac-key': column(nullable(text), { write: nullable(Type.String({ maxLength: 255 })) }),
  },
  relationships: {},
});

/** A key opens under this context alone. */
export const sealContext = (id: string) => `run-tasks/${id}/hmac-key`;

export interface RunTask extends RowOf<typeof attributes>, RunTaskRow {}

export const runTaskRecords = records<RunTask>({
  table: 'run_tasks',
  columns: (sql, actor) => sql`
    run_tasks.*, organizations.name as organization_name,
    ${mayAskEverywhere(sql, sql`run_tasks.organization_id`)} as may_ask_everywhere,
    array(
      select workspace_tasks.id from workspace_tasks
      join workspaces on workspaces.id = workspace_tasks.workspace_id
      where workspace_tasks.run_task_id = run_tasks.id and ${workspaceIsReadable(sql, actor)}
      order by workspace_tasks.created_at, workspace_tasks.id
    ) as workspace_task_ids`,
  from: sql => sql`
    run_tasks
    join organizations on organizations.id = run_tasks.organization_id`,
  isVisible: (sql, actor) => sql`run_tasks.organization_id = any(${runTaskAccess.organizationsOf(actor)})`,
  powers: (row, actor) => runTaskAccess.powersIn(actor, row.organization_id),
});

export const runTaskById = runTaskRecords.byId('task_id');
