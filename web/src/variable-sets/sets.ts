/** Variable sets, as the API tells of them. */
import { cache } from '../api/cache.ts';
import { answer, api, type Resource } from '../api/client.ts';
import type { Included } from '../api/documents.ts';

export type VariableSet = Resource<'varsets'>;
interface VariableSetDocument {
  data: VariableSet;
  included?: Included[];
}
export const changed = () => cache.invalidateQueries({ queryKey: ['variable-sets'] });

export const setQuery = (id: string) => ({
  queryKey: ['variable-sets', 'one', id],
  queryFn: async () =>
    (await answer(
      api.GET('/varsets/{variable_set_id}', {
        params: { path: { variable_set_id: id }, query: { include: ['vars', 'workspaces', 'projects'] } },
      }),
    )) as VariableSetDocument,
});

/** What came with the set, of one type. */
export const ofSet =
  <T>(type: string) =>
  ({ included = [] }: VariableSetDocument) =>
    included.filter(record => record.type === type) as T[];
