/** Audit events, as the API tells of them: newest first, page after page by the last one that was read. */
import { infiniteQueryOptions } from '@tanstack/react-query';
import { answer, api, type Resource } from '../api/client.ts';

export type AuditEvent = Resource<'audit-events'>;

export interface AuditFilters {
  actor?: string;
  action?: string;
  /** `type` or `type:id`. */
  record?: string;
  since?: string;
  until?: string;
}

const pageSize = 50;

async function readPage(
  organization: string,
  filters: AuditFilters,
  after: string | null,
  size: number,
): Promise<AuditEvent[]> {
  const [type, id] = (filters.record ?? '').split(':');
  const { data } = await answer(
    api.GET('/organizations/{organization_name}/audit-events', {
      params: {
        path: { organization_name: organization },
        query: {
          'filter[actor]': filters.actor,
          'filter[action]': filters.action,
          'filter[resource][type]': type,
          'filter[resource][id]': id,
          'filter[since]': filters.since,
          'filter[until]': filters.until,
          'page[after]': after ?? undefined,
          'page[size]': size,
        },
      },
    }),
  );
  return data;
}

/** The first page, as it is now. */
export const newestEvents = (organization: string, filters: AuditFilters) =>
  readPage(organization, filters, null, pageSize);

export const auditQuery = (organization: string, filters: AuditFilters) =>
  infiniteQueryOptions({
    queryKey: ['audit', organization, filters],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam }) => readPage(organization, filters, pageParam, pageSize),
    getNextPageParam: page => (page.length === pageSize ? (page.at(-1)?.id ?? null) : null),
  });

const mostExported = 10_000;

export async function exportEvents(organization: string, filters: AuditFilters): Promise<AuditEvent[]> {
  const events: AuditEvent[] = [];
  for (let after: string | null = null; events.length < mostExported; ) {
    const page: AuditEvent[] = await readPage(organization, filters, after, 100);
    events.push(...page);
    after = page.at(-1)?.id ?? null;
    if (page.length < 100) break;
  }
  return events.slice(0, mostExported);
}
