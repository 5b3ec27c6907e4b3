/** /~/settings/organizations: where one belongs, and who invites. An invitation gives nothing until it is accepted. */
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { cache } from '../api/cache.ts';
import { answer, api } from '../api/client.ts';
import { paths } from '../paths.ts';
import { account, memberships as text } from '../texts/account.ts';
import { RecordList } from '../ui/record-list.tsx';
import type { Column } from '../ui/rows.tsx';
import { tell, tellFailure } from '../ui/tell.tsx';
import { Time } from '../ui/time.tsx';
import { isInvitation, type Membership, organizationOf, ownMembershipsQuery } from './own-memberships.ts';

const at = ({ id }: Membership) => ({ params: { path: { organization_membership_id: id } } });

const changed = () =>
  Promise.all([
    cache.invalidateQueries({ queryKey: ['account'] }),
    cache.invalidateQueries({ queryKey: ['organizations'] }),
  ]);

async function accept(membership: Membership): Promise<void> {
  await answer(api.POST('/organization-memberships/{organization_membership_id}/actions/accept', at(membership)));
  await changed();
  tell(text.accepted(organizationOf(membership)));
}

async function leave(membership: Membership): Promise<void> {
  await answer(api.DELETE('/organization-memberships/{organization_membership_id}', at(membership)));
  await changed();
}

const answerColumn: Column<Membership> = {
  title: text.answer,
  width: 'quarter',
  cell: membership => isInvitation(membership) && <Accept membership={membership} />,
};

export function Memberships() {
  const query = useQuery(ownMembershipsQuery);
  return (
    <RecordList
      title={account.pages.organizations}
      query={query}
      none={{ title: text.none, detail: text.noneDetail }}
      columns={[
        { title: text.organization, cell: membership => <Name membership={membership} /> },
        {
          title: text.since,
          width: 'eighth',
          cell: ({ attributes }) => <Time at={attributes['created-at']} />,
        },
        ...(query.data?.some(isInvitation) ? [answerColumn] : []),
      ]}
      removal={{
        label: membership => text.leave(organizationOf(membership)),
        title: membership => text.leaveTitle(organizationOf(membership)),
        ends: <p>{text.leaveEnds}</p>,
        submit: text.leaveSubmit,
        remove: leave,
      }}
    />
  );
}

function Name({ membership }: { membership: Membership }) {
  const name = organizationOf(membership);
  if (isInvitation(membership))
    return (
      <span className="line wrap">
        <span className="strong">{name}</span>
        <span className="badge" data-group="hold">
          {text.invited}
        </span>
      </span>
    );
  return (
    <>
      <Link className="link" to={paths.workspaces(name)}>
        {name}
      </Link>
      {membership.attributes['is-org-two-factor-required'] && <p className="muted small">{text.needsFactor}</p>}
    </>
  );
}

function Accept({ membership }: { membership: Membership }) {
  return (
    <Button
      size="xs"
      variant="filled"
      aria-label={text.accept(organizationOf(membership))}
      onClick={() => void accept(membership).catch(tellFailure)}
    >
      {text.acceptShort}
    </Button>
  );
}
