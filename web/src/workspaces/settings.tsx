/** …/settings/<page>: one page for each thing that can be set. */

import { lazyRouteComponent, useParams } from '@tanstack/react-router';
import { type ComponentType, useState } from 'react';
import { paths } from '../paths.ts';
import { settings as text } from '../texts/settings.ts';
import { locking, workspace as words } from '../texts/workspace.ts';
import { Act } from '../ui/act.tsx';
import { Card, Tag } from '../ui/parts.tsx';
import { SettingsFrame, SettingsPage } from '../ui/settings-frame.tsx';
import { AutoDestroy } from './auto-destroy.tsx';
import { WorkspaceDeletion } from './delete.tsx';
import { EditTags } from './edit-tags.tsx';
import { LockControl } from './lock-control.tsx';
import { GeneralSettings } from './settings-general.tsx';
import { RemoteState } from './settings-remote-state.tsx';
import { Retention } from './settings-retention.tsx';
import { RunTriggers } from './settings-run-triggers.tsx';
import { SshKey } from './settings-ssh-key.tsx';
import { TeamAccess } from './settings-team-access.tsx';
import { VersionControl } from './settings-version-control.tsx';
import { ownBindings, useWorkspace } from './workspace.ts';

type Page = keyof typeof text.pages;

export function WorkspaceSettings() {
  const { organization, workspace } = useParams({ strict: false }) as { organization: string; workspace: string };
  return (
    <SettingsFrame
      label={text.label}
      pages={text.pages}
      to={page => paths.workspaceSettings(organization, workspace, page)}
    />
  );
}

const pages: Record<Page, ComponentType> = {
  general: GeneralSettings,
  locking: Locking,
  tags: Tags,
  'remote-state': RemoteState,
  'run-triggers': RunTriggers,
  'run-tasks': lazyRouteComponent(() => import('../run-tasks/workspace-settings.tsx'), 'WorkspaceRunTasks'),
  notifications: lazyRouteComponent(() => import('../notifications/settings.tsx'), 'Notifications'),
  'ssh-key': SshKey,
  'version-control': VersionControl,
  'team-access': TeamAccess,
  retention: Retention,
  deletion: Ending,
};

export function WorkspaceSettingsPage() {
  const { page } = useParams({ strict: false }) as { page: Page };
  return <SettingsPage pages={pages} page={page} given={{}} />;
}

function Ending() {
  return (
    <>
      <AutoDestroy />
      <WorkspaceDeletion />
    </>
  );
}

function Locking() {
  const { organization, query } = useWorkspace();
  if (!query.data) return null;
  const { attributes } = query.data.data;
  return (
    <Card title={text.pages.locking}>
      <div className="stack form">
        <p>{attributes.locked ? locking.meaning : locking.lockDetail}</p>
        {attributes['locked-reason'] && <p className="quote">{attributes['locked-reason']}</p>}
        <div>
          <LockControl organization={organization} document={query.data} />
        </div>
      </div>
    </Card>
  );
}

function Tags() {
  const { organization, query } = useWorkspace();
  const [isOpen, setOpen] = useState(false);
  if (!query.data) return null;
  const workspace = query.data.data;
  const bindings = ownBindings(query.data);
  return (
    <Card title={text.pages.tags}>
      <div className="stack form">
        <div className="tags wrap">
          {bindings.map(({ key, value }) => (
            <Tag key={key} tagKey={key} value={value} />
          ))}
          {workspace.attributes['tag-names'].map(name => (
            <Tag key={`flat ${name}`} tagKey={name} />
          ))}
        </div>
        <div>
          <Act
            allowed={workspace.attributes.permissions['can-manage-tags']}
            icon="tag"
            missing={{
              act: 'change tags',
              permission: 'can-manage-tags',
              organization,
              wish: { type: 'workspaces', id: workspace.id, action: 'can-manage-tags' },
            }}
            onClick={() => setOpen(true)}
          >
            {words.manageTags}
          </Act>
        </div>
        {isOpen && <EditTags organization={organization} document={query.data} onClose={() => setOpen(false)} />}
      </div>
    </Card>
  );
}
