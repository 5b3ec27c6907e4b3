/** /<org>/teams: who may do what, team by team. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { cache } from '../api/cache.ts';
import { answer, api, documentOf, type New } from '../api/client.ts';
import { organizationQuery } from '../organizations/organizations.ts';
import { paths } from '../paths.ts';
import { teams as text } from '../texts/teams.ts';
import { CreateDialog } from '../ui/create-dialog.tsx';
import { useListAddress } from '../ui/list-address.ts';
import { ListScreen } from '../ui/list-screen.tsx';
import { Avatar } from '../ui/parts.tsx';

const teamsPageQuery = (organization: string, q: string, page: number) => ({
  queryKey: ['teams', organization, 'page', q, page],
  placeholderData: keepPreviousData,
  queryFn: () =>
    answer(
      api.GET('/organizations/{organization_name}/teams', {
        params: { path: { organization_name: organization }, query: { q, 'page[number]': page, 'page[size]': 50 } },
      }),
    ),
});

export function TeamsScreen() {
  const { organization } = useParams({ strict: false }) as { organization: string };
  const address = useListAddress();
  const [isOpen, setOpen] = useState(false);
  const { data: found } = useQuery(organizationQuery(organization));
  const mayCreate = found?.data.attributes.permissions['can-create-team'] ?? true;
  return (
    <>
      <ListScreen
        title={text.title}
        caption={text.caption(organization)}
        find={text.find}
        address={address}
        expected={10}
        query={useQuery(teamsPageQuery(organization, address.q, address.page))}
        none={{ title: text.none, detail: text.noneDetail }}
        href={({ id }) => paths.team(organization, id)}
        add={{
          label: text.create,
          allowed: mayCreate,
          missing: {
            act: 'create a team',
            permission: 'can-create-team',
            organization,
            wish: { type: 'organizations', id: organization, action: 'create-team' },
          },
          onClick: () => setOpen(true),
        }}
        columns={[
          {
            title: text.name,
            cell: ({ id, attributes }) => (
              <Link className="name line" to={paths.team(organization, id)}>
                <Avatar name={attributes.name} id={id} />
                {attributes.name}
              </Link>
            ),
          },
          {
            title: text.visibility,
            width: 'quarter',
            isExtra: true,
            cell: ({ attributes }) => (attributes.visibility === 'secret' ? text.secret : text.visible),
          },
          { title: text.members, width: 'quarter', cell: ({ attributes }) => text.count(attributes['users-count']) },
        ]}
      />
      {isOpen && mayCreate && <NewTeam organization={organization} onClose={() => setOpen(false)} />}
    </>
  );
}

function NewTeam({ organization, onClose }: { organization: string; onClose: () => void }) {
  const navigate = useNavigate();
  const create = async (attributes: New<'teams'>) => {
    const made = await answer(
      api.POST('/organizations/{organization_name}/teams', {
        params: { path: { organization_name: organization } },
        body: documentOf('teams', attributes),
      }),
    );
    await cache.invalidateQueries({ queryKey: ['teams'] });
    await navigate({ to: paths.team(organization, made.data.id) });
  };
  return (
    <CreateDialog
      title={text.create}
      submit={text.createSubmit}
      initial={{ visibility: 'secret' }}
      onClose={onClose}
      create={create}
      fields={[
        { key: 'name', label: text.name, hint: text.nameHint, kind: 'text' },
        {
          key: 'visibility',
          label: text.visibility,
          hint: text.visibilityHints.secret,
          kind: 'choice',
          options: [
            { value: 'secret', label: text.secret },
            { value: 'organization', label: text.visible },
          ],
        },
      ]}
    />
  );
}
