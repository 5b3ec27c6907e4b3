/** What happened to a run, in its order. */

import { policy } from '../../access/policy.ts';
import { grantColumns, workspaceIsReadable } from '../../access/workspaces.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { addressed, column, nullable, text, timestamp } from '../../core/jsonapi/fields.ts';
import { records, type Subject } from '../../core/jsonapi/records.ts';
import { resource } from '../../core/jsonapi/resource.ts';
import { type PartOfRun, powersOnRun, runById } from '../runs/run.ts';

export const runEvents = resource({
  type: 'run-events',
  attributes: {
    action: column(text),
    'created-at': column(timestamp),
    description: column(nullable(text)),
  },
  relationships: {
    actor: addressed('users', 'actor_id'),
    comment: addressed('comments', 'comment_id'),
    run: addressed('runs', 'run_id'),
  },
  links: row => ({ self: `/api/v2/run-events/${row.id}` }),
  load: (sql, actor, ids) => runEventRecords.load(sql, actor, ids),
});

const include = ['actor', 'comment', 'run'] as const;

const runEventRecords = records<Subject<'run'> & PartOfRun>({
  table: 'run_events',
  columns: (sql, actor) => sql`
    run_events.*, runs.organization_id, runs.plan_only, workspaces.project_id, ${grantColumns(sql, actor)}`,
  from: sql => sql`
    run_events
    join runs on runs.id = run_events.run_id
    join workspaces on workspaces.id = runs.workspace_id`,
  isVisible: (sql, actor) => sql`${workspaceIsReadable(sql, actor)} and not runs.is_assessment`,
  powers: powersOnRun,
});

const runEventById = runEventRecords.byId('run_event_id');

export const listRunEvents = endpoint({
  operation: 'run-events.list',
  section: '§2.2',
  summary: 'List the events of a run, in their order',
  method: 'GET',
  paths: ['/runs/:run_id/run-events'],
  subject: runById,
  needs: policy['run:read'],
  include,
  answer: { status: 200, collection: runEvents, pages: 'never' },
  handle: async ({ sql, actor, subject }) => {
    const oldestFirst = sql`order by run_events.created_at, run_events.id`;
    const rows = await runEventRecords.read(sql, actor, sql`run_events.run_id = ${subject.id}`, oldestFirst);
    return { rows, total: rows.length };
  },
});

export const showRunEvent = endpoint({
  operation: 'run-events.show',
  section: '§2.2',
  summary: 'Show an event of a run',
  method: 'GET',
  paths: ['/run-events/:run_event_id'],
  subject: runEventById,
  needs: policy['run:read'],
  include,
  answer: { status: 200, document: runEvents },
  handle: ({ subject }) => subject,
});

export const runEventEndpoints = [listRunEvents, showRunEvent];
