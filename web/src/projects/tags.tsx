/** The tags of a project, which its workspaces inherit. */
import { Button } from '@mantine/core';
import { useState } from 'react';
import { cache } from '../api/cache.ts';
import { answer, api, tagOf } from '../api/client.ts';
import { included } from '../api/documents.ts';
import { common } from '../texts/common.ts';
import { projects as text } from '../texts/projects.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Icon } from '../ui/icon.tsx';
import { Card, Tag } from '../ui/parts.tsx';
import { changesOf, type Meant, type Reading, useSaving } from '../ui/saving.tsx';
import { asWords, type Binding, inOrder, rowsOf, TagRows } from '../ui/tag-rows.tsx';
import type { ProjectDocument } from './projects.ts';

export function tagsOf(document: ProjectDocument): Binding[] {
  const links = document.data.relationships['effective-tag-bindings'].data ?? [];
  const records = links.map(link => included(document, { data: link }, 'effective-tag-bindings'));
  return inOrder(records.flatMap(record => (record ? [record.attributes] : [])));
}

export function ProjectTags({ document }: { document: ProjectDocument }) {
  const [isOpen, setOpen] = useState(false);
  const tags = tagsOf(document);
  return (
    <Card title={text.tags}>
      <div className="stack tight">
        <p className="muted">{text.tagsDetail}</p>
        {tags.length === 0 ? (
          <p>{text.tagsNone}</p>
        ) : (
          <div className="tags wrap">
            {tags.map(({ key, value }) => (
              <Tag key={key} tagKey={key} value={value} />
            ))}
          </div>
        )}
        {document.data.attributes.permissions['can-manage-tags'] && (
          <div>
            <Button variant="default" leftSection={<Icon name="tag" />} onClick={() => setOpen(true)}>
              {text.tagsEdit}
            </Button>
          </div>
        )}
      </div>
      {isOpen && <EditTags document={document} onClose={() => setOpen(false)} />}
    </Card>
  );
}

const valuesOf = (document: ProjectDocument) => ({ tags: tagsOf(document) });

function EditTags({ document, onClose }: { document: ProjectDocument; onClose: () => void }) {
  const { id } = document.data;
  const [before] = useState(() => valuesOf(document));
  const [rows, setRows] = useState(() => rowsOf(before.tags));
  const [send, conflict] = useSaving<{ tags?: Binding[] }>({
    labelOf: () => text.tags,
    wordOf: (_key, tags) => asWords(tags as Binding[]),
    read: () => ownTags(id),
    save: ({ tags = [] }, meant) => replaceTags(id, tags, meant),
  });
  const submit = async () => {
    const mine = changesOf(before, { tags: inOrder(rows) });
    if (mine.tags && (await send(before, mine)) === null) return;
    onClose();
  };
  return (
    <Dialog
      title={text.tagsTitle}
      opened
      onClose={conflict ? () => {} : onClose}
      submit={common.saveChanges}
      onSubmit={submit}
    >
      <TagRows rows={rows} onChange={setRows} />
      {conflict}
    </Dialog>
  );
}

/** The list itself: its entity tag is another one when a tag is, and that of the project is not. */
async function ownTags(id: string): Promise<Reading> {
  const list = await answer(api.GET('/projects/{project_id}/tag-bindings', { params: { path: { project_id: id } } }));
  const tags = list.data.map(({ attributes: { key, value } }) => ({ key, value }));
  return { values: { tags: inOrder(tags) }, tag: tagOf(list) };
}

async function replaceTags(id: string, tags: readonly Binding[], meant: Meant): Promise<void> {
  await answer(
    api.PATCH('/projects/{project_id}/relationships/tag-bindings', {
      params: { path: { project_id: id } },
      ...meant,
      body: { data: tags.map(attributes => ({ type: 'tag-bindings' as const, attributes })) },
    }),
  );
  await Promise.all([
    cache.invalidateQueries({ queryKey: ['projects'] }),
    cache.invalidateQueries({ queryKey: ['workspaces'] }),
  ]);
}
