/** Agent pools, as the API tells of them. */
import { queryOptions } from '@tanstack/react-query';
import { cache } from '../api/cache.ts';
import { answer, api, type Resource, tagOf } from '../api/client.ts';
import { everyPage, type Included } from '../api/documents.ts';
import { type Meant, readingOf } from '../ui/saving.tsx';

export type AgentPool = Resource<'agent-pools'>;

const at = (id: string) => ({ params: { path: { agent_pool_id: id } } });
const changed = () => cache.invalidateQueries({ queryKey: ['agent-pools'] });

export type PoolGiven = { name?: string; 'organization-scoped'?: boolean; 'allowed-projects'?: string[] };

/** The fields of its form: projects are a relationship. */
export const givenOf = ({ attributes, relationships }: AgentPool): PoolGiven => ({
  ...attributes,
  'allowed-projects': relationships['allowed-projects'].data.map(({ id }) => id).sort(),
});

function bodyOf({ 'allowed-projects': projects, ...attributes }: PoolGiven) {
  const data = projects?.map(id => ({ type: 'projects' as const, id }));
  return {
    data: {
      type: 'agent-pools' as const,
      attributes,
      ...(data && { relationships: { 'allowed-projects': { data } } }),
    },
  };
}

export const readPool = async (id: string) =>
  readingOf(await answer(api.GET('/agent-pools/{agent_pool_id}', at(id))), ({ data }) => givenOf(data));

export async function updatePool(id: string, given: PoolGiven, meant: Meant): Promise<void> {
  await answer(api.PATCH('/agent-pools/{agent_pool_id}', { ...at(id), ...meant, body: bodyOf(given) }));
  await changed();
}

export type PlaceKind = 'allowed-workspaces' | 'excluded-workspaces';

const readPlaces = async (id: string) =>
  (await answer(
    api.GET('/agent-pools/{agent_pool_id}', {
      params: { path: { agent_pool_id: id }, query: { include: ['allowed-workspaces', 'excluded-workspaces'] } },
    }),
  )) as { data: AgentPool; included?: Included[] };

export const placesQuery = (id: string) => ({
  queryKey: ['agent-pools', 'one', id, 'workspaces'],
  queryFn: () => readPlaces(id),
});

/** The list is sent whole, made from what holds now; where somebody else was faster meanwhile, the server refuses. */
export async function changePlaces(id: string, kind: PlaceKind, to: (ids: string[]) => string[]): Promise<void> {
  const now = await answer(api.GET('/agent-pools/{agent_pool_id}', at(id)));
  const tag = tagOf(now);
  const ids = to(now.data.relationships[kind].data.map(place => place.id));
  await answer(
    api.PATCH('/agent-pools/{agent_pool_id}', {
      ...at(id),
      ...(tag && { headers: { 'if-match': tag } }),
      body: {
        data: {
          type: 'agent-pools',
          relationships: { [kind]: { data: ids.map(place => ({ type: 'workspaces' as const, id: place })) } },
        },
      },
    }),
  );
  await changed();
}

export async function createPool(organization: string, given: PoolGiven & { name: string }): Promise<void> {
  const { data } = bodyOf(given);
  await answer(
    api.POST('/organizations/{organization_name}/agent-pools', {
      params: { path: { organization_name: organization } },
      body: { data: { ...data, attributes: { ...data.attributes, name: given.name } } },
    }),
  );
  await changed();
}

export async function deletePool({ id }: AgentPool): Promise<void> {
  await answer(api.DELETE('/agent-pools/{agent_pool_id}', at(id)));
  await changed();
}

export const agentPoolsQuery = (organization: string) =>
  queryOptions({
    queryKey: ['agent-pools', organization],
    staleTime: 30_000,
    queryFn: () =>
      everyPage(page =>
        answer(
          api.GET('/organizations/{organization_name}/agent-pools', {
            params: {
              path: { organization_name: organization },
              query: { 'page[number]': page, 'page[size]': 100 },
            },
          }),
        ),
      ),
  });
