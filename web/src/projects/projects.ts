/** Projects, as the API tells of them. */
import { queryOptions } from '@tanstack/react-query';
import { answer, api, type Resource } from '../api/client.ts';
import { everyPage, type Included } from '../api/documents.ts';

export type Project = Resource<'projects'>;
export interface ProjectDocument {
  data: Project;
  included?: Included[];
}

export const projectsQuery = (organization: string) =>
  queryOptions({
    queryKey: ['projects', organization, 'all'],
    staleTime: 30_000,
    queryFn: () =>
      everyPage(page =>
        answer(
          api.GET('/organizations/{organization_name}/projects', {
            params: {
              path: { organization_name: organization },
              query: { 'page[number]': page, 'page[size]': 100, sort: 'name' },
            },
          }),
        ),
      ),
  });

export const projectQuery = (id: string) =>
  queryOptions({
    queryKey: ['projects', 'one', id],
    queryFn: async () =>
      (await answer(
        api.GET('/projects/{project_id}', {
          params: { path: { project_id: id }, query: { include: ['effective_tag_bindings'] } },
        }),
      )) as ProjectDocument,
  });
