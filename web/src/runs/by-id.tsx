/** /~/runs/<id>: the permanent link of a run. */
import { useQuery } from '@tanstack/react-query';
import { Navigate, useParams } from '@tanstack/react-router';
import { answer, api } from '../api/client.ts';
import { included } from '../api/documents.ts';
import { paths } from '../paths.ts';
import { Loaded } from '../ui/loaded.tsx';
import { readRun } from './runs.ts';

export function RunById() {
  const { id } = useParams({ strict: false }) as { id: string };
  const query = useQuery({
    queryKey: ['runs', 'by-id', id],
    queryFn: async () => {
      const run = await readRun(id);
      const workspace = included(run, run.data.relationships.workspace, 'workspaces');
      const found = await answer(
        api.GET('/workspaces/{workspace_id}', {
          params: { path: { workspace_id: workspace?.id ?? '' }, query: { include: ['organization'] } },
        }),
      );
      const organization = included(found, found.data.relationships.organization, 'organizations');
      return { organization: organization?.attributes.name ?? '', workspace: found.data.attributes.name };
    },
  });
  return (
    <Loaded query={query}>
      {({ organization, workspace }) => <Navigate to={paths.run(organization, workspace, id)} replace />}
    </Loaded>
  );
}
