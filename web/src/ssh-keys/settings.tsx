/** …/settings/ssh-keys: keys that modules are fetched with. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { cache } from '../api/cache.ts';
import { answer, api, documentOf, type New } from '../api/client.ts';
import { organizationQuery } from '../organizations/organizations.ts';
import { common } from '../texts/common.ts';
import { organization as text } from '../texts/organization.ts';
import { CreateDialog } from '../ui/create-dialog.tsx';
import { EditDialog } from '../ui/edit-dialog.tsx';
import { RecordList } from '../ui/record-list.tsx';
import { readingOf } from '../ui/saving.tsx';
import { type SshKeyRecord, sshKeysQuery } from './ssh-keys.ts';

export function SshKeySettings({ organization }: { organization: string }) {
  const [isOpen, setOpen] = useState(false);
  const [edited, setEdited] = useState<SshKeyRecord | null>(null);
  const query = useQuery(sshKeysQuery(organization));
  const { data: found } = useQuery(organizationQuery(organization));
  const mayChange = found?.data.attributes.permissions['can-update-oauth'] ?? false;
  const changed = () => cache.invalidateQueries({ queryKey: ['ssh-keys'] });
  return (
    <>
      <RecordList
        title={text.pages['ssh-keys']}
        query={query}
        none={{ title: text.keyNone, detail: text.keyDetail }}
        add={mayChange && { label: text.keyAdd, onClick: () => setOpen(true) }}
        columns={[
          { title: text.keyName, cell: ({ attributes }) => <span className="strong">{attributes.name}</span> },
          { title: text.id, cell: ({ id }) => <span className="mono muted">{id}</span> },
        ]}
        nameOf={({ attributes }) => attributes.name}
        acts={mayChange ? key => [{ label: text.keyRename, icon: 'pencil', onClick: () => setEdited(key) }] : undefined}
        removal={
          mayChange && {
            label: ({ attributes }) => text.remove(attributes.name),
            title: ({ attributes }) => text.removeTitle(attributes.name),
            ends: <p>{text.removeEnds}</p>,
            submit: text.removeSubmit,
            remove: ({ id }) =>
              answer(api.DELETE('/ssh-keys/{ssh_key_id}', { params: { path: { ssh_key_id: id } } })).then(changed),
          }
        }
      />
      {edited && <Rename sshKey={edited} onSaved={changed} onClose={() => setEdited(null)} />}
      {isOpen && (
        <CreateDialog
          title={text.keySubmit}
          submit={text.keySubmit}
          onClose={() => setOpen(false)}
          fields={[
            { key: 'name', label: text.keyName, kind: 'text' },
            { key: 'value', label: text.keyValue, hint: text.keyValueHint, kind: 'lines' },
          ]}
          create={(attributes: New<'ssh-keys'>) =>
            answer(
              api.POST('/organizations/{organization_name}/ssh-keys', {
                params: { path: { organization_name: organization } },
                body: documentOf('ssh-keys', attributes),
              }),
            ).then(changed)
          }
        />
      )}
    </>
  );
}

interface RenameProps {
  sshKey: SshKeyRecord;
  onSaved: () => unknown;
  onClose: () => void;
}

function Rename({ sshKey: { id, attributes }, onSaved, onClose }: RenameProps) {
  const at = { params: { path: { ssh_key_id: id } } };
  return (
    <EditDialog<{ name: string }>
      title={text.editTitle(attributes.name)}
      submit={common.saveChanges}
      fields={[{ key: 'name', label: text.keyName, kind: 'text' }]}
      values={attributes}
      read={async () => readingOf(await answer(api.GET('/ssh-keys/{ssh_key_id}', at)))}
      save={(given, meant) =>
        answer(api.PATCH('/ssh-keys/{ssh_key_id}', { ...at, ...meant, body: documentOf('ssh-keys', given) })).then(
          onSaved,
        )
      }
      onClose={onClose}
    />
  );
}
