/** /<org>/variable-sets: the same variables for many workspaces. */
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { answer, api, documentOf, type New } from '../api/client.ts';
import { everyPage } from '../api/documents.ts';
import { organizationQuery } from '../organizations/organizations.ts';
import { paths } from '../paths.ts';
import { sets as text } from '../texts/account.ts';
import { CreateDialog } from '../ui/create-dialog.tsx';
import { useListAddress } from '../ui/list-address.ts';
import { ListScreen } from '../ui/list-screen.tsx';
import { changed } from './sets.ts';

const setsQuery = (organization: string) => ({
  queryKey: ['variable-sets', organization],
  queryFn: () =>
    everyPage(page =>
      answer(
        api.GET('/organizations/{organization_name}/varsets', {
          params: { path: { organization_name: organization }, query: { 'page[number]': page, 'page[size]': 100 } },
        }),
      ),
    ),
});

export function VariableSetsScreen() {
  const { organization } = useParams({ strict: false }) as { organization: string };
  const [isOpen, setOpen] = useState(false);
  const { data: found } = useQuery(organizationQuery(organization));
  const mayChange = found?.data.attributes.permissions['can-update'] ?? false;
  const navigate = useNavigate();
  const address = useListAddress();
  const create = async (attributes: New<'varsets'>) => {
    const made = await answer(
      api.POST('/organizations/{organization_name}/varsets', {
        params: { path: { organization_name: organization } },
        body: documentOf('varsets', attributes),
      }),
    );
    await changed();
    await navigate({ to: paths.variableSet(organization, made.data.id) });
  };
  return (
    <>
      <ListScreen
        title={text.title}
        caption={text.caption(organization)}
        address={address}
        query={useQuery(setsQuery(organization))}
        none={{ title: text.none, detail: text.noneDetail }}
        href={({ id }) => paths.variableSet(organization, id)}
        add={{
          label: text.create,
          allowed: mayChange,
          missing: {
            act: 'create a variable set',
            permission: 'can-update',
            organization,
            wish: { type: 'organizations', id: organization, action: 'manage-variable-sets' },
          },
          onClick: () => setOpen(true),
        }}
        columns={[
          {
            title: text.name,
            cell: ({ id, attributes }) => (
              <span className="line wrap">
                <Link className="name" to={paths.variableSet(organization, id)}>
                  {attributes.name}
                </Link>
                {attributes.priority && <span className="badge">{text.priorityBadge}</span>}
              </span>
            ),
          },
          {
            title: text.description,
            isExtra: true,
            cell: ({ attributes }) => <span className="muted">{attributes.description}</span>,
          },
          {
            title: text.variablesTitle,
            width: 'eighth',
            cell: ({ attributes }) => text.variables(attributes['var-count']),
          },
          {
            title: text.appliesTo,
            width: 'quarter',
            cell: ({ attributes }) =>
              attributes.global
                ? text.appliesAll
                : text.applies(attributes['workspace-count'], attributes['project-count']),
          },
        ]}
      />
      {isOpen && (
        <CreateDialog
          title={text.create}
          submit={text.createSubmit}
          onClose={() => setOpen(false)}
          create={create}
          fields={[
            { key: 'name', label: text.name, kind: 'text' },
            { key: 'description', label: text.description, kind: 'lines' },
            { key: 'global', label: text.global, kind: 'switch' },
            { key: 'priority', label: text.priority, kind: 'switch' },
          ]}
        />
      )}
    </>
  );
}
