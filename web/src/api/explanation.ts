/** Why the caller may do something, or why not and who could give it, as the server decides it. */
import { queryOptions } from '@tanstack/react-query';
import { answer, api, type Resource } from './client.ts';

export type Explanation = Resource<'explanations'>['attributes'];

/** A record, and what somebody would like to do with it: of a workspace also a permission of its document, such as can-lock. */
export interface Wish {
  type: 'organizations' | 'projects' | 'teams' | 'workspaces';
  /** Of an organization its name. */
  id: string;
  action: string;
}

export const explanationQuery = (wish: Wish | undefined) =>
  queryOptions({
    queryKey: ['explanations', wish],
    enabled: wish !== undefined,
    staleTime: 30_000,
    queryFn: async (): Promise<Explanation | null> => {
      const { data } = await askWhy(wish!);
      return data[0]?.attributes ?? null;
    },
  });

function askWhy({ type, id, action }: Wish) {
  const query = { action };
  if (type === 'organizations')
    return answer(
      api.GET('/organizations/{organization_name}/explain', { params: { path: { organization_name: id }, query } }),
    );
  if (type === 'projects')
    return answer(api.GET('/projects/{project_id}/explain', { params: { path: { project_id: id }, query } }));
  if (type === 'teams')
    return answer(api.GET('/teams/{team_id}/explain', { params: { path: { team_id: id }, query } }));
  return answer(api.GET('/workspaces/{workspace_id}/explain', { params: { path: { workspace_id: id }, query } }));
}

/** The names of the teams that give it, each once. */
export function teamsOf({ grants }: Explanation): { id: string; name: string }[] {
  const teams = new Map<string, string>();
  for (const { 'team-id': id, 'team-name': name } of grants) if (id && name) teams.set(id, name);
  return [...teams].map(([id, name]) => ({ id, name }));
}
