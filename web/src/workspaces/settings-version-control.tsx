/** …/settings/version-control: the repository that configurations come from. */
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { connectionTokensQuery } from '../connections/connections.ts';
import { settings } from '../texts/settings.ts';
import { Dialog } from '../ui/dialog.tsx';
import type { Field } from '../ui/field.tsx';
import { Card } from '../ui/parts.tsx';
import { RecordForm } from '../ui/record-form.tsx';
import { type Meant, readAgain, type Values } from '../ui/saving.tsx';
import { updateWorkspace, useWorkspace, workspaceQuery } from './workspace.ts';
import type { Workspace } from './workspaces.ts';

const text = settings.vcs;
const own = ['file-triggers-enabled', 'trigger-prefixes', 'trigger-patterns'];

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
  const tokens = useQuery(connectionTokensQuery(organization));
  const [isOpen, setOpen] = useState(false);
  const workspace = query.data?.data;
  if (!workspace) return null;
  const isConnected = workspace.attributes['vcs-repo'] !== null;
  const mayChange = workspace.attributes.permissions['can-update'];
  const save = (changes: Values, meant: Meant) => {
    const attributes: Values = {};
    const repository: Values = {};
    for (const [key, value] of Object.entries(changes)) {
      if (key.startsWith('vcs-repo.')) repository[key.slice('vcs-repo.'.length)] = value;
      else attributes[key] = value;
    }
    if (Object.keys(repository).length > 0) attributes['vcs-repo'] = repository;
    return updateWorkspace(workspace, { attributes }, meant);
  };
  const disconnect = async () => {
    await updateWorkspace(workspace, { attributes: { 'vcs-repo': null } });
    setOpen(false);
  };
  const options = (tokens.data ?? []).map(({ id, attributes }) => ({
    value: id,
    label: `${attributes['service-provider-user'] ?? id}`,
  }));
  const fields: Field[] = [
    { key: 'vcs-repo.oauth-token-id', label: text.token, kind: 'choice', options },
    { key: 'vcs-repo.identifier', label: text.identifier, hint: text.identifierHint, kind: 'text', isMono: true },
    { key: 'vcs-repo.branch', label: text.branch, hint: text.branchHint, kind: 'text', isMono: true },
    { key: 'vcs-repo.tags-regex', label: text.tagsRegex, kind: 'text', isNullable: true, isMono: true },
    { key: 'vcs-repo.ingress-submodules', label: text.submodules, kind: 'switch' },
    { key: 'file-triggers-enabled', label: text.fileTriggers, kind: 'switch' },
    { key: 'trigger-prefixes', label: text.prefixes, hint: text.onePerLine, kind: 'lines' },
    { key: 'trigger-patterns', label: text.patterns, hint: text.onePerLine, kind: 'lines' },
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
