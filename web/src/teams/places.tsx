/** …/teams/<id>/places: every workspace that the team reaches, what its members may do there, and whence that comes. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { answer, api, type Resource } from '../api/client.ts';
import { paths } from '../paths.ts';
import { projectsQuery } from '../projects/projects.ts';
import { teams as text } from '../texts/teams.ts';
import { workspace as words } from '../texts/workspace.ts';
import { Loaded, Skeleton } from '../ui/loaded.tsx';
import { Pager } from '../ui/pager.tsx';
import { Empty } from '../ui/parts.tsx';
import { accessLevel } from '../workspaces/workspace.ts';
import { useTeam } from './layout.tsx';

const size = 50;

const reachQuery = (id: string, page: number) => ({
  queryKey: ['team-workspaces', 'reach', id, page],
  placeholderData: keepPreviousData,
  queryFn: () =>
    answer(
      api.GET('/teams/{team_id}/reach', {
        params: { path: { team_id: id }, query: { 'page[number]': page, 'page[size]': size } },
      }),
    ),
});

export function TeamPlacesScreen() {
  const { organization, id } = useTeam();
  const { page = 1 } = useSearch({ strict: false }) as { page?: number };
  const query = useQuery(reachQuery(id, Number(page)));
  const projects = useQuery(projectsQuery(organization));
  const navigate = useNavigate();
  const turn = (to: number) =>
    void navigate({ to: `${paths.team(organization, id)}/places`, search: { page: to } as never });
  return (
    <Loaded query={query} skeleton={<Skeleton rows={10} />}>
      {({ data, meta }) =>
        data.length === 0 ? (
          <Empty title={text.noPlaces} />
        ) : (
          <div className="card">
            <table className="table two-line">
              <caption className="hidden-text">{text.tabs.places}</caption>
              <thead>
                <tr>
                  <th scope="col">{text.place.workspace}</th>
                  <th scope="col" className="quarter only-wide">
                    {text.place.project}
                  </th>
                  <th scope="col" className="eighth">
                    {text.place.level}
                  </th>
                  <th scope="col" className="quarter">
                    {text.place.through}
                  </th>
                </tr>
              </thead>
              <tbody>
                {data.map(({ id: workspaceId, attributes, relationships }) => (
                  <tr key={workspaceId}>
                    <td className="cut">
                      <Link className="name" to={paths.workspace(organization, attributes['workspace-name'])}>
                        {attributes['workspace-name']}
                      </Link>
                    </td>
                    <td className="muted cut only-wide">
                      {
                        projects.data?.find(({ id: project }) => project === relationships.project.data?.id)?.attributes
                          .name
                      }
                    </td>
                    <td>{words.accessLevel[accessLevel(attributes.permissions)]}</td>
                    <td className="muted cut">{throughOf(attributes.grants)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
            {meta.pagination && <Pager pagination={meta.pagination} onPage={turn} />}
          </div>
        )
      }
    </Loaded>
  );
}

/** Each way once, the strongest said first by the server. */
function throughOf(grants: Resource<'team-reaches'>['attributes']['grants']): string {
  return [...new Set(grants.map(({ via }) => text.via[via] ?? via))].join(', ');
}
