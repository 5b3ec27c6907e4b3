/** …/teams/<id>/places: every workspace that the team reaches, what its members may do there, and whence that comes. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { answer, api, type Resource } from '../api/client.ts';
import { paths } from '../paths.ts';
import { projectsQuery } from '../projects/projects.ts';
import { teams as text } from '../texts/teams.ts';
import { workspace as words } from '../texts/workspace.ts';
import { useListAddress } from '../ui/list-address.ts';
import { Rows } from '../ui/rows.tsx';
import { accessLevel } from '../workspaces/workspace.ts';
import { useTeam } from './layout.tsx';

type Reach = Resource<'team-reaches'>;

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
  const { page, onPage } = useListAddress();
  const projects = useQuery(projectsQuery(organization));
  const projectName = (wanted: string | undefined) =>
    projects.data?.find(({ id: project }) => project === wanted)?.attributes.name;
  const addressOf = ({ attributes }: Reach) => paths.workspace(organization, attributes['workspace-name']);
  return (
    <div className="card">
      <Rows
        caption={text.tabs.places}
        query={useQuery(reachQuery(id, page))}
        none={{ title: text.noPlaces }}
        expected={10}
        href={addressOf}
        onPage={onPage}
        columns={[
          {
            title: text.place.workspace,
            cell: reach => (
              <Link className="name" to={addressOf(reach)}>
                {reach.attributes['workspace-name']}
              </Link>
            ),
          },
          {
            title: text.place.project,
            width: 'quarter',
            isExtra: true,
            cell: ({ relationships }) => projectName(relationships.project.data?.id),
          },
          {
            title: text.place.level,
            width: 'eighth',
            cell: ({ attributes }) => words.accessLevel[accessLevel(attributes.permissions)],
          },
          {
            title: text.place.through,
            width: 'quarter',
            cell: ({ attributes }) => <span className="muted">{throughOf(attributes.grants)}</span>,
          },
        ]}
      />
    </div>
  );
}

/** Each way once, the strongest said first by the server. */
function throughOf(grants: Reach['attributes']['grants']): string {
  return [...new Set(grants.map(({ via }) => text.via[via] ?? via))].join(', ');
}
