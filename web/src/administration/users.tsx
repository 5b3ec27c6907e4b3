/** /~/admin/users: the accounts of this server, and how their people come in. */
import { TextInput } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { cache } from '../api/cache.ts';
import { answer, api, documentOf, type New, type Resource } from '../api/client.ts';
import { account, administration as text } from '../texts/account.ts';
import { CreateDialog } from '../ui/create-dialog.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { useListAddress } from '../ui/list-address.ts';
import { Avatar } from '../ui/parts.tsx';
import { RecordList } from '../ui/record-list.tsx';
import type { RowAct } from '../ui/row-acts.tsx';
import type { Column } from '../ui/rows.tsx';
import { tell, tellFailure } from '../ui/tell.tsx';
import { PasswordLink } from './password-link.tsx';

type User = Resource<'users'>;

const nameOf = ({ attributes }: User) => attributes.username ?? attributes.email ?? '';
const at = ({ id }: User) => ({ params: { path: { user_id: id } } });
const changed = () => cache.invalidateQueries({ queryKey: ['admin', 'users'] });

const usersQuery = (q: string, page: number) => ({
  queryKey: ['admin', 'users', q, page],
  placeholderData: keepPreviousData,
  queryFn: () => answer(api.GET('/admin/users', { params: { query: { q, 'page[number]': page, 'page[size]': 50 } } })),
});

const linkFor = async (user: User) =>
  (await answer(api.POST('/admin/users/{user_id}/password-links', at(user)))).data.attributes;

async function endSessions(user: User): Promise<void> {
  await answer(api.DELETE('/admin/users/{user_id}/sessions', at(user)));
  tell(text.sessionsEnded(nameOf(user)));
}

const columns: Column<User>[] = [
  {
    title: account.username,
    cell: user => (
      <span className="line wrap">
        <Avatar name={nameOf(user)} id={user.id} />
        <span className="strong">{nameOf(user)}</span>
        {user.attributes['is-admin'] && <span className="badge">{text.administrator}</span>}
      </span>
    ),
  },
  {
    title: account.email,
    cell: ({ attributes }) => <span className="muted">{attributes.email}</span>,
  },
];

export function Users() {
  const address = useListAddress();
  const [isOpen, setOpen] = useState(false);
  const [link, setLink] = useState<Awaited<ReturnType<typeof linkFor>> | null>(null);
  const [asked, setAsked] = useState<{ user: User; ends: Ending } | null>(null);
  const create = async (attributes: New<'users'>) => {
    const made = await answer(api.POST('/admin/users', { body: documentOf('users', attributes) }));
    await changed();
    // A new account has no password: the next thing that anybody needs is a way to one.
    setLink(await linkFor(made.data));
  };
  const acts = (user: User): RowAct[] => [
    { label: text.link, icon: 'link', onClick: () => void linkFor(user).then(setLink, tellFailure) },
    { label: text.endSessions, icon: 'signout', onClick: () => void endSessions(user).catch(tellFailure) },
    { label: text.unlink, icon: 'shield', onClick: () => setAsked({ user, ends: 'singleSignOn' }) },
    ...(user.attributes['two-factor']?.enabled
      ? [{ label: text.factorOff, icon: 'device' as const, onClick: () => setAsked({ user, ends: 'factor' }) }]
      : []),
  ];
  return (
    <>
      <TextInput
        aria-label={text.usersFind}
        placeholder={text.usersFind}
        value={address.typed}
        onChange={event => address.onType(event.currentTarget.value)}
      />
      <RecordList
        title={text.pages.users}
        query={useQuery(usersQuery(address.q, address.page))}
        none={{ title: text.usersNone, onShowAll: address.onShowAll }}
        onPage={address.onPage}
        add={{ label: text.usersAdd, onClick: () => setOpen(true) }}
        columns={columns}
        nameOf={nameOf}
        acts={acts}
        removal={{
          label: user => text.remove(nameOf(user)),
          title: user => text.removeTitle(nameOf(user)),
          ends: <p>{text.removeDetail}</p>,
          submit: text.removeSubmit,
          remove: user => answer(api.DELETE('/admin/users/{user_id}', at(user))).then(changed),
        }}
      />
      {isOpen && (
        <CreateDialog
          title={text.usersSubmit}
          submit={text.usersSubmit}
          onClose={() => setOpen(false)}
          fields={[
            { key: 'username', label: account.username, kind: 'text' },
            { key: 'email', label: account.email, kind: 'text' },
            { key: 'is-admin', label: text.isAdministrator, kind: 'switch' },
          ]}
          create={create}
        />
      )}
      {link && <PasswordLink link={link} onStored={() => setLink(null)} />}
      {asked && <End {...asked} onClose={() => setAsked(null)} />}
    </>
  );
}

const endings = {
  /** Where the app is lost, and the codes on paper too. */
  factor: (user: User) => answer(api.POST('/admin/users/{user_id}/actions/disable_two_factor', at(user))),
  /** Where a person was made anew at the provider. */
  singleSignOn: (user: User) => answer(api.POST('/admin/users/{user_id}/actions/unlink_single_sign_on', at(user))),
};
type Ending = keyof typeof endings;

function End({ user, ends, onClose }: { user: User; ends: Ending; onClose: () => void }) {
  const words = text.endings[ends];
  const submit = async () => {
    await endings[ends](user);
    await changed();
    onClose();
  };
  return (
    <Dialog danger opened title={words.title(nameOf(user))} submit={words.submit} onClose={onClose} onSubmit={submit}>
      <p>{words.ends}</p>
    </Dialog>
  );
}
