/** /<org>/members: who belongs to it, who is invited, and in which teams they are. */
import { ActionIcon, MultiSelect, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { answer, api } from '../api/client.ts';
import { included } from '../api/documents.ts';
import { faultsByField } from '../api/failure.ts';
import { organizationQuery } from '../organizations/organizations.ts';
import { paths } from '../paths.ts';
import { useAccount } from '../session/account.ts';
import { teamsQuery } from '../teams/teams.ts';
import { members as text } from '../texts/people.ts';
import { Act } from '../ui/act.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Icon } from '../ui/icon.tsx';
import { Loaded, Skeleton } from '../ui/loaded.tsx';
import { Pager } from '../ui/pager.tsx';
import { Avatar, Empty, PageHead } from '../ui/parts.tsx';
import { Time } from '../ui/time.tsx';
import { type Membership, type MembershipList, membersChanged, membershipsQuery } from './members.ts';

type Search = { q?: string; status?: string; page?: number };
const statuses = [undefined, 'active', 'invited'] as const;

export function MembersScreen() {
  const { organization } = useParams({ strict: false }) as { organization: string };
  const { status, page = 1 } = useSearch({ strict: false }) as Search;
  const [typed, setTyped] = useState('');
  const [q] = useDebouncedValue(typed, 200);
  const [isOpen, setOpen] = useState(false);
  const [leaving, setLeaving] = useState<Membership | null>(null);
  const navigate = useNavigate();
  const query = useQuery(membershipsQuery(organization, { q, ...(status && { status }), page: Number(page) }));
  const { data: found } = useQuery(organizationQuery(organization));
  const mayManage = found?.data.attributes.permissions['can-manage-users'] ?? true;
  const go = (search: Search) =>
    void navigate({ to: paths.members(organization), search: search as never, replace: true });
  const remove = async (membership: Membership) => {
    await answer(
      api.DELETE('/organization-memberships/{organization_membership_id}', {
        params: { path: { organization_membership_id: membership.id } },
      }),
    );
    await membersChanged();
    setLeaving(null);
  };
  return (
    <>
      <PageHead title={text.title}>
        <TextInput
          aria-label={text.find}
          placeholder={text.find}
          value={typed}
          onChange={event => setTyped(event.currentTarget.value)}
        />
        <Act
          variant="filled"
          allowed={mayManage}
          icon="plus"
          missing={{
            act: 'invite somebody',
            permission: 'can-manage-users',
            organization,
            wish: { type: 'organizations', id: organization, action: 'manage-memberships' },
          }}
          onClick={() => setOpen(true)}
        >
          {text.invite}
        </Act>
      </PageHead>
      <fieldset className="pills bottom-space" aria-label={text.title}>
        {statuses.map(name => (
          <button
            key={name ?? 'all'}
            type="button"
            className="pill"
            aria-pressed={status === name}
            onClick={() => go(name ? { status: name } : {})}
          >
            {name ? text[name] : text.all}
          </button>
        ))}
      </fieldset>
      <Loaded query={query} skeleton={<Skeleton rows={8} />}>
        {list => (
          <div className="card">
            {list.data.length === 0 && <Empty title={text.none} />}
            {list.data.map(membership => (
              <Row
                key={membership.id}
                organization={organization}
                list={list}
                membership={membership}
                {...(mayManage && { onRemove: () => setLeaving(membership) })}
              />
            ))}
            {list.meta.pagination && (
              <Pager pagination={list.meta.pagination} onPage={to => go({ ...(status && { status }), page: to })} />
            )}
          </div>
        )}
      </Loaded>
      {isOpen && mayManage && <Invite organization={organization} onClose={() => setOpen(false)} />}
      {leaving && (
        <Dialog
          danger
          opened
          title={text.removeTitle(leaving.attributes.email)}
          submit={text.removeSubmit}
          onClose={() => setLeaving(null)}
          onSubmit={() => remove(leaving)}
        >
          <p>{text.removeEnds(leaving.relationships.teams.data?.length ?? 0)}</p>
        </Dialog>
      )}
    </>
  );
}

interface RowProps {
  organization: string;
  list: MembershipList;
  membership: Membership;
  onRemove?: () => void;
}

function Row({ organization, list, membership, onRemove }: RowProps) {
  const me = useAccount().data?.data.id;
  const { attributes, relationships } = membership;
  const user = included(list, relationships.user, 'users');
  const teams = (relationships.teams.data ?? []).flatMap(link => included(list, { data: link }, 'teams') ?? []);
  const name = user?.attributes.username ?? attributes.email;
  return (
    <div className="card-row line wrap">
      <Avatar name={name} id={user?.id ?? membership.id} />
      <span className="strong">{name}</span>
      {user?.id === me && <span className="badge">{text.you}</span>}
      {attributes.status === 'invited' && (
        <span className="badge" data-group="hold">
          {text.invited}
        </span>
      )}
      <span className="muted cut grow">{attributes.email}</span>
      <span className="tags wrap">
        {teams.map(team => (
          <Link key={team.id} className="tag" to={paths.team(organization, team.id)}>
            {team.attributes.name}
          </Link>
        ))}
      </span>
      <span className="faint small only-wide">
        {text.joined} <Time at={attributes['created-at']} />
      </span>
      {onRemove && (
        <ActionIcon variant="subtle" aria-label={text.remove(name)} onClick={onRemove}>
          <Icon name="trash" />
        </ActionIcon>
      )}
    </div>
  );
}

function Invite({ organization, onClose }: { organization: string; onClose: () => void }) {
  const [email, setEmail] = useState('');
  const [chosen, setChosen] = useState<string[]>([]);
  const [faults, setFaults] = useState<Record<string, string>>({});
  const teams = useQuery(teamsQuery(organization));
  const invite = async () => {
    try {
      await answer(
        api.POST('/organizations/{organization_name}/organization-memberships', {
          params: { path: { organization_name: organization } },
          body: {
            data: {
              type: 'organization-memberships',
              attributes: { email },
              ...(chosen.length > 0 && {
                relationships: { teams: { data: chosen.map(id => ({ type: 'teams', id })) } },
              }),
            },
          } as never,
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
