/** What plans and applies have in common: fields, where their log is read, and how they are found through their run. */

import { Type } from 'typebox';
import { grantColumns, grantedPowers } from '../../access/workspaces.ts';
import type { Actor } from '../../core/access/actor.ts';
import { ApiError } from '../../core/errors.ts';
import type { Finder, Params, Subject } from '../../core/jsonapi/endpoint.ts';
import {
  column,
  computed,
  type Deployment,
  integer,
  nullable,
  type Row,
  text,
  word,
} from '../../core/jsonapi/fields.ts';
import type { Transfer } from '../../core/jsonapi/transfer.ts';
import type { Fragment, Sql } from '../../core/store/store.ts';
import { isOver, type PhaseStatus, type PhaseTable, phaseStatuses } from '../queue/phases.ts';
import { runPowersFrom } from '../runs/run.ts';
import { framedLog } from './log.ts';

const logPath = (table: PhaseTable, id: string) => `/_blobs/${table}/${id}/log` as const;

export const phaseAttributes = (table: PhaseTable) => ({
  'log-read-url': computed(text, (row: Row, { sign }: Deployment) => sign('GET', logPath(table, row.id))),
  'resource-additions': column(nullable(integer)),
  'resource-changes': column(nullable(integer)),
  'resource-destructions': column(nullable(integer)),
  'resource-imports': column(nullable(integer)),
  status: column(word(...phaseStatuses)),
  'status-timestamps': column(
    Type.Unsafe<Record<string, string>>({ type: 'object', additionalProperties: { type: 'string' } }),
  ),
});

export interface Phase extends Subject {
  organization_id: string;
  run_id: string;
  status: PhaseStatus;
}

/** The plans or applies of a condition that the actor may read: one statement, without their logs. */
export async function visiblePhases(sql: Sql, actor: Actor, table: PhaseTable, condition: Fragment): Promise<Phase[]> {
  const own = table === 'plans' ? sql`phase.has_changes, phase.generated_configuration,` : sql``;
  const rows = await sql<Row[]>`
    select phase.id, phase.run_id, phase.status, phase.status_timestamps, phase.resource_additions,
      phase.resource_changes, phase.resource_destructions, phase.resource_imports, ${own}
      runs.organization_id, runs.plan_only, workspaces.project_id, ${grantColumns(sql, actor)}
    from ${sql(table)} as phase
    join runs on runs.id = phase.run_id
    join workspaces on workspaces.id = runs.workspace_id
    where ${condition}`;
  const all = rows.map(row => ({ ...row, powers: runPowersFrom(grantedPowers(row, actor), row['plan_only']) }));
  return (all as unknown as Phase[]).filter(({ powers }) => powers !== 0);
}

/** By its own id, or by that of its run. */
export function phaseFinder(table: PhaseTable, parameter: string): Finder<Phase> {
  const condition = (sql: Sql, params: Params) =>
    params[parameter] === undefined ? sql`runs.id = ${params['run_id']!}` : sql`phase.id = ${params[parameter]}`;
  return {
    find: async (sql, actor, params) => (await visiblePhases(sql, actor, table, condition(sql, params)))[0],
  };
}

/** The log at its signed address: `offset` and `limit` are counted in bytes of what is sent. */
export function logTransfer(table: PhaseTable): Transfer {
  return {
    operation: `${table}.read-log`,
    section: '§2.2',
    method: 'GET',
    path: logPath(table, ':phase_id'),
    handle: async ({ params, query, store: { read: sql } }) => {
      const [phase] = await sql<{ status: PhaseStatus; log: Buffer }[]>`
        select phase.status, phase.log from ${sql(table)} as phase where phase.id = ${params['phase_id']!}`;
      if (!phase) throw new ApiError('not-found');
      const shown = framedLog(phase.log, isOver(phase.status), query);
      const content = (async function* () {
        yield shown;
      })();
      return { mediaType: 'text/plain; charset=utf-8', sizeBytes: shown.length, content };
    },
  };
}
