/** What happened to a run, in its order. */

import { policy } from '../../access/policy.ts';
import { grantColumns, grantedPowers } from '../../access/workspaces.ts';
import type { Actor } from '../../core/access/actor.ts';
import { endpoint, type Finder, type Subject } from '../../core/jsonapi/endpoint.ts';
import { column, nullable, type Row, reference, text, timestamp } from '../../core/jsonapi/fields.ts';
import { resource } from '../../core/jsonapi/resource.ts';
import type { Fragment, Sql } from '../../core/store/store.ts';
import { runById, runPowersFrom } from '../runs/run.ts';

export const runEvents = resource({
  type: 'run-events',
  attributes: {
    action: column(text),
    'created-at': column(timestamp),
    description: column(nullable(text)),
  },
  relationships: {
    actor: reference('users', 'actor_id', row => `/api/v2/users/${row['actor_id']}`),
    comment: reference('comments', 'comment_id', row => `/api/v2/comments/${row['comment_id']}`),
    run: reference('runs', 'run_id', row => `/api/v2/runs/${row['run_id']}`),
  },
  links: row => ({ self: `/api/v2/run-events/${row.id}` }),
  load: (sql, actor, ids) => visibleRunEvents(sql, actor, sql`run_events.id = any(${ids as string[]})`),
});

const include = ['actor', 'comment', 'run'] as const;

/** The events of a condition that the actor may read, in their order: one statement. */
async function visibleRunEvents(sql: Sql, actor: Actor, condition: Fragment): Promise<Subject[]> {
  const rows = await sql<Row[]>`
    select run_events.*, runs.organization_id, runs.plan_only, workspaces.project_id, ${grantColumns(sql, actor)}
    from run_events
    join runs on runs.id = run_events.run_id
    join workspaces on workspaces.id = runs.workspace_id
    where ${condition}
    order by run_events.created_at, run_events.id`;
  const all = rows.map(row => ({ ...row, powers: runPowersFrom(grantedPowers(row, actor), row['plan_only']) }));
  return all.filter(({ powers }) => powers !== 0);
}

const runEventById: Finder = {
  find: async (sql, actor, params) =>
    (await visibleRunEvents(sql, actor, sql`run_events.id = ${params['run_event_id']!}`))[0],
};

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
    const rows = await visibleRunEvents(sql, actor, sql`run_events.run_id = ${subject.id}`);
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
