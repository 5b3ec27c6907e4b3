/** …/settings/agent-pools: pools, their agents, and the tokens that agents come with. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { answer, api, documentOf } from '../api/client.ts';
import { organizationQuery } from '../organizations/organizations.ts';
import { at, paths } from '../paths.ts';
import { projectsQuery } from '../projects/projects.ts';
import { useRunQueue } from '../runs/queue.tsx';
import { common } from '../texts/common.ts';
import { organization as text } from '../texts/organization.ts';
import { tokens } from '../texts/people.ts';
import { runs } from '../texts/runs.ts';
import { TokenList } from '../tokens/token-list.tsx';
import { CreateDialog } from '../ui/create-dialog.tsx';
import { EditDialog } from '../ui/edit-dialog.tsx';
import type { Field } from '../ui/field.tsx';
import { RecordList } from '../ui/record-list.tsx';
import {
  type AgentPool,
  agentPoolsQuery,
  createPool,
  deletePool,
  givenOf,
  type PlaceKind,
  type PoolGiven,
  readPool,
  updatePool,
} from './agent-pools.ts';
import { Agents } from './agents.tsx';
import { PoolWorkspaces } from './workspaces.tsx';

export function AgentPoolSettings({ organization }: { organization: string }) {
  const [isOpen, setOpen] = useState(false);
  const [edited, setEdited] = useState<AgentPool | null>(null);
  const [shownId, setShownId] = useState<string | null>(null);
  const query = useQuery(agentPoolsQuery(organization));
  const { data: found } = useQuery(organizationQuery(organization));
  const projects = useQuery(projectsQuery(organization));
  const mayChange = found?.data.attributes.permissions['can-update'] ?? false;
  const shown = query.data?.find(({ id }) => id === shownId);
  const fields = fieldsOf((projects.data ?? []).map(({ id, attributes }) => ({ value: id, label: attributes.name })));
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
            cell: ({ id, attributes }) => (
              <span className="line wrap">
                <button
                  type="button"
                  className="link"
                  aria-expanded={id === shownId}
                  onClick={() => setShownId(id === shownId ? null : id)}
                >
                  {attributes.name}
                </button>
                {!attributes['organization-scoped'] && <span className="badge">{text.poolScoped}</span>}
              </span>
            ),
          },
          {
            title: text.agents,
            width: 'quarter',
            cell: ({ attributes }) => text.poolAgents(attributes['agent-count']),
          },
        ]}
        nameOf={({ attributes }) => attributes.name}
        acts={mayChange ? pool => [{ label: text.edit, icon: 'pencil', onClick: () => setEdited(pool) }] : undefined}
        removal={
          mayChange && {
            label: ({ attributes }) => text.remove(attributes.name),
            title: ({ attributes }) => text.removeTitle(attributes.name),
            ends: <p>{text.removeEnds}</p>,
            submit: text.removeSubmit,
            remove: deletePool,
          }
        }
      />
      {shown && (
        <>
          <Agents pool={shown} mayChange={mayChange} />
          <PoolQueue organization={organization} pool={shown} />
          <PoolTokens key={shown.id} pool={shown} />
          {placeKinds(shown).map(kind => (
            <PoolWorkspaces
              key={`${shown.id} ${kind}`}
              organization={organization}
              pool={shown}
              kind={kind}
              mayChange={mayChange}
            />
          ))}
        </>
      )}
      {isOpen && (
        <CreateDialog<PoolGiven & { name: string }>
          title={text.poolSubmit}
          submit={text.poolSubmit}
          initial={{ 'organization-scoped': true }}
          onClose={() => setOpen(false)}
          fields={fields}
          create={given => createPool(organization, given)}
        />
      )}
      {edited && (
        <EditDialog<PoolGiven>
          title={text.editTitle(edited.attributes.name)}
          submit={common.saveChanges}
          fields={fields}
          values={givenOf(edited)}
          read={() => readPool(edited.id)}
          save={(given, meant) => updatePool(edited.id, given, meant)}
          onClose={() => setEdited(null)}
        />
      )}
    </>
  );
}

const fieldsOf = (projects: Field['options']): Field<keyof PoolGiven>[] => [
  { key: 'name', label: text.poolName, kind: 'text' },
  { key: 'organization-scoped', label: text.poolScope, hint: text.poolScopeHint, kind: 'switch' },
  { key: 'allowed-projects', label: text.poolProjects, kind: 'choices', options: projects ?? [] },
];

/** One that is open to every workspace has none that were chosen. */
const placeKinds = ({ attributes }: AgentPool): PlaceKind[] =>
  attributes['organization-scoped'] ? ['excluded-workspaces'] : ['allowed-workspaces', 'excluded-workspaces'];

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
