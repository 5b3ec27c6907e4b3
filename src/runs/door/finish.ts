/** A job has ended: what its agent reports is written down, and its run moves on in the same transaction. */
import { Type } from 'typebox';
import type { Report } from '../../../agent/protocol.ts';
import { row, type Sql } from '../../core/store/store.ts';
import { recordRunEvent } from '../queue/move.ts';
import { afterPhase, pass } from '../queue/outcome.ts';
import { call } from './call.ts';
import { holdJob } from './held-job.ts';
import type { JobHolder } from './holders.ts';
import { recordJobEvent } from './record.ts';

const number = Type.Integer({ minimum: 0, maximum: 1_000_000_000 });
const count = Type.Optional(number);

export const finishJob = call<'job', Report>({
  operation: 'jobs.finish',
  summary: 'Report how a job ended; sent again it changes nothing. 410 where somebody else has ended it',
  method: 'POST',
  path: '/job/finish',
  opens: 'job',
  body: Type.Object({
    outcome: Type.Unsafe<Report['outcome']>({ type: 'string', enum: ['finished', 'errored', 'canceled'] }),
    has_changes: Type.Optional(Type.Boolean()),
    resource_additions: count,
    resource_changes: count,
    resource_destructions: count,
    resource_imports: count,
    generated_configuration: Type.Optional(Type.Boolean()),
    assessment: Type.Optional(
      Type.Object({
        resources_drifted: number,
        resources_undrifted: number,
        checks_passed: number,
        checks_failed: number,
        checks_errored: number,
        checks_unknown: number,
      }),
    ),
    reason: Type.Optional(Type.String({ maxLength: 4096 })),
  }),
  handle: async context => {
    const { holder, value: report, store } = context;
    if (holder.status === 'over' && holder.outcome === report.outcome) return undefined;
    await store.transaction(async sql => {
      const run = await holdJob(sql, holder, 'running');
      await sql`update jobs set outcome = ${report.outcome} where jobs.id = ${holder.jobId}`;
      await writeCounts(sql, holder, report);
      if (report.reason) await recordRunEvent(sql, run.id, `${holder.phase}_ended`, { actorId: null }, report.reason);
      const statuses = afterPhase(holder.phase, run, report.outcome, report.has_changes === true);
      await pass(sql, run, statuses);
      await recordJobEvent(sql, context, 'jobs.finish', {
        phase: holder.phase,
        status: [run.status, statuses.at(-1)],
      });
    });
    return undefined;
  },
});

async function writeCounts(sql: Sql, { phase, planId, applyId, runId }: JobHolder, report: Report): Promise<void> {
  const counts = {
    resource_additions: report.resource_additions,
    resource_changes: report.resource_changes,
    resource_destructions: report.resource_destructions,
    resource_imports: report.resource_imports,
  };
  const hasCounts = Object.values(counts).some(one => one !== undefined);
  if (phase === 'apply') {
    if (hasCounts) await sql`update applies set ${row(sql, counts)} where applies.id = ${applyId!}`;
    return;
  }
  const has_changes = report.has_changes === true;
  const generated_configuration = report.generated_configuration === true;
  const assessment = report.assessment ? sql.json(report.assessment) : null;
  await sql`update plans set ${row(sql, { ...counts, has_changes, generated_configuration, assessment })} where plans.id = ${planId}`;
  await sql`update runs set has_changes = ${has_changes} where runs.id = ${runId}`;
}
