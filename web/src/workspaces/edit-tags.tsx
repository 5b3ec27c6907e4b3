/** The own tags of a workspace, a line each: key, and for a binding its value. Saving replaces them by what stands here. */
import { useState } from 'react';
import { answer, api } from '../api/client.ts';
import { common } from '../texts/common.ts';
import { workspace as text } from '../texts/workspace.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Icon } from '../ui/icon.tsx';
import { changesOf, type Meant, readAgain, useSaving } from '../ui/saving.tsx';
import { asWords, type Binding, inOrder, rowsOf, TagRows } from '../ui/tag-rows.tsx';
import { workspacesChanged } from './acts.ts';
import { ownBindings, updateWorkspace, type WorkspaceDocument, workspaceQuery } from './workspace.ts';
import type { Workspace } from './workspaces.ts';

interface Props {
  organization: string;
  document: WorkspaceDocument;
  onClose: () => void;
}

const valuesOf = (document: WorkspaceDocument) => ({ tags: inOrder(ownBindings(document)) });

export function EditTags({ organization, document, onClose }: Props) {
  const { id, attributes } = document.data;
  const [before] = useState(() => valuesOf(document));
  const [rows, setRows] = useState(() => rowsOf(before.tags));
  const [flat, setFlat] = useState(attributes['tag-names']);
  const [send, conflict] = useSaving<{ tags?: Binding[] }>({
    labelOf: () => text.tags,
    wordOf: (_key, tags) => asWords(tags as Binding[]),
    read: () => readAgain(workspaceQuery(organization, attributes.name), valuesOf),
    save: ({ tags = [] }, meant) => replaceBindings(document.data, tags, meant),
  });
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
      <TagRows rows={rows} onChange={setRows} />
      {flat.length > 0 && (
        <div className="tags wrap">
          {flat.map(name => (
            <span key={name} className="chip">
              {name}
              <button
                type="button"
                aria-label={common.tags.remove(name)}
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
