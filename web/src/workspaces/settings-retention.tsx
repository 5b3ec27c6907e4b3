/** …/settings/retention: how long old versions are kept. */
import { useQuery } from '@tanstack/react-query';
import { cache } from '../api/cache.ts';
import { answer, api } from '../api/client.ts';
import { ApiFailure } from '../api/failure.ts';
import { type Policy, RetentionForm } from '../retention/retention-form.tsx';
import { settings } from '../texts/settings.ts';
import { Loaded, Skeleton } from '../ui/loaded.tsx';
import { Card, Empty } from '../ui/parts.tsx';
import { useWorkspace } from './workspace.ts';

export function Retention() {
  const { query } = useWorkspace();
  const workspace = query.data?.data;
  const id = workspace?.id ?? '';
  const at = { params: { path: { workspace_id: id } } };
  const queryKey = ['workspaces', 'retention', id];
  const policy = useQuery({
    queryKey,
    enabled: id !== '',
    queryFn: () => answer(api.GET('/workspaces/{workspace_id}/relationships/data-retention-policy', at)),
  });
  if (!workspace) return null;
  if (policy.error instanceof ApiFailure && policy.error.status === 404)
    return <Empty title={settings.retention.absent} />;
  const save = async (chosen: Policy | null) => {
    if (chosen)
      await answer(
        api.POST('/workspaces/{workspace_id}/relationships/data-retention-policy', {
          ...at,
          body: { data: chosen },
        }),
      );
    else await answer(api.DELETE('/workspaces/{workspace_id}/relationships/data-retention-policy', at));
    await cache.invalidateQueries({ queryKey: ['workspaces'] });
  };
  return (
    <Card title={settings.pages.retention}>
      <Loaded query={policy} skeleton={<Skeleton rows={3} />}>
        {({ data }) => (
          <RetentionForm
            policy={data}
            mayChange={workspace.attributes.permissions['can-update']}
            mayInherit
            onSave={save}
          />
        )}
      </Loaded>
    </Card>
  );
}
