/** …/settings/ssh-key: the key that modules are fetched with. */
import { useQuery } from '@tanstack/react-query';
import { cache } from '../api/cache.ts';
import { answer, api } from '../api/client.ts';
import { sshKeysQuery } from '../ssh-keys/ssh-keys.ts';
import { settings } from '../texts/settings.ts';
import { Card } from '../ui/parts.tsx';
import { RecordForm } from '../ui/record-form.tsx';
import { type Meant, readAgain, type Values } from '../ui/saving.tsx';
import { useWorkspace, type WorkspaceDocument, workspaceQuery } from './workspace.ts';

const text = settings.sshKey;

const keyOf = ({ data }: WorkspaceDocument): Values => ({
  id: (data.relationships['ssh-key'] as { data: { id: string } | null }).data?.id ?? null,
});

export function SshKey() {
  const { organization, name, query } = useWorkspace();
  const keys = useQuery(sshKeysQuery(organization));
  if (!query.data) return null;
  const workspace = query.data.data;
  const save = async (changes: Values, meant: Meant) => {
    await answer(
      api.PATCH('/workspaces/{workspace_id}/relationships/ssh-key', {
        params: { path: { workspace_id: workspace.id } },
        ...meant,
        body: { data: { type: 'workspaces', attributes: { id: changes['id'] as string | null } } },
      }),
    );
    await cache.invalidateQueries({ queryKey: ['workspaces'] });
  };
  return (
    <Card title={settings.pages['ssh-key']}>
      <RecordForm
        fields={[
          {
            key: 'id',
            label: text.label,
            hint: text.detail,
            kind: 'choice',
            isNullable: true,
            options: (keys.data ?? []).map(({ id, attributes }) => ({ value: id, label: attributes.name })),
          },
        ]}
        values={keyOf(query.data)}
        read={() => readAgain(workspaceQuery(organization, name), keyOf)}
        save={save}
        mayChange={workspace.attributes.permissions['can-update']}
        whyNot={settings.noAdmin}
      />
    </Card>
  );
}
