/** /~/admin/users: the accounts of this server, and how their people come in. */
import { ActionIcon, Menu, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { cache } from '../api/cache.ts';
import { answer, api, type Resource } from '../api/client.ts';
import { account, administration as text } from '../texts/account.ts';
import { CreateDialog } from '../ui/create-dialog.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Icon } from '../ui/icon.tsx';
import { Avatar } from '../ui/parts.tsx';
import { RecordList } from '../ui/record-list.tsx';
import { tellFailure } from '../ui/tell.tsx';
import { PasswordLink } from './password-link.tsx';

type User = Resource<'users'>;

const most = 100;
const nameOf = ({ attributes }: User) => attributes.username ?? attributes.email ?? '';
const at = ({ id }: User) => ({ params: { path: { user_id: id } } });
const changed = () => cache.invalidateQueries({ queryKey: ['admin', 'users'] });

const usersQuery = (q: string) => ({
  queryKey: ['admin', 'users', q],
  placeholderData: keepPreviousData,
  queryFn: async () => (await answer(api.GET('/admin/users', { params: { query: { q, 'page[size]': most } } }))).data,
});

const linkFor = async (user: User) =>
  (await answer(api.POST('/admin/users/{user_id}/password-links', at(user)))).data.attributes;

export function Users() {
  const [typed, setTyped] = useState('');
  const [q] = useDebouncedValue(typed, 200);
  const [isOpen, setOpen] = useState(false);
  const [link, setLink] = useState<Awaited<ReturnType<typeof linkFor>> | null>(null);
  const [losing, setLosing] = useState<User | null>(null);
  const query = useQuery(usersQuery(q));
  const create = async (attributes: object) => {
    const made = await answer(api.POST('/admin/users', { body: { data: { type: 'users', attributes } } as never }));
    await changed();
    // A new account has no password: the next thing that anybody needs is a way to one.
    setLink(await linkFor(made.data));
  };
  return (
    <>
      <TextInput
        aria-label={text.usersFind}
        placeholder={text.usersFind}
        value={typed}
        onChange={event => setTyped(event.currentTarget.value)}
      />
      <RecordList
        title={text.pages.users}
        query={query}
        none={text.usersNone}
        add={{ label: text.usersAdd, onClick: () => setOpen(true) }}
        row={user => (
          <>
            <Avatar name={nameOf(user)} id={user.id} />
            <span className="strong">{nameOf(user)}</span>
            {user.attributes['is-admin'] && <span className="badge">{text.administrator}</span>}
            <span className="muted grow cut">{user.attributes.email}</span>
            <UserMenu
              user={user}
              onLink={() => void linkFor(user).then(setLink, tellFailure)}
              onFactor={() => setLosing(user)}
            />
          </>
        )}
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
          title={text.usersAdd.replace('…', '')}
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
      {losing && <FactorOff user={losing} onClose={() => setLosing(null)} />}
    </>
  );
}

function UserMenu({ user, onLink, onFactor }: { user: User; onLink: () => void; onFactor: () => void }) {
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon variant="subtle" aria-label={text.actionsFor(nameOf(user))}>
          <Icon name="more" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<Icon name="link" />} onClick={onLink}>
          {text.link}
        </Menu.Item>
        {user.attributes['two-factor']?.enabled && (
          <Menu.Item leftSection={<Icon name="device" />} onClick={onFactor}>
            {text.factorOff}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

/** Where the app is lost, and the codes on paper too. */
function FactorOff({ user, onClose }: { user: User; onClose: () => void }) {
  const submit = async () => {
    await answer(api.POST('/admin/users/{user_id}/actions/disable_two_factor', at(user)));
    await changed();
    onClose();
  };
  return (
    <Dialog
      danger
      opened
      title={text.factorOffTitle(nameOf(user))}
      submit={text.factorOffSubmit}
      onClose={onClose}
      onSubmit={submit}
    >
      <p>{text.factorOffEnds}</p>
    </Dialog>
  );
}
