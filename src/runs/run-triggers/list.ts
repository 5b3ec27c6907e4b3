/** List the run triggers of a workspace: those that begin runs in it, or those by which its runs begin others. */

import { policy } from '../../access/policy.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { required, word } from '../../core/jsonapi/query.ts';
import { workspaceById } from '../../workspaces/workspaces/rows.ts';
import { includePaths, runTriggerRecords, runTriggers } from './run-trigger.ts';

export const listRunTriggers = endpoint({
  operation: 'run-triggers.list',
  section: '§4.2',
  summary: 'List the run triggers of a workspace, oldest first',
  method: 'GET',
  paths: ['/workspaces/:workspace_id/run-triggers'],
  subject: workspaceById,
  needs: policy['workspace:list-run-triggers'],
  query: {
    'filter[run-trigger][type]': required(
      word('inbound: those that begin runs here; outbound: those that begin runs elsewhere', 'inbound', 'outbound'),
    ),
  },
  include: includePaths,
  answer: { status: 200, collection: runTriggers, pages: 'always' },
  handle: context => {
    const { sql, subject, query } = context;
    const condition =
      query['filter[run-trigger][type]'] === 'inbound'
        ? sql`run_triggers.workspace_id = ${subject.id}`
        : sql`run_triggers.sourceable_id = ${subject.id}`;
    return runTriggerRecords.page(context, condition, sql`run_triggers.created_at, run_triggers.id`);
  },
});
