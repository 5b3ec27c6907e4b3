/** The own tags of a workspace, a line each: key, and for a binding its value. Saving replaces them by what stands here. */
import { ActionIcon, Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { answer, api } from '../api/client.ts';
import { common } from '../texts/common.ts';
import { workspace as text } from '../texts/workspace.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Icon } from '../ui/icon.tsx';
import { changesOf, type Meant, readAgain, useSaving } from '../ui/saving.tsx';
import { workspacesChanged } from './acts.ts';
import { ownBindings, updateWorkspace, type WorkspaceDocument, workspaceQuery } from './workspace.ts';
import type { Workspace } from './workspaces.ts';

interface Binding {
  key: string;
  value: string;
}

interface Props {
  organization: string;
  document: WorkspaceDocument;
  onClose: () => void;
}

const inOrder = (bindings: Binding[]) =>
  bindings
    .map(({ key, value }) => ({ key: key.trim(), value: value.trim() }))
    .filter(({ key }) => key !== '')
    .sort((one, other) => (one.key < other.key ? -1 : 1));
const asWords = (bindings: Binding[]) =>
  bindings.map(({ key, value }) => (value ? `${key}: ${value}` : key)).join(', ');
const valuesOf = (document: WorkspaceDocument) => ({ tags: inOrder(ownBindings(document)) });

export function EditTags({ organization, document, onClose }: Props) {
  const { id, attributes } = document.data;
  const [before] = useState(() => valuesOf(document));
  const [rows, setRows] = useState<Binding[]>(before.tags.length > 0 ? before.tags : [{ key: '', value: '' }]);
  const [flat, setFlat] = useState(attributes['tag-names']);
  const [send, conflict] = useSaving<{ tags?: Binding[] }>({
    labelOf: () => text.tags,
    wordOf: (_key, tags) => asWords(tags as Binding[]),
    read: () => readAgain(workspaceQuery(organization, attributes.name), valuesOf),
    save: ({ tags = [] }, meant) => replaceBindings(document.data, tags, meant),
  });
  const change = (at: number, part: Partial<Binding>) =>
    setRows(rows.map((row, index) => (index === at ? { ...row, ...part } : row)));
  const submit = async () => {
    const mine = changesOf(before, { tags: inOrder(rows) });
    if (mine.tags && (await send(before, mine)) === null) return;
    // The flat names that were taken away go in a request of their own.
    const gone = attributes['tag-names'].filter(name => !flat.includes(name));
    if (gone.length > 0)
      await answer(
        api.DELETE('/workspaces/{workspace_id}/relationships/tags', {
          params: { path: { workspace_id: id } },
          body: { data: gone.map(name => ({ type: 'tags' as const, attributes: { name } })) },
        }),
      );
    onClose();
    void workspacesChanged();
  };
  return (
    <Dialog
      title={text.manageTags}
      opened
      onClose={conflict ? () => {} : onClose}
      submit={common.saveChanges}
      onSubmit={submit}
    >
      {rows.map((row, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row has no identity but its place.
        <div key={index} className="line">
          <TextInput
            aria-label={`Key ${index + 1}`}
            placeholder="key"
            className="grow"
            maxLength={128}
            value={row.key}
            data-autofocus={index === 0 || undefined}
            onChange={event => change(index, { key: event.currentTarget.value })}
          />
          <TextInput
            aria-label={`Value ${index + 1}`}
            placeholder="value"
            className="grow"
            maxLength={256}
            value={row.value}
            onChange={event => change(index, { value: event.currentTarget.value })}
          />
          <ActionIcon
            variant="subtle"
            aria-label={`Remove tag ${row.key}`}
            onClick={() => setRows(rows.filter((_, other) => other !== index))}
          >
            <Icon name="x" />
          </ActionIcon>
        </div>
      ))}
      <div>
        <Button
          size="xs"
          variant="default"
          leftSection={<Icon name="plus" size={14} />}
          disabled={rows.length >= 10}
          onClick={() => setRows([...rows, { key: '', value: '' }])}
        >
          Add a tag
        </Button>
      </div>
      {flat.length > 0 && (
        <div className="tags wrap">
          {flat.map(name => (
            <span key={name} className="chip">
              {name}
              <button
                type="button"
                aria-label={`Remove tag ${name}`}
                onClick={() => setFlat(flat.filter(other => other !== name))}
              >
                <Icon name="x" size={12} />
              </button>
            </span>
          ))}
        </div>
      )}
      {conflict}
    </Dialog>
  );
}

const replaceBindings = (workspace: Workspace, tags: Binding[], meant: Meant) =>
  updateWorkspace(
    workspace,
    {
      attributes: {},
      relationships: {
        'tag-bindings': { data: tags.map(attributes => ({ type: 'tag-bindings' as const, attributes })) },
      },
    },
    meant,
  );
