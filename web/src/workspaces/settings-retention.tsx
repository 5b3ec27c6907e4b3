/** …/settings/retention: how long old versions are kept. */
import { cache } from '../api/cache.ts';
import { answer, api } from '../api/client.ts';
import { RetentionCard } from '../retention/retention-form.tsx';
import { settings } from '../texts/settings.ts';
import { useWorkspace } from './workspace.ts';

export function Retention() {
  const { query } = useWorkspace();
  if (!query.data) return null;
  const { id, attributes, relationships } = query.data.data;
  const at = { params: { path: { workspace_id: id } } };
  const changed = () => cache.invalidateQueries({ queryKey: ['workspaces'] });
  return (
    <RetentionCard
      title={settings.pages.retention}
      holder="workspaces"
      isThere={'data-retention-policy' in relationships}
      mayChange={attributes.permissions['can-update']}
      queryKey={['workspaces', 'retention', id]}
      read={() => answer(api.GET('/workspaces/{workspace_id}/relationships/data-retention-policy', at))}
      set={(data, meant) =>
        answer(
          api.POST('/workspaces/{workspace_id}/relationships/data-retention-policy', {
            ...at,
            ...meant,
            body: { data },
          }),
        ).then(changed)
      }
      remove={meant =>
        answer(api.DELETE('/workspaces/{workspace_id}/relationships/data-retention-policy', { ...at, ...meant })).then(
          changed,
        )
      }
    />
  );
}
