/** The run queue of an organization, and how much of it waits and works. */

import { policy } from '../../access/policy.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { computed, integer, type Row } from '../../core/jsonapi/fields.ts';
import { resource } from '../../core/jsonapi/resource.ts';
import { organizationByName } from '../../organizations/organizations/organization.ts';
import { statusesThat } from '../queue/statuses.ts';
import { countedRuns, includePaths, isWaiting, runs } from './run.ts';
import { isOfPools, queueQuery } from './search.ts';

export const showRunQueue = endpoint({
  operation: 'runs.queue',
  section: '§2.2',
  summary: 'List the runs of an organization that wait for their turn or are worked on, in their order',
  method: 'GET',
  paths: ['/organizations/:organization_name/runs/queue'],
  subject: organizationByName,
  needs: policy['organization:list-runs'],
  query: queueQuery,
  include: includePaths,
  answer: { status: 200, collection: runs, pages: 'always' },
  handle: async ({ store: { search: sql }, actor, subject, query, page }) => {
    const condition = sql`
      runs.organization_id = ${subject.organization_id} and ${isOfPools(sql, query)}
      and (${isWaiting(sql, 'runs')} or runs.finished_at is null and runs.status = any(${statusesThat('works')}))`;
    // Those at work come before those that wait, as in their places in the queue.
    const order = sql`${isWaiting(sql, 'runs')}, runs.created_at, runs.id`;
    return countedRuns({ sql, actor, page }, { organizationId: subject.organization_id, condition, order });
  },
});

interface Capacity extends Row {
  pending: number;
  running: number;
}

export const organizationCapacities = resource({
  type: 'organization-capacity',
  attributes: {
    pending: computed(integer, (row: Capacity) => row.pending),
    running: computed(integer, (row: Capacity) => row.running),
  },
  relationships: {},
});

export const showCapacity = endpoint({
  operation: 'organization-capacity.show',
  section: '§2.2',
  summary: 'Show how many runs of an organization wait, and how many are worked on',
  method: 'GET',
  paths: ['/organizations/:organization_name/capacity'],
  subject: organizationByName,
  needs: policy['organization:list-runs'],
  answer: { status: 200, document: organizationCapacities },
  handle: async ({ sql, subject }) => {
    const [counts] = await sql<{ pending: number; running: number }[]>`
      select count(*) filter (where ${isWaiting(sql, 'runs')}) as pending,
        count(*) filter (where runs.status = any(${statusesThat('works')})) as running
      from runs
      where runs.organization_id = ${subject.organization_id} and runs.finished_at is null and not runs.is_assessment`;
    return { id: subject.id, ...counts! };
  },
});
