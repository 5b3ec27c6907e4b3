/** …/settings/agent-pools: pools, their agents, and the tokens that agents come with. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { cache } from '../api/cache.ts';
import { answer, api, documentOf, type New } from '../api/client.ts';
import { organizationQuery } from '../organizations/organizations.ts';
import { at, paths } from '../paths.ts';
import { useRunQueue } from '../runs/queue.tsx';
import { organization as text } from '../texts/organization.ts';
import { tokens } from '../texts/people.ts';
import { runs } from '../texts/runs.ts';
import { TokenList } from '../tokens/token-list.tsx';
import { CreateDialog } from '../ui/create-dialog.tsx';
import { RecordList } from '../ui/record-list.tsx';
import { type AgentPool, agentPoolsQuery } from './agent-pools.ts';
import { Agents } from './agents.tsx';

export function AgentPoolSettings({ organization }: { organization: string }) {
  const [isOpen, setOpen] = useState(false);
  const [shown, setShown] = useState<AgentPool | null>(null);
  const query = useQuery(agentPoolsQuery(organization));
  const { data: found } = useQuery(organizationQuery(organization));
  const mayChange = found?.data.attributes.permissions['can-update'] ?? false;
  const changed = () => cache.invalidateQueries({ queryKey: ['agent-pools'] });
  return (
    <>
      <RecordList
        title={text.pages['agent-pools']}
        query={query}
        none={{ title: text.poolNone, detail: text.poolDetail }}
        add={mayChange && { label: text.poolAdd, onClick: () => setOpen(true) }}
        columns={[
          {
            title: text.poolName,
            cell: pool => (
              <button
                type="button"
                className="link"
                aria-expanded={shown?.id === pool.id}
                onClick={() => setShown(shown?.id === pool.id ? null : pool)}
              >
                {pool.attributes.name}
              </button>
            ),
          },
          {
            title: text.agents,
            width: 'quarter',
            cell: ({ attributes }) => text.poolAgents(attributes['agent-count']),
          },
        ]}
        removal={
          mayChange && {
            label: ({ attributes }) => text.remove(attributes.name),
            title: ({ attributes }) => text.removeTitle(attributes.name),
            ends: <p>{text.removeEnds}</p>,
            submit: text.removeSubmit,
            remove: ({ id }) =>
              answer(api.DELETE('/agent-pools/{agent_pool_id}', { params: { path: { agent_pool_id: id } } })).then(
                changed,
              ),
          }
        }
      />
      {shown && <Agents pool={shown} mayChange={mayChange} />}
      {shown && <PoolQueue organization={organization} pool={shown} />}
      {shown && <PoolTokens key={shown.id} pool={shown} />}
      {isOpen && (
        <CreateDialog
          title={text.poolSubmit}
          submit={text.poolSubmit}
          onClose={() => setOpen(false)}
          fields={[{ key: 'name', label: text.poolName, kind: 'text' }]}
          create={(attributes: New<'agent-pools'>) =>
            answer(
              api.POST('/organizations/{organization_name}/agent-pools', {
                params: { path: { organization_name: organization } },
                body: documentOf('agent-pools', attributes),
              }),
            ).then(changed)
          }
        />
      )}
    </>
  );
}

function PoolQueue({ organization, pool: { attributes } }: { organization: string; pool: AgentPool }) {
  const queue = useRunQueue(organization, attributes.name, 1);
  const all = (
    <Link className="link" {...at(paths.runQueue(organization), { pool: attributes.name })}>
      {runs.queue.open}
    </Link>
  );
  const lead = (
    <>
      {runs.queue.ofPoolDetail} {all}
    </>
  );
  return <RecordList {...queue} title={runs.queue.ofPool(attributes.name)} lead={lead} />;
}

function PoolTokens({ pool: { id, attributes } }: { pool: AgentPool }) {
  const at = { params: { path: { agent_pool_id: id } } };
  return (
    <TokenList
      title={`${attributes.name}: ${tokens.agent}`}
      detail={text.poolDetail}
      queryKey={['agent-pool', id]}
      read={async () => (await answer(api.GET('/agent-pools/{agent_pool_id}/authentication-tokens', at))).data}
      create={async given =>
        (
          await answer(
            api.POST('/agent-pools/{agent_pool_id}/authentication-tokens', {
              ...at,
              body: documentOf('authentication-tokens', given),
            }),
          )
        ).data
      }
    />
  );
}
