/** /<org>/teams: who may do what, team by team. */
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
import { teams as text } from '../texts/teams.ts';
import { Act } from '../ui/act.tsx';
import { CreateDialog } from '../ui/create-dialog.tsx';
import { Loaded, Skeleton } from '../ui/loaded.tsx';
import { Pager } from '../ui/pager.tsx';
import { Avatar, Empty, PageHead } from '../ui/parts.tsx';

export function TeamsScreen() {
  const { organization } = useParams({ strict: false }) as { organization: string };
  const { page = 1, q = '' } = useSearch({ strict: false }) as { page?: number; q?: string };
  const [typed, setTyped] = useState(q);
  const [asked] = useDebouncedValue(typed, 200);
  const [isOpen, setOpen] = useState(false);
  const navigate = useNavigate();
  const { data: found } = useQuery(organizationQuery(organization));
  const mayCreate = found?.data.attributes.permissions['can-create-team'] ?? true;
  useKeys({ create: () => mayCreate && setOpen(true) });
  const query = useQuery({
    queryKey: ['teams', organization, 'page', asked, page],
    placeholderData: keepPreviousData,
    queryFn: () =>
      answer(
        api.GET('/organizations/{organization_name}/teams', {
          params: {
            path: { organization_name: organization },
            query: { q: asked, 'page[number]': Number(page), 'page[size]': 50 } as never,
          },
        }),
      ),
  });
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
            act: 'create a team',
            permission: 'can-create-team',
            organization,
            wish: { type: 'organizations', id: organization, action: 'create-team' },
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
                    <th scope="col" className="only-wide quarter">
                      {text.visibility}
                    </th>
                    <th scope="col" className="quarter">
                      {text.members}
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {data.map(({ id, attributes }) => (
                    <tr key={id}>
                      <td>
                        <Link className="name line" to={paths.team(organization, id)}>
                          <Avatar name={attributes.name} id={id} />
                          <span className="cut">{attributes.name}</span>
                        </Link>
                      </td>
                      <td className="muted only-wide">
                        {attributes.visibility === 'secret' ? text.secret : text.visible}
                      </td>
                      <td className="muted">{text.count(attributes['users-count'])}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
              {meta.pagination && (
                <Pager
                  pagination={meta.pagination}
                  onPage={to => void navigate({ to: paths.teams(organization), search: { page: to } as never })}
                />
              )}
            </div>
          )
        }
      </Loaded>
      {isOpen && mayCreate && <NewTeam organization={organization} onClose={() => setOpen(false)} />}
    </>
  );
}

function NewTeam({ organization, onClose }: { organization: string; onClose: () => void }) {
  const navigate = useNavigate();
  const create = async (attributes: object) => {
    const made = await answer(
      api.POST('/organizations/{organization_name}/teams', {
        params: { path: { organization_name: organization } },
        body: { data: { type: 'teams', attributes } } as never,
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
