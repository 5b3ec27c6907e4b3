/** What plans and applies have in common: fields, where their log is read, and how they are found through their run. */

import { Type } from 'typebox';
import { runPowers } from '../../access/policy.ts';
import { type Granted, grantColumns, workspaceIsReadable } from '../../access/workspaces.ts';
import { type Actor, addressee } from '../../core/access/actor.ts';
import { column, computed, integer, nullable, text, word } from '../../core/jsonapi/fields.ts';
import { type Finder, records, type Subject } from '../../core/jsonapi/records.ts';
import type { Fragment, Sql } from '../../core/store/sql.ts';
import { type PhaseStatus, type PhaseTable, phaseStatuses } from '../queue/phases.ts';
import { powersOnRun } from '../runs/run.ts';
import { executionDetails } from './execution-details.ts';

export const logPath = (table: PhaseTable, id: string) => `/_blobs/${table}/${id}/log` as const;

export const phaseAttributes = (table: PhaseTable) => ({
  'execution-details': column(nullable(executionDetails)),
  // Command lines put a query of their own in the place of the one that is there.
  'log-read-url': computed(text, (row: Phase, { sign }) =>
    sign('GET', logPath(table, row.id), row.shown_to, 'in path'),
  ),
  'resource-additions': column(nullable(integer)),
  'resource-changes': column(nullable(integer)),
  'resource-destructions': column(nullable(integer)),
  'resource-imports': column(nullable(integer)),
  status: column(word(...phaseStatuses)),
  'status-timestamps': column(
    Type.Unsafe<Record<string, string>>({ type: 'object', additionalProperties: { type: 'string' } }),
  ),
});

export interface Phase extends Subject<'run'>, Granted {
  organization_id: string;
  run_id: string;
  workspace_id: string;
  status: PhaseStatus;
  plan_only: boolean;
  shown_to: string;
}

/** Those that the apply wrote, also on its way. */
const stateVersionIds = (sql: Sql): Fragment => sql`
      array(
        select state_versions.id from state_versions
        where state_versions.workspace_id = runs.workspace_id and state_versions.run_id = runs.id
        order by state_versions.position
      ) as state_version_ids,`;

/** The plans or applies that the actor may read, without their logs. */
export const phaseRecords = (table: PhaseTable) =>
  records<Phase>({
    table: 'phase',
    columns: (sql, actor) => sql`
      phase.id, phase.run_id, phase.status, phase.status_timestamps, phase.resource_additions,
      phase.execution_details,
      phase.resource_changes, phase.resource_destructions, phase.resource_imports,
      ${table === 'plans' ? sql`phase.has_changes, phase.generated_configuration,` : stateVersionIds(sql)}
      runs.organization_id, runs.workspace_id, runs.plan_only, workspaces.project_id, ${grantColumns(sql, actor)}`,
    from: sql => sql`
      ${sql(table)} as phase
      join runs on runs.id = phase.run_id
      join workspaces on workspaces.id = runs.workspace_id`,
    isVisible: (sql, actor) => sql`${workspaceIsReadable(sql, actor)} and not runs.is_assessment`,
    powers: (row, actor) =>
      table === 'applies' && isItself(row, actor)
        ? runPowers.union(powersOnRun(row, actor), runPowers.bit['write-errored-state'])
        : powersOnRun(row, actor),
    complete: (_row, actor) => ({ shown_to: addressee(actor) }),
  });

/** The run of a phase, while it applies. */
const isItself = (row: Pick<Phase, 'run_id'>, { run }: Actor) =>
  run !== undefined && run.runId === row.run_id && run.phase === 'apply';

/** By its own id, or by that of its run. */
export function phaseFinder(table: PhaseTable, parameter: string): Finder<Phase> {
  const phases = phaseRecords(table);
  const byId = phases.byId(parameter);
  return {
    parameter,
    find: async (look, params) => {
      if (params[parameter] !== undefined) return byId.find(look, params);
      const [phase] = await phases.read(look.sql, look.actor, look.sql`runs.id = ${params['run_id']!}`);
      return phase;
    },
  };
}
