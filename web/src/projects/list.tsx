/** /<org>/projects: workspaces by what belongs together. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { cache } from '../api/cache.ts';
import { answer, api, documentOf, type New } from '../api/client.ts';
import { organizationQuery } from '../organizations/organizations.ts';
import { paths } from '../paths.ts';
import { number } from '../texts/common.ts';
import { projects as text } from '../texts/projects.ts';
import { CreateDialog } from '../ui/create-dialog.tsx';
import { useListAddress } from '../ui/list-address.ts';
import { ListScreen } from '../ui/list-screen.tsx';

const projectsPageQuery = (organization: string, q: string, page: number) => ({
  queryKey: ['projects', organization, 'page', q, page],
  placeholderData: keepPreviousData,
  queryFn: () =>
    answer(
      api.GET('/organizations/{organization_name}/projects', {
        params: {
          path: { organization_name: organization },
          query: { q, sort: 'name' as const, 'page[number]': page, 'page[size]': 50 },
        },
      }),
    ),
});

export function ProjectsScreen() {
  const { organization } = useParams({ strict: false }) as { organization: string };
  const address = useListAddress();
  const [isOpen, setOpen] = useState(false);
  const { data: found } = useQuery(organizationQuery(organization));
  const mayCreate = found?.data.attributes.permissions['can-create-project'] ?? true;
  return (
    <>
      <ListScreen
        title={text.title}
        caption={text.caption(organization)}
        find={text.find}
        address={address}
        expected={10}
        query={useQuery(projectsPageQuery(organization, address.q, address.page))}
        none={{ title: text.none, detail: text.noneDetail }}
        href={({ id }) => paths.project(organization, id)}
        add={{
          label: text.create,
          allowed: mayCreate,
          missing: {
            act: 'create a project',
            permission: 'can-create-project',
            organization,
            wish: { type: 'organizations', id: organization, action: 'create-project' },
          },
          onClick: () => setOpen(true),
        }}
        columns={[
          {
            title: text.name,
            cell: ({ id, attributes }) => (
              <Link className="name" to={paths.project(organization, id)}>
                {attributes.name}
              </Link>
            ),
          },
          {
            title: text.description,
            isExtra: true,
            cell: ({ attributes }) => <span className="muted">{attributes.description}</span>,
          },
          {
            title: text.workspaces,
            width: 'eighth',
            isNumber: true,
            cell: ({ attributes }) => number(attributes['workspace-count']),
          },
          {
            title: text.teams,
            width: 'eighth',
            isNumber: true,
            isExtra: true,
            cell: ({ attributes }) => number(attributes['team-count']),
          },
        ]}
      />
      {isOpen && mayCreate && <NewProject organization={organization} onClose={() => setOpen(false)} />}
    </>
  );
}

function NewProject({ organization, onClose }: { organization: string; onClose: () => void }) {
  const navigate = useNavigate();
  const create = async (attributes: New<'projects'>) => {
    const made = await answer(
      api.POST('/organizations/{organization_name}/projects', {
        params: { path: { organization_name: organization } },
        body: documentOf('projects', attributes),
      }),
    );
    await cache.invalidateQueries({ queryKey: ['projects'] });
    await navigate({ to: paths.project(organization, made.data.id) });
  };
  return (
    <CreateDialog
      title={text.create}
      submit={text.createSubmit}
      onClose={onClose}
      create={create}
      fields={[
        { key: 'name', label: text.name, hint: text.nameHint, kind: 'text' },
        { key: 'description', label: text.description, kind: 'lines', isNullable: true },
      ]}
    />
  );
}
