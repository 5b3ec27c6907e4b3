/** Why the caller may do something with a workspace, or why not and who could give it, as the server decides it. */
import { queryOptions } from '@tanstack/react-query';
import { answer, api, type Resource } from '../api/client.ts';

export type Explanation = Resource<'explanations'>['attributes'];

/** `action` is a permission of the workspace's document, such as can-lock. */
export const explanationQuery = (workspaceId: string | undefined, action: string) =>
  queryOptions({
    queryKey: ['explanations', workspaceId, action],
    enabled: workspaceId !== undefined,
    staleTime: 30_000,
    queryFn: async (): Promise<Explanation | null> => {
      const { data } = await answer(
        api.GET('/workspaces/{workspace_id}/explain', {
          params: { path: { workspace_id: workspaceId ?? '' }, query: { action } },
        }),
      );
      return data[0]?.attributes ?? null;
    },
  });

/** The names of the teams that give it, each once. */
export function teamsOf({ grants }: Explanation): { id: string; name: string }[] {
  const teams = new Map<string, string>();
  for (const { 'team-id': id, 'team-name': name } of grants) if (id && name) teams.set(id, name);
  return [...teams].map(([id, name]) => ({ id, name }));
}
