/** …/settings/deletion: where it manages something, a run that destroys it first; by force only by its full name. */
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { answer, api } from '../api/client.ts';
import { ApiFailure } from '../api/failure.ts';
import { paths } from '../paths.ts';
import { deletion as text } from '../texts/deletion.ts';
import { Act } from '../ui/act.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Card } from '../ui/parts.tsx';
import { tell } from '../ui/tell.tsx';
import { TypedName } from '../ui/typed-name.tsx';
import { workspacesChanged } from './acts.ts';
import { useWorkspace } from './workspace.ts';

export function WorkspaceDeletion() {
  const { organization, name, query } = useWorkspace();
  const [isOpen, setOpen] = useState(false);
  const [isForced, setForced] = useState(false);
  const [typed, setTyped] = useState('');
  const [isRefused, setRefused] = useState(false);
  const navigate = useNavigate();
  const workspace = query.data?.data;
  if (!workspace) return null;
  const { permissions } = workspace.attributes;
  const count = workspace.attributes['resource-count'];
  const at = { params: { path: { workspace_id: workspace.id } } };
  const gone = async () => {
    tell(text.done(name));
    await navigate({ to: paths.workspaces(organization) });
    void workspacesChanged();
  };
  const deleteSafely = async () => {
    try {
      await answer(api.POST('/workspaces/{workspace_id}/actions/safe-delete', at));
      await gone();
    } catch (caught) {
      if (caught instanceof ApiFailure && caught.status === 409) setRefused(true);
      throw caught;
    }
  };
  const deleteByForce = async () => {
    await answer(api.DELETE('/workspaces/{workspace_id}', at));
    await gone();
  };
  const fullName = `${organization}/${name}`;
  const missing = (act: string, permission: string) => ({
    act,
    permission,
    organization,
    wish: { type: 'workspaces' as const, id: workspace.id, action: permission },
  });
  return (
    <Card title={text.delete}>
      <div className="stack form">
        <p>{text.safe}</p>
        {count > 0 && <p className="strong">{text.manages(count)}</p>}
        <div className="line wrap">
          {count > 0 ? (
            <Act
              allowed={permissions['can-queue-destroy']}
              missing={missing('destroy what this workspace manages', 'can-queue-destroy')}
              onClick={() => void navigate({ to: paths.workspace(organization, name), state: { arrival: 'destroy' } })}
            >
              {text.openDestroy}
            </Act>
          ) : (
            <Act
              variant="danger-outline"
              allowed={permissions['can-destroy']}
              icon="trash"
              missing={missing('delete this workspace', 'can-destroy')}
              onClick={() => setOpen(true)}
            >
              {text.open}
            </Act>
          )}
          {(count > 0 || isRefused) && (
            <Act
              variant="danger-outline"
              allowed={permissions['can-force-delete']}
              icon="trash"
              missing={missing('delete this workspace by force', 'can-force-delete')}
              onClick={() => setForced(true)}
            >
              {text.openForce}
            </Act>
          )}
        </div>
      </div>
      <Dialog
        danger
        title={text.question(name)}
        opened={isOpen}
        onClose={() => setOpen(false)}
        submit={text.submit}
        onSubmit={deleteSafely}
      >
        <p>{text.ends}</p>
      </Dialog>
      <Dialog
        danger
        title={text.forceQuestion(name)}
        opened={isForced}
        onClose={() => setForced(false)}
        submit={text.forceSubmit}
        submitDisabled={typed !== fullName}
        onSubmit={deleteByForce}
      >
        <p>{text.forceEnds(count)}</p>
        <TypedName name={fullName} value={typed} onChange={setTyped} />
      </Dialog>
    </Card>
  );
}
