/** …/settings/tags: the keys that come first wherever tags are typed. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { cache } from '../api/cache.ts';
import { answer, api, documentOf, type New } from '../api/client.ts';
import { organization as text } from '../texts/organization.ts';
import { CreateDialog } from '../ui/create-dialog.tsx';
import { RecordList } from '../ui/record-list.tsx';
import { organizationQuery } from './organizations.ts';

export function ReservedTagSettings({ organization }: { organization: string }) {
  const [isOpen, setOpen] = useState(false);
  const { data: found } = useQuery(organizationQuery(organization));
  const mayChange = found?.data.attributes.permissions['can-update'] ?? false;
  const queryKey = ['reserved-tags', organization];
  const at = { params: { path: { organization_name: organization } } };
  const query = useQuery({
    queryKey,
    queryFn: async () => (await answer(api.GET('/organizations/{organization_name}/reserved-tag-keys', at))).data,
  });
  const changed = () => cache.invalidateQueries({ queryKey });
  return (
    <>
      <RecordList
        title={text.pages.tags}
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
      {isOpen && (
        <CreateDialog
          title={text.reservedSubmit}
          submit={text.reservedSubmit}
          onClose={() => setOpen(false)}
          fields={[
            { key: 'key', label: text.reservedKey, kind: 'text', isMono: true },
            { key: 'disable-overrides', label: text.reservedFixed, kind: 'switch' },
          ]}
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
