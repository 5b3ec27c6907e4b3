/** The agents of a pool: who answers, who is at work, and who has gone. */
import { useQuery } from '@tanstack/react-query';
import { cache } from '../api/cache.ts';
import { answer, api, type Resource } from '../api/client.ts';
import { everyPage } from '../api/documents.ts';
import { live_ms } from '../api/live.ts';
import { agents as text } from '../texts/agents.ts';
import { RecordList } from '../ui/record-list.tsx';
import type { Column } from '../ui/rows.tsx';
import { Time } from '../ui/time.tsx';
import type { AgentPool } from './agent-pools.ts';

type Agent = Resource<'agents'>;

const groups = { idle: 'applied', busy: 'running', unknown: 'attention', exited: 'quiet', errored: 'errored' };
const nameOf = ({ id, attributes }: Agent) => attributes.name ?? id;

const columns: Column<Agent>[] = [
  { title: text.name, cell: agent => <span className="strong anywhere">{nameOf(agent)}</span> },
  {
    title: text.status,
    width: 'quarter',
    cell: ({ attributes: { status } }) => (
      <span className="badge" data-group={groups[status]}>
        {text.statuses[status]}
      </span>
    ),
  },
  { title: text.address, width: 'quarter', isExtra: true, cell: ({ attributes }) => attributes['ip-address'] },
  {
    title: text.heard,
    width: 'quarter',
    cell: ({ attributes: { 'last-ping-at': at } }) => (at ? <Time at={at} /> : text.never),
  },
];

/** What they report comes every few seconds, and the feed of changes does not tell of it. */
const agentsQuery = (poolId: string) => ({
  queryKey: ['agent-pools', 'agents', poolId],
  refetchInterval: live_ms.list,
  queryFn: () =>
    everyPage(page =>
      answer(
        api.GET('/agent-pools/{agent_pool_id}/agents', {
          params: { path: { agent_pool_id: poolId }, query: { 'page[number]': page, 'page[size]': 100 } },
        }),
      ),
    ),
});

export function Agents({ pool: { id, attributes }, mayChange }: { pool: AgentPool; mayChange: boolean }) {
  const query = useQuery(agentsQuery(id));
  return (
    <RecordList<Agent>
      title={text.title(attributes.name)}
      query={query}
      none={{ title: text.none, detail: text.noneDetail }}
      columns={columns}
      removal={
        mayChange && {
          may: ({ attributes: { status } }) => status !== 'idle' && status !== 'busy',
          label: agent => text.remove(nameOf(agent)),
          title: agent => text.removeTitle(nameOf(agent)),
          ends: <p>{text.removeEnds}</p>,
          submit: text.removeSubmit,
          remove: agent =>
            answer(api.DELETE('/agents/{agent_id}', { params: { path: { agent_id: agent.id } } })).then(() =>
              cache.invalidateQueries({ queryKey: ['agent-pools'] }),
            ),
        }
      }
    />
  );
}
