/** A run task brings its result, with the token that it was given for it and that opens no other. */
import { Type } from 'typebox';
import { policy } from '../../access/policy.ts';
import { ApiError } from '../../core/errors.ts';
import { documentBody } from '../../core/jsonapi/body.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { column, nullable, text, word } from '../../core/jsonapi/fields.ts';
import { resource } from '../../core/jsonapi/resource.ts';
import { limits } from '../../core/limits.ts';
import type { Sql } from '../../core/store/store.ts';
import { writeResult } from './settle.ts';
import { isOpen, taskResultById, taskResults } from './task-result.ts';

const given = resource({
  type: taskResults.type,
  attributes: {
    status: column(word('running', 'passed', 'failed'), { write: true }),
    message: column(nullable(text), { write: nullable(Type.String({ maxLength: 10_000 })) }),
    url: column(nullable(text), {
      write: nullable(
        Type.String({ pattern: '^(https?://[^\\s]+)?$', maxLength: 2048, 'x-rule': 'must be an http or https URL' }),
      ),
    }),
  },
  relationships: {},
});

export const reportTaskResult = endpoint({
  operation: 'task-results.report',
  section: '§1',
  summary: 'Say what a run task makes of a run, or that it is at work on it',
  method: 'PATCH',
  paths: ['/task-results/:task_result_id/callback'],
  subject: taskResultById,
  needs: policy['task-result:report'],
  isForTasks: true,
  body: documentBody(given, { required: ['status'] }),
  answer: { status: 200, document: taskResults, reads: taskResultById },
  errors: ['task-result-over'],
  handle: async ({ sql, subject, body: { attributes } }) => {
    if (!isOpen(subject.status)) throw new ApiError('task-result-over', { status: subject.status });
    await writeResult(sql, subject.id, {
      status: attributes.status!,
      message: attributes.message,
      url: attributes.url || null,
    });
    if (attributes.status === 'running') await giveTime(sql, subject.id);
  },
});

/** Whoever is at work has as long again, but not for ever. */
async function giveTime(sql: Sql, id: string): Promise<void> {
  await sql`
    update task_results
    set started_at = coalesce(task_results.started_at, clock_timestamp()),
      expires_at = least(
        clock_timestamp() + make_interval(secs => ${limits.taskTime_s.value}::integer),
        coalesce(task_results.started_at, clock_timestamp())
          + make_interval(secs => ${limits.taskWholeTime_s.value}::integer)
      )
    where task_results.id = ${id}`;
}
