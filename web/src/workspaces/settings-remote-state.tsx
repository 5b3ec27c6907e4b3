/** …/settings/remote-state: who may read the state of this workspace. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { cache } from '../api/cache.ts';
import { answer, api } from '../api/client.ts';
import { everyPage } from '../api/documents.ts';
import { paths } from '../paths.ts';
import { settings } from '../texts/settings.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Card } from '../ui/parts.tsx';
import { RecordForm } from '../ui/record-form.tsx';
import { RecordList } from '../ui/record-list.tsx';
import { readAgain } from '../ui/saving.tsx';
import { updateWorkspace, useWorkspace, type WorkspaceChanges, workspaceQuery } from './workspace.ts';
import { WorkspaceChoice } from './workspace-choice.tsx';
import type { Workspace } from './workspaces.ts';

const text = settings.remoteState;

export function RemoteState() {
  const { organization, name, query } = useWorkspace();
  const workspace = query.data?.data;
  if (!workspace) return null;
  const mayChange = workspace.attributes.permissions['can-update'];
  return (
    <>
      <Card title={settings.pages['remote-state']}>
        <RecordForm
          fields={[
            { key: 'global-remote-state', label: text.global, kind: 'switch' },
            { key: 'project-remote-state', label: text.project, kind: 'switch' },
          ]}
          values={workspace.attributes}
          read={() => readAgain(workspaceQuery(organization, name))}
          save={(changes: WorkspaceChanges, meant) => updateWorkspace(workspace, { attributes: changes }, meant)}
          mayChange={mayChange}
          whyNot={settings.noAdmin}
        />
      </Card>
      {workspace.attributes['global-remote-state'] ? (
        <p className="muted">{text.everybody}</p>
      ) : (
        <Consumers organization={organization} workspace={workspace} mayChange={mayChange} />
      )}
    </>
  );
}

interface Props {
  organization: string;
  workspace: Workspace;
  mayChange: boolean;
}

function Consumers({ organization, workspace, mayChange }: Props) {
  const [isOpen, setOpen] = useState(false);
  const [chosen, setChosen] = useState<string | null>(null);
  const at = { params: { path: { workspace_id: workspace.id } } };
  const queryKey = ['workspaces', 'consumers', workspace.id];
  const query = useQuery({
    queryKey,
    queryFn: () =>
      everyPage(page =>
        answer(
          api.GET('/workspaces/{workspace_id}/relationships/remote-state-consumers', {
            params: { path: { workspace_id: workspace.id }, query: { 'page[number]': page, 'page[size]': 100 } },
          }),
        ),
      ),
  });
  const body = (id: string) => ({ body: { data: [{ type: 'workspaces' as const, id }] } });
  const changed = () => cache.invalidateQueries({ queryKey });
  const add = async () => {
    if (!chosen) return;
    await answer(
      api.POST('/workspaces/{workspace_id}/relationships/remote-state-consumers', { ...at, ...body(chosen) }),
    );
    setOpen(false);
    setChosen(null);
    await changed();
  };
  return (
    <>
      <RecordList
        title={text.chosen}
        query={query}
        none={{ title: text.none }}
        add={mayChange && { label: text.add, onClick: () => setOpen(true) }}
        columns={[
          {
            title: text.workspace,
            cell: ({ attributes }) => (
              <Link className="name" to={paths.workspace(organization, attributes.name)}>
                {attributes.name}
              </Link>
            ),
          },
        ]}
        removal={
          mayChange && {
            label: ({ attributes }) => text.remove(attributes.name),
            title: ({ attributes }) => `${text.remove(attributes.name)}?`,
            ends: <p>{text.removeEnds}</p>,
            submit: text.removeSubmit,
            remove: ({ id }) =>
              answer(
                api.DELETE('/workspaces/{workspace_id}/relationships/remote-state-consumers', { ...at, ...body(id) }),
              ).then(changed),
          }
        }
      />
      <Dialog
        title={text.addSubmit}
        opened={isOpen}
        onClose={() => setOpen(false)}
        submit={text.addSubmit}
        submitDisabled={!chosen}
        onSubmit={add}
      >
        <p className="muted">{text.chosenDetail}</p>
        <WorkspaceChoice
          organization={organization}
          label={text.workspace}
          value={chosen}
          onChange={setChosen}
          except={[workspace.id]}
        />
      </Dialog>
    </>
  );
}
