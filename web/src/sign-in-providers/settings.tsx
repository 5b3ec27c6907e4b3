/** /~/admin/sign-in: the providers by which people can sign in, and what is entered at each of them. */
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { at, paths } from '../paths.ts';
import { signInProviders as text } from '../texts/sign-in-providers.ts';
import { Copy } from '../ui/copy.tsx';
import { Card, Facts } from '../ui/parts.tsx';
import { RecordList } from '../ui/record-list.tsx';
import type { Column } from '../ui/rows.tsx';
import { ProviderDialog } from './form.tsx';
import { deleteProvider, type Provider, providersQuery } from './providers.ts';

export function SignInProviders() {
  const { open } = useSearch({ strict: false }) as { open?: string };
  const [edited, setEdited] = useState<Provider | 'new' | null>(null);
  const navigate = useNavigate();
  const query = useQuery(providersQuery);
  const shown = query.data?.find(({ id }) => id === open);
  const show = (id: string) =>
    void navigate({ ...at(paths.admin('sign-in'), id === open ? {} : { open: id }), replace: true });
  return (
    <>
      <RecordList
        title={text.title}
        lead={text.lead}
        query={query}
        none={{ title: text.none, detail: text.noneDetail }}
        add={{ label: text.add, onClick: () => setEdited('new') }}
        columns={columnsOf(open, show)}
        nameOf={({ attributes }) => attributes.label}
        acts={provider => [{ label: text.edit, icon: 'pencil', onClick: () => setEdited(provider) }]}
        removal={{
          label: () => text.remove,
          title: ({ attributes }) => text.removeTitle(attributes.label),
          ends: <p>{text.removeEnds}</p>,
          submit: text.removeSubmit,
          remove: deleteProvider,
        }}
      />
      {shown && <AtProvider provider={shown} />}
      {edited && <ProviderDialog provider={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />}
    </>
  );
}

const columnsOf = (open: string | undefined, show: (id: string) => void): Column<Provider>[] => [
  {
    title: text.label,
    cell: ({ id, attributes }) => (
      <button type="button" className="link anywhere" aria-expanded={id === open} onClick={() => show(id)}>
        {attributes.label}
      </button>
    ),
  },
  { title: text.kind, width: 'quarter', cell: ({ attributes }) => text.kinds[attributes.kind] },
  { title: text.issuer, cell: ({ attributes }) => <span className="mono muted">{attributes.issuer}</span> },
];

/** What its administrators ask for. */
function AtProvider({ provider: { attributes } }: { provider: Provider }) {
  const { kind, 'callback-url': callback, 'metadata-url': metadata } = attributes;
  const address = (name: string, value: string) =>
    [
      name,
      <span key={name} className="line">
        <span className="mono anywhere">{value}</span>
        <Copy text={value} label={text.copy(name)} />
      </span>,
    ] as const;
  return (
    <Card title={text.there(attributes.label)}>
      <div className="stack">
        <p className="muted">{text.thereDetail[kind]}</p>
        <Facts
          facts={
            kind === 'saml' && metadata
              ? [address(text.acs, callback), address(text.entityId, metadata), address(text.metadata, metadata)]
              : [address(text.redirect, callback)]
          }
        />
        {kind === 'openid-connect' && (
          <p className="muted">{attributes['has-client-secret'] ? text.hasSecret : text.hasNoSecret}</p>
        )}
      </div>
    </Card>
  );
}
