/** The variables of a workspace, and those that sets give it. */
import { queryOptions } from '@tanstack/react-query';
import { cache } from '../api/cache.ts';
import { answer, api, documentOf, type Resource } from '../api/client.ts';
import { type Meant, type Reading, readingOf } from '../ui/saving.tsx';

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

/** As somebody edits it. A sensitive value is never shown: it stays as it is until another one is typed. */
export const draftOf = ({ key, value, category, hcl, sensitive, description }: Draft): Draft => ({
  key,
  value: value ?? '',
  category,
  hcl,
  sensitive,
  description: description ?? '',
});

export async function createVariable(workspaceId: string, draft: Draft): Promise<void> {
  await answer(
    api.POST('/workspaces/{workspace_id}/vars', {
      params: { path: { workspace_id: workspaceId } },
      body: documentOf('vars', draft),
    }),
  );
  await changed();
}

export async function updateVariable(
  workspaceId: string,
  id: string,
  changes: Partial<Draft>,
  meant: Meant,
): Promise<void> {
  await answer(
    api.PATCH('/workspaces/{workspace_id}/vars/{variable_id}', {
      params: { path: { workspace_id: workspaceId, variable_id: id } },
      ...meant,
      body: documentOf('vars', changes),
    }),
  );
  await changed();
}

export async function readVariable(workspaceId: string, id: string): Promise<Reading> {
  const document = await answer(
    api.GET('/workspaces/{workspace_id}/vars/{variable_id}', {
      params: { path: { workspace_id: workspaceId, variable_id: id } },
    }),
  );
  return readingOf(document, ({ data }) => draftOf(data.attributes));
}

export async function deleteVariable(workspaceId: string, id: string): Promise<void> {
  await answer(
    api.DELETE('/workspaces/{workspace_id}/vars/{variable_id}', {
      params: { path: { workspace_id: workspaceId, variable_id: id } },
    }),
  );
  await changed();
}
