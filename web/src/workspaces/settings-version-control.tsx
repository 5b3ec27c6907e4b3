/** …/settings/version-control: the repository that configurations come from. */
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { connectionName, connectionsQuery } from '../connections/connections.ts';
import { settings } from '../texts/settings.ts';
import { Dialog } from '../ui/dialog.tsx';
import type { Field } from '../ui/field.tsx';
import { gathered } from '../ui/members.ts';
import { Card } from '../ui/parts.tsx';
import { RecordForm } from '../ui/record-form.tsx';
import { type Meant, readAgain, type Values } from '../ui/saving.tsx';
import { updateWorkspace, useWorkspace, workspaceQuery } from './workspace.ts';
import type { Workspace } from './workspaces.ts';

const text = settings.vcs;
const own = ['file-triggers-enabled', 'trigger-prefixes', 'trigger-patterns', 'speculative-enabled', 'queue-all-runs'];

/** The repository's fields stand beside the workspace's own, under names with a dot. */
function valuesOf({ attributes }: Workspace): Values {
  const repository = (attributes['vcs-repo'] ?? {}) as Record<string, unknown>;
  const values: Values = Object.fromEntries(own.map(key => [key, (attributes as Values)[key]]));
  for (const key of ['identifier', 'oauth-token-id', 'branch', 'ingress-submodules', 'tags-regex'])
    values[`vcs-repo.${key}`] = repository[key] ?? (key === 'ingress-submodules' ? false : null);
  return values;
}

export function VersionControl() {
  const { organization, name, query } = useWorkspace();
  const connections = useQuery(connectionsQuery(organization));
  const [isOpen, setOpen] = useState(false);
  const workspace = query.data?.data;
  if (!workspace) return null;
  const isConnected = workspace.attributes['vcs-repo'] !== null;
  const mayChange = workspace.attributes.permissions['can-update'];
  const save = (changes: Values, meant: Meant) => updateWorkspace(workspace, { attributes: gathered(changes) }, meant);
  const disconnect = async () => {
    await updateWorkspace(workspace, { attributes: { 'vcs-repo': null } });
    setOpen(false);
  };
  const options = (connections.data?.data ?? []).flatMap(connection =>
    connection.relationships['oauth-tokens'].data.map(({ id }) => ({ value: id, label: connectionName(connection) })),
  );
  const fields: Field[] = [
    { key: 'vcs-repo.oauth-token-id', label: text.token, kind: 'choice', options },
    { key: 'vcs-repo.identifier', label: text.identifier, hint: text.identifierHint, kind: 'text', isMono: true },
    { key: 'vcs-repo.branch', label: text.branch, hint: text.branchHint, kind: 'text', isMono: true },
    {
      key: 'vcs-repo.tags-regex',
      label: text.tagsRegex,
      hint: text.tagsRegexHint,
      kind: 'text',
      isNullable: true,
      isMono: true,
    },
    { key: 'vcs-repo.ingress-submodules', label: text.submodules, kind: 'switch' },
    { key: 'file-triggers-enabled', label: text.fileTriggers, hint: text.fileTriggersHint, kind: 'switch' },
    { key: 'trigger-prefixes', label: text.prefixes, hint: text.prefixesHint, kind: 'lines' },
    { key: 'trigger-patterns', label: text.patterns, hint: text.patternsHint, kind: 'lines' },
    { key: 'speculative-enabled', label: text.speculative, hint: text.speculativeHint, kind: 'switch' },
    { key: 'queue-all-runs', label: text.queueAll, hint: text.queueAllHint, kind: 'switch' },
  ];
  return (
    <Card title={settings.pages['version-control']}>
      <div className="stack tight bottom-space">
        {!isConnected && <p className="muted">{text.none}</p>}
        {options.length === 0 && <p className="muted">{text.noConnection}</p>}
      </div>
      <RecordForm
        key={String(isConnected)}
        fields={fields}
        values={valuesOf(workspace)}
        read={() => readAgain(workspaceQuery(organization, name), ({ data }) => valuesOf(data))}
        save={save}
        mayChange={mayChange}
        whyNot={settings.noAdmin}
      >
        {isConnected && mayChange && (
          <div>
            <Button variant="danger-outline" onClick={() => setOpen(true)}>
              {text.disconnect}…
            </Button>
          </div>
        )}
      </RecordForm>
      <Dialog
        danger
        title={`${text.disconnect}?`}
        opened={isOpen}
        onClose={() => setOpen(false)}
        submit={text.disconnect}
        onSubmit={disconnect}
      >
        <p>{text.none}</p>
      </Dialog>
    </Card>
  );
}
