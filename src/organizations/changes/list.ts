/** What changed in an organization since the caller looked last: at once, after waiting for it, or as server-sent events. */
import { policy } from '../../access/policy.ts';
import { ApiError } from '../../core/errors.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { pageSize } from '../../core/jsonapi/page.ts';
import { wholeNumber } from '../../core/jsonapi/query.ts';
import { limits } from '../../core/limits.ts';
import { type Organization, organizationByName } from '../organizations/organization.ts';
import { changes, changesAfter } from './change.ts';
import { cursorForm, cursorParameter, cursorText, readCursor } from './cursor.ts';
import { watchOf } from './watch.ts';

const longestWait_s = limits.longPoll_ms.value / 1000;

export const listChanges = endpoint({
  operation: 'changes.list',
  section: '§5',
  summary: 'List what changed in an organization, or follow it (Accept: text/event-stream, resumed by Last-Event-ID)',
  method: 'GET',
  paths: ['/organizations/:organization_name/changes'],
  subject: organizationByName,
  needs: policy['organization:read'],
  query: {
    after: cursorParameter,
    wait: wholeNumber('Seconds to wait for a change where there is none', 0, longestWait_s),
    'page[size]': wholeNumber(`Sizes over ${pageSize.most} answer ${pageSize.most}`, 1, 2 ** 31 - 1),
  },
  answer: { status: 200, collection: changes, pages: 'never' },
  errors: ['cursor-too-old'],
  handle: async ({ store: { search: sql }, actor, subject, query }) => {
    const after = query.after === undefined ? null : readCursor(query.after);
    const size = Math.min(query['page[size]'] ?? pageSize.most, pageSize.most);
    const found = await changesAfter(sql, actor, subject.organization_id, after, size);
    if (found.isAhead) throw new ApiError('cursor-too-old');
    const meta = { cursor: cursorText(found.cursor), 'has-more': found.hasMore };
    return { rows: found.rows, total: found.rows.length, meta };
  },
  follows: {
    seconds: ({ wait }) => wait ?? 0,
    cursor: ({ meta }) => String(meta!['cursor']),
    readCursor: text => {
      if (cursorForm.test(text)) return text;
      const reason = 'Last-Event-ID must be the id of an event of this stream.';
      throw new ApiError('invalid-parameter', { reason }, { header: 'Last-Event-ID' });
    },
    at: (query, cursor) => ({ ...query, after: cursor }),
    isEmpty: ({ rows, meta }) => rows.length === 0 && meta!['has-more'] === false,
    news: async ({ store, subject, cursor, timeout_ms, signal }) => {
      const { transaction } = readCursor(cursor);
      await watchOf(store).news((subject as Organization).organization_id, transaction, { timeout_ms, signal });
    },
  },
});
