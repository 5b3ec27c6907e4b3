/** Variable sets, as the API tells of them. */
import type { UseQueryResult } from '@tanstack/react-query';
import { cache } from '../api/cache.ts';
import { answer, api, type Resource } from '../api/client.ts';
import type { Included } from '../api/documents.ts';

export type VariableSet = Resource<'varsets'>;
export const changed = () => cache.invalidateQueries({ queryKey: ['variable-sets'] });

export const setQuery = (id: string) => ({
  queryKey: ['variable-sets', 'one', id],
  queryFn: async () =>
    (await answer(
      api.GET('/varsets/{variable_set_id}', {
        params: { path: { variable_set_id: id }, query: { include: ['vars', 'workspaces', 'projects'] } as never },
      }),
    )) as unknown as { data: VariableSet; included?: Included[] },
});

/** Records that came with another, for parts that show queries. */
export const listed = <T>(records: T[]) => ({ data: records, isError: false }) as unknown as UseQueryResult<T[]>;
