/** /~/admin/versions: the engine versions that workspaces may choose, and who uses each. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { cache } from '../api/cache.ts';
import { answer, api, type Changed, documentOf, type New, type Resource } from '../api/client.ts';
import { everyPage } from '../api/documents.ts';
import { administration as text } from '../texts/account.ts';
import { CreateDialog } from '../ui/create-dialog.tsx';
import { RecordList } from '../ui/record-list.tsx';
import type { Column } from '../ui/rows.tsx';
import { tellFailure } from '../ui/tell.tsx';

type Version = Resource<'terraform-versions'>;

const at = ({ id }: Version) => ({ params: { path: { version_id: id } } });
const changed = () => cache.invalidateQueries({ queryKey: ['admin', 'versions'] });

const change = (version: Version, attributes: Changed<'terraform-versions'>) =>
  void answer(
    api.PATCH('/admin/terraform-versions/{version_id}', {
      ...at(version),
      body: documentOf('terraform-versions', attributes),
    }),
  ).then(changed, tellFailure);

async function create(attributes: New<'terraform-versions'>): Promise<void> {
  await answer(api.POST('/admin/terraform-versions', { body: documentOf('terraform-versions', attributes) }));
  await changed();
}

const columns: Column<Version>[] = [
  {
    title: text.version,
    cell: ({ attributes }) => (
      <span className="line wrap">
        <span className="mono strong">{attributes.version}</span>
        {attributes.beta && <span className="badge">{text.beta}</span>}
        {attributes.deprecated && (
          <span className="badge" data-group="attention">
            {text.deprecated}
          </span>
        )}
      </span>
    ),
  },
  {
    title: text.state,
    width: 'quarter',
    cell: ({ attributes }) => <span className="muted">{attributes.enabled ? text.enabled : text.disabled}</span>,
  },
  { title: text.use, width: 'quarter', cell: ({ attributes }) => text.used(attributes.usage) },
];

export function Versions() {
  const [isOpen, setOpen] = useState(false);
  const query = useQuery({
    queryKey: ['admin', 'versions'],
    queryFn: () =>
      everyPage(page =>
        answer(
          api.GET('/admin/terraform-versions', { params: { query: { 'page[number]': page, 'page[size]': 100 } } }),
        ),
      ),
  });
  return (
    <>
      <RecordList
        title={text.pages.versions}
        query={query}
        none={{ title: text.versionsNone }}
        add={{ label: text.versionsAdd, onClick: () => setOpen(true) }}
        columns={columns}
        nameOf={({ attributes }) => attributes.version}
        acts={version => {
          const { enabled, deprecated } = version.attributes;
          return [
            {
              label: enabled ? text.disable : text.enable,
              icon: enabled ? ('x' as const) : ('check' as const),
              onClick: () => change(version, { enabled: !enabled }),
            },
            {
              label: deprecated ? text.recommend : text.deprecate,
              icon: 'warning' as const,
              onClick: () => change(version, { deprecated: !deprecated }),
            },
          ];
        }}
        removal={{
          may: ({ attributes }) => attributes.usage === 0 && !attributes.official,
          label: ({ attributes }) => text.remove(attributes.version),
          title: ({ attributes }) => `${text.remove(attributes.version)}?`,
          ends: <p>{text.versionEnds}</p>,
          submit: text.versionRemoveSubmit,
          remove: version => answer(api.DELETE('/admin/terraform-versions/{version_id}', at(version))).then(changed),
        }}
      />
      {isOpen && (
        <CreateDialog
          title={text.versionsSubmit}
          submit={text.versionsSubmit}
          initial={{ enabled: true }}
          onClose={() => setOpen(false)}
          create={create}
          fields={[
            { key: 'version', label: text.version, kind: 'text', isMono: true },
            { key: 'enabled', label: text.enabled, kind: 'switch' },
            { key: 'beta', label: text.beta, kind: 'switch' },
          ]}
        />
      )}
    </>
  );
}
