/** Create a run task. One that is enabled tries its address first: what does not answer is not saved. */
import { policy } from '../../access/policy.ts';
import { ApiError } from '../../core/errors.ts';
import { documentBody } from '../../core/jsonapi/body.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { defaults } from '../../core/jsonapi/resource.ts';
import { newId } from '../../core/store/ids.ts';
import { row } from '../../core/store/store.ts';
import { organizationByName } from '../../organizations/organizations/organization.ts';
import { given, includePaths, runTaskById, runTasks } from './run-task.ts';
import { columnsFrom, countFaults, givenLinks, requireAnswer, settingFaults } from './settings.ts';

export const createRunTask = endpoint({
  operation: 'tasks.create',
  section: '§1',
  summary: 'Create a run task of an organization',
  method: 'POST',
  paths: ['/organizations/:organization_name/tasks'],
  subject: organizationByName,
  needs: policy['organization:manage-run-tasks'],
  holds: 'key share',
  include: includePaths,
  body: documentBody(given, { required: ['name', 'url', 'category'], relationships: givenLinks }),
  answer: { status: 201, document: runTasks, reads: runTaskById },
  errors: ['name-taken', 'invalid-relationship'],
  prepare: async ({ subject, body: { attributes, relationships }, config, deployment }) => {
    const faults = settingFaults(attributes, relationships);
    if (faults.length > 0) throw new ApiError(faults);
    if (attributes.enabled === false) return;
    const target = { url: attributes.url!, key: attributes['hmac-key'] || null };
    await requireAnswer(config, target, subject.name, deployment.publicUrl);
  },
  check: async ({ sql, subject, body: { attributes }, faults }) => {
    faults.push(...(await countFaults(sql, subject.organization_id, null, attributes)));
  },
  handle: async ({ sql, subject, body: { attributes }, config }) => {
    const id = newId('task');
    const members = { ...defaults(runTasks), ...columnsFrom(config, id, attributes) };
    await sql`insert into run_tasks ${row(sql, { ...members, id, organization_id: subject.organization_id })}`;
    return id;
  },
});
