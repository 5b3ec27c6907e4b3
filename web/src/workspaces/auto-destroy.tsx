/** …/settings/deletion: when everything that the workspace manages is destroyed by itself. The workspace stays. */
import { deletion as text } from '../texts/deletion.ts';
import { settings } from '../texts/settings.ts';
import { Card } from '../ui/parts.tsx';
import { RecordForm } from '../ui/record-form.tsx';
import { type Meant, readAgain } from '../ui/saving.tsx';
import { updateWorkspace, useWorkspace, type WorkspaceChanges, workspaceQuery } from './workspace.ts';

export function AutoDestroy() {
  const { organization, name, query } = useWorkspace();
  const workspace = query.data?.data;
  if (!workspace) return null;
  return (
    <Card title={text.auto}>
      <div className="stack">
        <p className="muted">{text.autoDetail}</p>
        <RecordForm
          fields={[
            { key: 'inherits-project-auto-destroy', label: text.autoInherits, kind: 'switch' },
            {
              key: 'auto-destroy-activity-duration',
              label: text.autoAfter,
              hint: text.autoAfterHint,
              kind: 'text',
              isNullable: true,
            },
            { key: 'auto-destroy-at', label: text.autoAt, hint: text.autoAtHint, kind: 'moment' },
          ]}
          values={workspace.attributes}
          read={() => readAgain(workspaceQuery(organization, name))}
          save={(attributes: WorkspaceChanges, meant: Meant) => updateWorkspace(workspace, { attributes }, meant)}
          mayChange={workspace.attributes.permissions['can-update']}
          whyNot={settings.noAdmin}
        />
      </div>
    </Card>
  );
}
