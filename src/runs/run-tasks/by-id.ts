/** One run task: shown, changed, taken away with all workspaces' use of it. Runs that were made before show what it was. */
import { policy } from '../../access/policy.ts';
import { ApiError } from '../../core/errors.ts';
import { documentBody } from '../../core/jsonapi/body.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { open } from '../../core/store/secrets.ts';
import { row } from '../../core/store/store.ts';
import { given, includePaths, runTaskById, runTasks, sealContext } from './run-task.ts';
import { columnsFrom, countFaults, givenLinks, requireAnswer, settingFaults } from './settings.ts';

const one = { section: '§1', paths: ['/tasks/:task_id'], subject: runTaskById } as const;

export const showRunTask = endpoint({
  ...one,
  operation: 'tasks.show',
  summary: 'Show a run task',
  method: 'GET',
  needs: policy['run-task:read'],
  include: includePaths,
  answer: { status: 200, document: runTasks },
  handle: ({ subject }) => subject,
});

export const updateRunTask = endpoint({
  ...one,
  operation: 'tasks.update',
  summary: 'Update a run task; where it is enabled afterwards, another address or key is tried first',
  method: 'PATCH',
  needs: policy['run-task:manage'],
  include: includePaths,
  body: documentBody(given, { relationships: givenLinks }),
  answer: { status: 200, document: runTasks, reads: runTaskById },
  errors: ['name-taken', 'invalid-relationship'],
  prepare: async ({ subject, body: { attributes, relationships }, config, deployment }) => {
    const faults = settingFaults(attributes, relationships, subject);
    if (faults.length > 0) throw new ApiError(faults);
    const givenKey = attributes['hmac-key'];
    const isTouched = attributes.url !== undefined || givenKey !== undefined || attributes.enabled === true;
    if (!(attributes.enabled ?? subject.enabled) || !isTouched) return;
    const kept = subject.sealed_hmac_key && open(config, subject.sealed_hmac_key, sealContext(subject.id));
    const target = { url: attributes.url ?? subject.url, key: givenKey === undefined ? kept : givenKey || null };
    await requireAnswer(config, target, subject.organization_name, deployment.publicUrl);
  },
  check: async ({ sql, subject, body: { attributes }, faults }) => {
    faults.push(...(await countFaults(sql, subject.organization_id, subject.id, attributes)));
  },
  handle: async ({ sql, subject, body: { attributes }, config }) => {
    const set = columnsFrom(config, subject.id, attributes);
    await sql`update run_tasks set ${row(sql, { name: subject.name, ...set })} where run_tasks.id = ${subject.id}`;
  },
});

export const deleteRunTask = endpoint({
  ...one,
  operation: 'tasks.delete',
  summary: 'Delete a run task',
  method: 'DELETE',
  needs: policy['run-task:manage'],
  answer: { status: 204 },
  handle: async ({ sql, subject }) => {
    await sql`delete from run_tasks where run_tasks.id = ${subject.id}`;
  },
});
