/** /~/workspaces/<id>: the permanent link of a workspace, which holds when it is renamed. */
import { useQuery } from '@tanstack/react-query';
import { Navigate, useParams } from '@tanstack/react-router';
import { answer, api } from '../api/client.ts';
import { included } from '../api/documents.ts';
import { paths } from '../paths.ts';
import { Loaded } from '../ui/loaded.tsx';

export function WorkspaceById() {
  const { id } = useParams({ strict: false }) as { id: string };
  const query = useQuery({
    queryKey: ['workspaces', 'by-id', id],
    queryFn: () =>
      answer(
        api.GET('/workspaces/{workspace_id}', {
          params: { path: { workspace_id: id }, query: { include: ['organization'] } },
        }),
      ),
  });
  return (
    <Loaded query={query}>
      {document => {
        const { attributes, relationships } = document.data;
        const organization = included(document, relationships.organization, 'organizations')?.attributes.name ?? '';
        return <Navigate to={paths.workspace(organization, attributes.name)} replace />;
      }}
    </Loaded>
  );
}
