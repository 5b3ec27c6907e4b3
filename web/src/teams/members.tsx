/** …/teams/<id>/members: who is in it. */
import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { answer, api, type Resource } from '../api/client.ts';
import { membershipsQuery } from '../members/members.ts';
import { teams as text } from '../texts/teams.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Avatar } from '../ui/parts.tsx';
import { RecordList } from '../ui/record-list.tsx';
import { useTeam } from './layout.tsx';
import { type TeamDocument, teamQuery, teamsChanged } from './teams.ts';

type Person = Resource<'users'>;

/** Who was invited and has not come yet is only an address. */
const nameOf = ({ attributes }: Person) => attributes.username ?? attributes.email ?? '';

const peopleOf = ({ included = [] }: TeamDocument) => included.filter(record => record.type === 'users') as Person[];

export function TeamMembersScreen() {
  const { organization, id, query } = useTeam();
  const people = useQuery({ ...teamQuery(id), select: peopleOf });
  const [isOpen, setOpen] = useState(false);
  const mayChange = query.data?.data.attributes.permissions['can-update-membership'] ?? false;
  const remove = async (person: Person) => {
    await answer(
      api.DELETE('/teams/{team_id}/relationships/users', {
        params: { path: { team_id: id } },
        body: { data: [{ type: 'users', id: person.id }] },
      }),
    );
    await teamsChanged();
  };
  return (
    <>
      <RecordList
        title={text.tabs.members}
        query={people}
        none={{ title: text.noMembers }}
        add={mayChange && { label: text.addMember, onClick: () => setOpen(true) }}
        columns={[
          {
            title: text.person,
            cell: person => (
              <span className="line">
                <Avatar name={nameOf(person)} id={person.id} />
                <span className="strong">{nameOf(person)}</span>
              </span>
            ),
          },
        ]}
        removal={
          mayChange && {
            label: person => text.removeMember(nameOf(person)),
            title: person => `${text.removeMember(nameOf(person))}?`,
            ends: <p>{text.removeEnds}</p>,
            submit: text.removeMemberSubmit,
            remove,
          }
        }
      />
      {isOpen && (
        <AddMember
          organization={organization}
          id={id}
          have={(people.data ?? []).map(person => person.id)}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}

interface AddProps {
  organization: string;
  id: string;
  have: string[];
  onClose: () => void;
}

function AddMember({ organization, id, have, onClose }: AddProps) {
  const [membership, setMembership] = useState<string | null>(null);
  const { data } = useQuery(membershipsQuery(organization));
  const options = (data?.data ?? [])
    .filter(({ relationships }) => !have.includes(relationships.user.data?.id ?? ''))
    .map(({ id: value, attributes }) => ({ value, label: attributes.email }));
  const add = async () => {
    if (!membership) return;
    await answer(
      api.POST('/teams/{team_id}/relationships/organization-memberships', {
        params: { path: { team_id: id } },
        body: { data: [{ type: 'organization-memberships', id: membership }] },
      }),
    );
    await teamsChanged();
    onClose();
  };
  return (
    <Dialog
      title={text.addMemberSubmit}
      opened
      onClose={onClose}
      submit={text.addMemberSubmit}
      submitDisabled={!membership}
      onSubmit={add}
    >
      <Select
        label={text.person}
        searchable
        data-autofocus
        limit={50}
        data={options}
        value={membership}
        onChange={setMembership}
      />
    </Dialog>
  );
}
