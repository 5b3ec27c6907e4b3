/** The variables of a workspace, and those that sets give it. */
import { queryOptions } from '@tanstack/react-query';
import { cache } from '../api/cache.ts';
import { answer, api, documentOf, type Resource } from '../api/client.ts';

export type Variable = Resource<'vars'>;
export type Draft = Pick<Variable['attributes'], 'key' | 'value' | 'category' | 'hcl' | 'sensitive' | 'description'>;

export const emptyVariable: Draft = {
  key: '',
  value: '',
  category: 'terraform',
  hcl: false,
  sensitive: false,
  description: '',
};

export const variablesQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: ['variables', workspaceId],
    enabled: workspaceId !== '',
    queryFn: async () => {
      const at = { params: { path: { workspace_id: workspaceId } } };
      const [own, all] = await Promise.all([
        answer(api.GET('/workspaces/{workspace_id}/vars', at)),
        answer(api.GET('/workspaces/{workspace_id}/all-vars', at)),
      ]);
      const ownIds = new Set(own.data.map(({ id }) => id));
      return { own: own.data, fromSets: all.data.filter(({ id }) => !ownIds.has(id)) as Variable[] };
    },
  });

const changed = () => cache.invalidateQueries({ queryKey: ['variables'] });

/** A sensitive value that was not typed again stays as it is. */
export const attributesOf = ({ value, ...rest }: Draft, isNew: boolean) => ({
  ...rest,
  ...((isNew || !rest.sensitive || value !== '') && { value }),
});

export async function createVariable(workspaceId: string, draft: Draft): Promise<void> {
  await answer(
    api.POST('/workspaces/{workspace_id}/vars', {
      params: { path: { workspace_id: workspaceId } },
      body: documentOf('vars', attributesOf(draft, true)),
    }),
  );
  await changed();
}

export async function updateVariable(workspaceId: string, id: string, draft: Draft): Promise<void> {
  await answer(
    api.PATCH('/workspaces/{workspace_id}/vars/{variable_id}', {
      params: { path: { workspace_id: workspaceId, variable_id: id } },
      body: documentOf('vars', attributesOf(draft, false)),
    }),
  );
  await changed();
}

export async function deleteVariable(workspaceId: string, id: string): Promise<void> {
  await answer(
    api.DELETE('/workspaces/{workspace_id}/vars/{variable_id}', {
      params: { path: { workspace_id: workspaceId, variable_id: id } },
    }),
  );
  await changed();
}
