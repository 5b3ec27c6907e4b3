/** /~/admin/audit: what happened outside of every organization, newest first. */
import { useQuery } from '@tanstack/react-query';
import { answer, api, type Resource } from '../api/client.ts';
import { live_ms } from '../api/live.ts';
import { administration as text } from '../texts/account.ts';
import { actOf, audit, kindOf } from '../texts/audit.ts';
import { RecordList } from '../ui/record-list.tsx';
import type { Column } from '../ui/rows.tsx';
import { Time } from '../ui/time.tsx';

const columns: Column<Resource<'audit-events'>>[] = [
  {
    title: audit.time,
    width: 'third',
    cell: ({ attributes }) => (
      <span className="muted">
        <Time at={attributes['occurred-at']} absolute />
      </span>
    ),
  },
  { title: audit.who, cell: ({ attributes }) => attributes['actor-name'] ?? attributes['actor-id'] },
  {
    title: audit.what,
    cell: ({ attributes }) => <span title={attributes.action}>{actOf(attributes.action)}</span>,
  },
  {
    title: audit.record,
    cell: ({ attributes }) => (
      <span className="muted">
        {kindOf(attributes['resource-type'] ?? '')} {attributes['resource-name'] ?? attributes['resource-id']}
      </span>
    ),
  },
];

export function Audit() {
  const query = useQuery({
    queryKey: ['admin', 'audit'],
    refetchInterval: live_ms.list,
    queryFn: async () =>
      (await answer(api.GET('/admin/audit-events', { params: { query: { 'page[size]': 100 } } }))).data,
  });
  return <RecordList title={text.pages.audit} query={query} none={{ title: audit.none }} columns={columns} />;
}
