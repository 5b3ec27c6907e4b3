/** /<org>/projects: workspaces by what belongs together. */
import { TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { cache } from '../api/cache.ts';
import { answer, api } from '../api/client.ts';
import { useKeys } from '../frame/keys.ts';
import { organizationQuery } from '../organizations/organizations.ts';
import { paths } from '../paths.ts';
import { number } from '../texts/common.ts';
import { projects as text } from '../texts/projects.ts';
import { Act } from '../ui/act.tsx';
import { CreateDialog } from '../ui/create-dialog.tsx';
import { Loaded, Skeleton } from '../ui/loaded.tsx';
import { Pager } from '../ui/pager.tsx';
import { Empty, PageHead } from '../ui/parts.tsx';

export function ProjectsScreen() {
  const { organization } = useParams({ strict: false }) as { organization: string };
  const { page = 1 } = useSearch({ strict: false }) as { page?: number };
  const [typed, setTyped] = useState('');
  const [q] = useDebouncedValue(typed, 200);
  const [isOpen, setOpen] = useState(false);
  const navigate = useNavigate();
  const { data: found } = useQuery(organizationQuery(organization));
  const mayCreate = found?.data.attributes.permissions['can-create-project'] ?? true;
  useKeys({ create: () => mayCreate && setOpen(true) });
  const query = useQuery({
    queryKey: ['projects', organization, 'page', q, page],
    placeholderData: keepPreviousData,
    queryFn: () =>
      answer(
        api.GET('/organizations/{organization_name}/projects', {
          params: {
            path: { organization_name: organization },
            query: { q, sort: 'name', 'page[number]': Number(page), 'page[size]': 50 },
          },
        }),
      ),
  });
  const create = async (attributes: object) => {
    const made = await answer(
      api.POST('/organizations/{organization_name}/projects', {
        params: { path: { organization_name: organization } },
        body: { data: { type: 'projects', attributes } } as never,
      }),
    );
    await cache.invalidateQueries({ queryKey: ['projects'] });
    await navigate({ to: paths.project(organization, made.data.id) });
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
          allowed={mayCreate}
          icon="plus"
          missing={{
            act: 'create a project',
            permission: 'can-create-project',
            organization,
            wish: { type: 'organizations', id: organization, action: 'create-project' },
          }}
          onClick={() => setOpen(true)}
        >
          {text.create}
        </Act>
      </PageHead>
      <Loaded query={query} skeleton={<Skeleton rows={10} />}>
        {({ data, meta }) =>
          data.length === 0 ? (
            <Empty title={text.none}>
              <p>{text.noneDetail}</p>
            </Empty>
          ) : (
            <div className="card">
              <table className="table">
                <caption className="hidden-text">{text.caption(organization)}</caption>
                <thead>
                  <tr>
                    <th scope="col">{text.name}</th>
                    <th scope="col" className="only-wide">
                      {text.description}
                    </th>
                    <th scope="col" className="eighth end">
                      {text.workspaces}
                    </th>
                    <th scope="col" className="eighth end only-wide">
                      {text.teams}
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {data.map(({ id, attributes }) => (
                    <tr key={id}>
                      <td className="cut">
                        <Link className="name" to={paths.project(organization, id)}>
                          {attributes.name}
                        </Link>
                      </td>
                      <td className="muted cut only-wide">{attributes.description}</td>
                      <td className="muted end">{number(attributes['workspace-count'])}</td>
                      <td className="muted end only-wide">{number(attributes['team-count'])}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
              {meta.pagination && (
                <Pager
                  pagination={meta.pagination}
                  onPage={to => void navigate({ to: paths.projects(organization), search: { page: to } as never })}
                />
              )}
            </div>
          )
        }
      </Loaded>
      {isOpen && mayCreate && (
        <CreateDialog
          title={text.create}
          submit={text.createSubmit}
          onClose={() => setOpen(false)}
          create={create}
          fields={[
            { key: 'name', label: text.name, hint: text.nameHint, kind: 'text' },
            { key: 'description', label: text.description, kind: 'lines', isNullable: true },
          ]}
        />
      )}
    </>
  );
}
