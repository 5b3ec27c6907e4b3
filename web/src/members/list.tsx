/** /<org>/members: who belongs to it, who is invited, and in which teams they are. */
import { MultiSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { answer, api } from '../api/client.ts';
import { included } from '../api/documents.ts';
import { faultsByField } from '../api/failure.ts';
import { organizationQuery } from '../organizations/organizations.ts';
import { paths } from '../paths.ts';
import { useAccount } from '../session/account.ts';
import { teamsQuery } from '../teams/teams.ts';
import { members as text } from '../texts/people.ts';
import { Dialog } from '../ui/dialog.tsx';
import { useListAddress } from '../ui/list-address.ts';
import { ListScreen } from '../ui/list-screen.tsx';
import { Avatar } from '../ui/parts.tsx';
import type { Column } from '../ui/rows.tsx';
import { Time } from '../ui/time.tsx';
import { type Membership, type MembershipList, membersChanged, membershipsQuery } from './members.ts';

const statuses = [undefined, 'active', 'invited'] as const;

async function remove({ id }: Membership): Promise<void> {
  await answer(
    api.DELETE('/organization-memberships/{organization_membership_id}', {
      params: { path: { organization_membership_id: id } },
    }),
  );
  await membersChanged();
}

export function MembersScreen() {
  const { organization } = useParams({ strict: false }) as { organization: string };
  const address = useListAddress();
  const [isOpen, setOpen] = useState(false);
  const query = useQuery(membershipsQuery(organization, address));
  const { data: found } = useQuery(organizationQuery(organization));
  const me = useAccount().data?.data.id;
  const mayManage = found?.data.attributes.permissions['can-manage-users'] ?? true;
  return (
    <>
      <ListScreen<Membership>
        title={text.title}
        caption={text.caption(organization)}
        find={text.find}
        address={address}
        expected={8}
        query={query}
        none={{ title: text.none }}
        add={{
          label: text.invite,
          allowed: mayManage,
          missing: {
            act: 'invite somebody',
            permission: 'can-manage-users',
            organization,
            wish: { type: 'organizations', id: organization, action: 'manage-memberships' },
          },
          onClick: () => setOpen(true),
        }}
        columns={columnsOf(organization, query.data, me)}
        removal={
          mayManage && {
            label: membership => text.remove(nameOf(query.data, membership)),
            title: membership => text.removeTitle(membership.attributes.email),
            ends: membership => <p>{text.removeEnds(membership.relationships.teams.data?.length ?? 0)}</p>,
            submit: text.removeSubmit,
            remove,
          }
        }
      >
        <fieldset className="pills bottom-space" aria-label={text.title}>
          {statuses.map(name => (
            <button
              key={name ?? 'all'}
              type="button"
              className="pill"
              aria-pressed={address.status === name}
              onClick={() => address.onStatus(name)}
            >
              {name ? text[name] : text.all}
            </button>
          ))}
        </fieldset>
      </ListScreen>
      {isOpen && mayManage && <Invite organization={organization} onClose={() => setOpen(false)} />}
    </>
  );
}

function nameOf(list: MembershipList | undefined, { attributes, relationships }: Membership): string {
  const user = list && included(list, relationships.user, 'users');
  return user?.attributes.username ?? attributes.email;
}

const columnsOf = (
  organization: string,
  list: MembershipList | undefined,
  me: string | undefined,
): Column<Membership>[] => [
  {
    title: text.person,
    cell: membership => {
      const userId = membership.relationships.user.data?.id;
      const name = nameOf(list, membership);
      return (
        <span className="line wrap">
          <Avatar name={name} id={userId ?? membership.id} />
          <span className="strong">{name}</span>
          {userId === me && <span className="badge">{text.you}</span>}
          {membership.attributes.status === 'invited' && (
            <span className="badge" data-group="hold">
              {text.invited}
            </span>
          )}
        </span>
      );
    },
  },
  {
    title: text.email,
    width: 'third',
    cell: ({ attributes }) => <span className="muted">{attributes.email}</span>,
  },
  {
    title: text.teams,
    width: 'quarter',
    cell: ({ relationships }) => (
      <span className="tags wrap">
        {(relationships.teams.data ?? [])
          .flatMap(link => (list && included(list, { data: link }, 'teams')) ?? [])
          .map(({ id, attributes }) => (
            <Link key={id} className="tag" to={paths.team(organization, id)}>
              {attributes.name}
            </Link>
          ))}
      </span>
    ),
  },
  {
    title: text.joined,
    width: 'eighth',
    isExtra: true,
    cell: ({ attributes }) => (
      <span className="faint">
        <Time at={attributes['created-at']} />
      </span>
    ),
  },
];

function Invite({ organization, onClose }: { organization: string; onClose: () => void }) {
  const [email, setEmail] = useState('');
  const [chosen, setChosen] = useState<string[]>([]);
  const [faults, setFaults] = useState<Record<string, string>>({});
  const teams = useQuery(teamsQuery(organization));
  const invite = async () => {
    const relationships = { teams: { data: chosen.map(id => ({ type: 'teams' as const, id })) } };
    try {
      await answer(
        api.POST('/organizations/{organization_name}/organization-memberships', {
          params: { path: { organization_name: organization } },
          body: {
            data: {
              type: 'organization-memberships',
              attributes: { email },
              ...(chosen.length > 0 && { relationships }),
            },
          },
        }),
      );
      await membersChanged();
      onClose();
    } catch (caught) {
      setFaults(faultsByField(caught));
      throw caught;
    }
  };
  return (
    <Dialog
      title={text.inviteTitle}
      opened
      onClose={onClose}
      submit={text.inviteSubmit}
      submitDisabled={email === ''}
      onSubmit={invite}
    >
      <p className="muted">{text.inviteDetail}</p>
      <TextInput
        label={text.email}
        type="email"
        data-autofocus
        value={email}
        error={faults['email']}
        onChange={event => setEmail(event.currentTarget.value)}
      />
      <MultiSelect
        label={text.teams}
        description={text.teamsHint}
        searchable
        limit={50}
        data={(teams.data ?? []).map(({ id, attributes }) => ({ value: id, label: attributes.name }))}
        value={chosen}
        error={faults['teams']}
        onChange={setChosen}
      />
    </Dialog>
  );
}
