/** …/settings/tags: the keys that come first wherever tags are typed. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { cache } from '../api/cache.ts';
import { answer, api, type Changed, documentOf, type New, type Resource } from '../api/client.ts';
import { ApiFailure } from '../api/failure.ts';
import { common } from '../texts/common.ts';
import { organization as text } from '../texts/organization.ts';
import { CreateDialog } from '../ui/create-dialog.tsx';
import { EditDialog } from '../ui/edit-dialog.tsx';
import type { Field } from '../ui/field.tsx';
import { RecordList } from '../ui/record-list.tsx';
import { organizationQuery } from './organizations.ts';

type ReservedKey = Resource<'reserved-tag-keys'>;

const fields: Field<'key' | 'disable-overrides'>[] = [
  { key: 'key', label: text.reservedKey, kind: 'text', isMono: true },
  { key: 'disable-overrides', label: text.reservedFixed, kind: 'switch' },
];

export function ReservedTags({ organization }: { organization: string }) {
  const [isOpen, setOpen] = useState(false);
  const [edited, setEdited] = useState<ReservedKey | null>(null);
  const { data: found } = useQuery(organizationQuery(organization));
  const mayChange = found?.data.attributes.permissions['can-update'] ?? false;
  const queryKey = ['reserved-tags', organization];
  const at = { params: { path: { organization_name: organization } } };
  const read = async () => (await answer(api.GET('/organizations/{organization_name}/reserved-tag-keys', at))).data;
  const query = useQuery({ queryKey, queryFn: read });
  const changed = () => cache.invalidateQueries({ queryKey });
  return (
    <>
      <RecordList
        title={text.reserved}
        query={query}
        none={{ title: text.reservedNone, detail: text.reservedDetail }}
        add={mayChange && { label: text.reservedAdd, onClick: () => setOpen(true) }}
        columns={[
          { title: text.reservedKey, cell: ({ attributes }) => <span className="tag">{attributes.key}</span> },
          {
            title: text.reservedRule,
            cell: ({ attributes }) => attributes['disable-overrides'] && text.reservedFixed,
          },
        ]}
        nameOf={({ attributes }) => attributes.key}
        acts={mayChange ? key => [{ label: text.edit, icon: 'pencil', onClick: () => setEdited(key) }] : undefined}
        removal={
          mayChange && {
            label: ({ attributes }) => text.remove(attributes.key),
            title: ({ attributes }) => text.removeTitle(attributes.key),
            ends: <p>{text.reservedDetail}</p>,
            submit: text.removeSubmit,
            remove: ({ id }) =>
              answer(
                api.DELETE('/reserved-tag-keys/{reserved_tag_key_id}', {
                  params: { path: { reserved_tag_key_id: id } },
                }),
              ).then(changed),
          }
        }
      />
      {edited && (
        <EditDialog<Changed<'reserved-tag-keys'>>
          title={text.editTitle(edited.attributes.key)}
          submit={common.saveChanges}
          fields={fields}
          values={edited.attributes}
          // A list of them is all that shows one.
          read={async () => {
            const found = (await read()).find(({ id }) => id === edited.id);
            if (!found) throw new ApiFailure(404, [], null, null);
            return { values: found.attributes };
          }}
          save={attributes =>
            answer(
              api.PATCH('/reserved-tag-keys/{reserved_tag_key_id}', {
                params: { path: { reserved_tag_key_id: edited.id } },
                body: documentOf('reserved-tag-keys', attributes),
              }),
            ).then(changed)
          }
          onClose={() => setEdited(null)}
        />
      )}
      {isOpen && (
        <CreateDialog
          title={text.reservedSubmit}
          submit={text.reservedSubmit}
          onClose={() => setOpen(false)}
          fields={fields}
          create={(attributes: New<'reserved-tag-keys'>) =>
            answer(
              api.POST('/organizations/{organization_name}/reserved-tag-keys', {
                ...at,
                body: documentOf('reserved-tag-keys', attributes),
              }),
            ).then(changed)
          }
        />
      )}
    </>
  );
}
