/** /<org>/variable-sets: the same variables for many workspaces. */
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { answer, api } from '../api/client.ts';
import { everyPage } from '../api/documents.ts';
import { organizationQuery } from '../organizations/organizations.ts';
import { paths } from '../paths.ts';
import { sets as text } from '../texts/account.ts';
import { Act } from '../ui/act.tsx';
import { CreateDialog } from '../ui/create-dialog.tsx';
import { PageHead } from '../ui/parts.tsx';
import { RecordList } from '../ui/record-list.tsx';
import { changed, type VariableSet } from './sets.ts';

export function VariableSetsScreen() {
  const { organization } = useParams({ strict: false }) as { organization: string };
  const [isOpen, setOpen] = useState(false);
  const { data: found } = useQuery(organizationQuery(organization));
  const mayChange = found?.data.attributes.permissions['can-update'] ?? false;
  const navigate = useNavigate();
  const query = useQuery({
    queryKey: ['variable-sets', organization],
    queryFn: () =>
      everyPage(page =>
        answer(
          api.GET('/organizations/{organization_name}/varsets', {
            params: {
              path: { organization_name: organization },
              query: { 'page[number]': page, 'page[size]': 100 } as never,
            },
          }),
        ),
      ) as Promise<VariableSet[]>,
  });
  const create = async (attributes: object) => {
    const made = await answer(
      api.POST('/organizations/{organization_name}/varsets', {
        params: { path: { organization_name: organization } },
        body: { data: { type: 'varsets', attributes } } as never,
      }),
    );
    await changed();
    await navigate({ to: paths.variableSet(organization, (made as { data: VariableSet }).data.id) });
  };
  return (
    <>
      <PageHead title={text.title}>
        <Act
          variant="filled"
          icon="plus"
          allowed={mayChange}
          missing={{
            act: 'create a variable set',
            permission: 'can-update',
            organization,
            wish: { type: 'organizations', id: organization, action: 'manage-variable-sets' },
          }}
          onClick={() => setOpen(true)}
        >
          {text.create}
        </Act>
      </PageHead>
      <RecordList
        title={text.title}
        query={query}
        none={text.none}
        noneDetail={text.noneDetail}
        row={({ id, attributes }) => (
          <>
            <Link className="link" to={paths.variableSet(organization, id)}>
              {attributes.name}
            </Link>
            {attributes.priority && <span className="badge">{text.priorityBadge}</span>}
            <span className="muted grow cut">{attributes.description}</span>
            <span className="muted">{text.variables(attributes['var-count'])}</span>
            <span className="muted">
              {attributes.global
                ? text.appliesAll
                : text.applies(attributes['workspace-count'], attributes['project-count'])}
            </span>
          </>
        )}
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
