/** What people say about a run: listed, shown, and written by whoever may queue plans. */

import { Type } from 'typebox';
import { policy } from '../../access/policy.ts';
import { grantColumns, workspaceIsReadable } from '../../access/workspaces.ts';
import { documentBody } from '../../core/jsonapi/body.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { addressed, column, text, timestamp } from '../../core/jsonapi/fields.ts';
import { records, type Subject } from '../../core/jsonapi/records.ts';
import { resource } from '../../core/jsonapi/resource.ts';
import { recordRunEvent } from '../queue/move.ts';
import { insertComment } from '../runs/actions.ts';
import { type PartOfRun, powersOnRun, runById } from '../runs/run.ts';

export const comments = resource({
  type: 'comments',
  attributes: {
    body: column(text, { write: Type.String({ minLength: 1, maxLength: 10_000 }) }),
    'created-at': column(timestamp),
  },
  relationships: {
    'created-by': addressed('users', 'created_by_id'),
    run: addressed('runs', 'run_id'),
    'run-event': addressed('run-events', 'run_event_id'),
  },
  links: row => ({ self: `/api/v2/comments/${row.id}` }),
  load: (sql, actor, ids) => commentRecords.load(sql, actor, ids),
});

const include = ['created_by', 'run', 'run_event'] as const;

const commentRecords = records<Subject<'run'> & PartOfRun>({
  table: 'comments',
  columns: (sql, actor) => sql`
    comments.*, runs.organization_id, runs.plan_only, workspaces.project_id, ${grantColumns(sql, actor)},
    (
      select run_events.id from run_events where run_events.comment_id = comments.id
      order by run_events.created_at, run_events.id limit 1
    ) as run_event_id`,
  from: sql => sql`
    comments
    join runs on runs.id = comments.run_id
    join workspaces on workspaces.id = runs.workspace_id`,
  isVisible: workspaceIsReadable,
  powers: powersOnRun,
});

const commentById = commentRecords.byId('comment_id');

export const listComments = endpoint({
  operation: 'comments.list',
  section: '§2.2',
  summary: 'List the comments of a run, oldest first',
  method: 'GET',
  paths: ['/runs/:run_id/comments'],
  subject: runById,
  needs: policy['run:read'],
  include,
  answer: { status: 200, collection: comments, pages: 'never' },
  handle: async ({ sql, actor, subject }) => {
    const oldestFirst = sql`order by comments.created_at, comments.id`;
    const rows = await commentRecords.read(sql, actor, sql`comments.run_id = ${subject.id}`, oldestFirst);
    return { rows, total: rows.length };
  },
});

export const createComment = endpoint({
  operation: 'comments.create',
  section: '§5.4',
  summary: 'Comment on a run',
  method: 'POST',
  paths: ['/runs/:run_id/comments'],
  subject: runById,
  needs: policy['run:comment'],
  holds: 'key share',
  body: documentBody(comments, { required: ['body'], typeIsOptional: true }),
  answer: { status: 201, document: comments, reads: commentById },
  handle: async ({ sql, actor, subject, body: { attributes } }) => {
    const id = await insertComment(sql, subject, actor.userId, attributes.body!);
    await recordRunEvent(sql, subject.id, 'commented', { actorId: actor.userId, commentId: id });
    return id;
  },
});

export const showComment = endpoint({
  operation: 'comments.show',
  section: '§2.2',
  summary: 'Show a comment',
  method: 'GET',
  paths: ['/comments/:comment_id'],
  subject: commentById,
  needs: policy['run:read'],
  include,
  answer: { status: 200, document: comments },
  handle: ({ subject }) => subject,
});

export const commentEndpoints = [listComments, createComment, showComment];
