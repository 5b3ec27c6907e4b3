/** Teams, as the API tells of them. */
import { queryOptions } from '@tanstack/react-query';
import { cache } from '../api/cache.ts';
import { answer, api, type Changed, documentOf, type Resource } from '../api/client.ts';
import { everyPage, type Included } from '../api/documents.ts';
import type { Meant } from '../ui/saving.tsx';

export type Team = Resource<'teams'>;
export interface TeamDocument {
  data: Team;
  included?: Included[];
}

/** All that the caller may see. */
export const teamsQuery = (organization: string) =>
  queryOptions({
    queryKey: ['teams', organization, 'all'],
    staleTime: 15_000,
    queryFn: () =>
      everyPage(page =>
        answer(
          api.GET('/organizations/{organization_name}/teams', {
            params: { path: { organization_name: organization }, query: { 'page[number]': page, 'page[size]': 100 } },
          }),
        ),
      ),
  });

export const teamQuery = (id: string) =>
  queryOptions({
    queryKey: ['teams', 'one', id],
    queryFn: async () => {
      const document = await answer(
        api.GET('/teams/{team_id}', {
          params: { path: { team_id: id }, query: { include: ['users', 'organization-memberships'] } },
        }),
      );
      return document as TeamDocument;
    },
  });

export async function updateTeam(id: string, attributes: Changed<'teams'>, meant: Meant): Promise<void> {
  await answer(
    api.PATCH('/teams/{team_id}', {
      params: { path: { team_id: id } },
      ...meant,
      body: documentOf('teams', attributes),
    }),
  );
  await teamsChanged();
}

export const teamsChanged = () => cache.invalidateQueries({ queryKey: ['teams'] });
