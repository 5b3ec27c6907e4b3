/** List the run tasks of an organization. */
import { policy } from '../../access/policy.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { organizationByName } from '../../organizations/organizations/organization.ts';
import { includePaths, runTaskRecords, runTasks } from './run-task.ts';

export const listRunTasks = endpoint({
  operation: 'tasks.list',
  section: '§1',
  summary: 'List the run tasks of an organization',
  method: 'GET',
  paths: ['/organizations/:organization_name/tasks'],
  subject: organizationByName,
  needs: policy['organization:list-run-tasks'],
  include: includePaths,
  answer: { status: 200, collection: runTasks, pages: 'always' },
  handle: context => {
    const { sql, subject } = context;
    const condition = sql`run_tasks.organization_id = ${subject.organization_id}`;
    return runTaskRecords.page(context, condition, sql`run_tasks.name, run_tasks.id`);
  },
});
