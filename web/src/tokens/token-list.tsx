/** API tokens: whose ever they are, they are listed, made, shown once, and revoked in one way. */
import { Select, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { cache } from '../api/cache.ts';
import { answer, api, type Resource } from '../api/client.ts';
import { faultsByField } from '../api/failure.ts';
import { tokens as text } from '../texts/people.ts';
import { Dialog } from '../ui/dialog.tsx';
import { RecordList } from '../ui/record-list.tsx';
import type { Column } from '../ui/rows.tsx';
import { Time } from '../ui/time.tsx';
import { SecretOnce } from './secret-once.tsx';

export type Token = Resource<'authentication-tokens'>;
/** Whoever makes one says what it is for; null: it does not end. */
export interface GivenToken {
  description: string;
  'expired-at': string | null;
}

interface Props {
  title: string;
  detail: string;
  queryKey: readonly string[];
  read: () => Promise<Token[]>;
  /** Without it no token can be made here. */
  create?: ((attributes: GivenToken) => Promise<Token>) | false | undefined;
  /** Where they are of several, whose each is. */
  whose?: Column<Token>;
  /** Where there can be one alone, it goes by another way than by its id. */
  revoke?: () => Promise<unknown>;
}

export function TokenList({ title, detail, queryKey, read, create, whose, revoke }: Props) {
  const [isOpen, setOpen] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const query = useQuery({ queryKey: ['tokens', ...queryKey], queryFn: read });
  const changed = () => cache.invalidateQueries({ queryKey: ['tokens'] });
  const remove = async ({ id }: Token) => {
    if (revoke) await revoke();
    else await answer(api.DELETE('/authentication-tokens/{token_id}', { params: { path: { token_id: id } } }));
    await changed();
  };
  const nameOf = (token: Token) => token.attributes.description || text.unnamed;
  return (
    <div className="stack">
      <p className="muted">{detail}</p>
      <RecordList
        title={title}
        query={query}
        none={{ title: text.none }}
        add={create && { label: text.create, onClick: () => setOpen(true) }}
        columns={whose ? [columns[0]!, whose, ...columns.slice(1)] : columns}
        removal={{
          label: token => text.revoke(nameOf(token)),
          title: token => text.revokeTitle(nameOf(token)),
          ends: <p>{text.revokeEnds}</p>,
          submit: text.revokeSubmit,
          remove,
        }}
      />
      {isOpen && create && (
        <CreateToken
          onClose={() => setOpen(false)}
          create={async attributes => {
            const made = await create(attributes);
            await changed();
            setSecret(made.attributes.token ?? null);
          }}
        />
      )}
      {secret && <SecretOnce secret={secret} onStored={() => setSecret(null)} />}
    </div>
  );
}

function isExpired({ attributes }: Token): boolean {
  const at = attributes['expired-at'];
  return at !== null && Date.parse(at) < Date.now();
}

const columns: Column<Token>[] = [
  {
    title: text.description,
    cell: token => (
      <span className="line wrap">
        <span className="strong anywhere">
          {token.attributes.description || <span className="mono">{token.id}</span>}
        </span>
        {isExpired(token) && (
          <span className="badge" data-group="errored">
            {text.expired}
          </span>
        )}
      </span>
    ),
  },
  {
    title: text.made,
    width: 'eighth',
    isExtra: true,
    cell: ({ attributes }) => <Time at={attributes['created-at']} />,
  },
  {
    title: text.lastUsed,
    width: 'eighth',
    cell: ({ attributes: { 'last-used-at': at } }) => (at ? <Time at={at} /> : text.neverUsed),
  },
  {
    title: text.expires,
    width: 'eighth',
    cell: ({ attributes: { 'expired-at': at } }) => (at ? <Time at={at} /> : text.never),
  },
];

const lifetimes_days = [30, 90, 365, 730];
const day_ms = 86_400_000;

export function CreateToken({
  create,
  onClose,
}: {
  create: (attributes: GivenToken) => Promise<void>;
  onClose: () => void;
}) {
  const [description, setDescription] = useState('');
  const [days, setDays] = useState('90');
  const [faults, setFaults] = useState<Record<string, string>>({});
  const submit = async () => {
    try {
      const expires = days === 'never' ? null : new Date(Date.now() + Number(days) * day_ms).toISOString();
      await create({ description, 'expired-at': expires });
      onClose();
    } catch (caught) {
      setFaults(faultsByField(caught));
      throw caught;
    }
  };
  return (
    <Dialog title={text.createTitle} opened onClose={onClose} submit={text.submit} onSubmit={submit}>
      <TextInput
        label={text.description}
        description={text.descriptionHint}
        data-autofocus
        maxLength={255}
        value={description}
        error={faults['description']}
        onChange={event => setDescription(event.currentTarget.value)}
      />
      <Select
        label={text.expires}
        value={days}
        error={faults['expired-at']}
        data={[
          ...lifetimes_days.map(count => ({ value: String(count), label: text.days(count) })),
          { value: 'never', label: text.never },
        ]}
        onChange={value => value && setDays(value)}
      />
    </Dialog>
  );
}
