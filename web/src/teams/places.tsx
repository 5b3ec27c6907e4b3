/** …/teams/<id>/places: what the team may do by project and by workspace. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { answer, api } from '../api/client.ts';
import { everyPage } from '../api/documents.ts';
import { paths } from '../paths.ts';
import { projectsQuery } from '../projects/projects.ts';
import { frame } from '../texts/frame.ts';
import { settings } from '../texts/settings.ts';
import { teams as text } from '../texts/teams.ts';
import { RecordList } from '../ui/record-list.tsx';
import { useTeam } from './layout.tsx';

export function TeamPlacesScreen() {
  const { organization, id } = useTeam();
  const projects = useQuery(projectsQuery(organization));
  const byProject = useQuery({
    queryKey: ['team-projects', 'of-team', id],
    queryFn: () =>
      everyPage(page =>
        answer(
          api.GET('/team-projects', {
            params: { query: { 'filter[team][id]': id, 'page[number]': page, 'page[size]': 100 } as never },
          }),
        ),
      ),
  });
  const byWorkspace = useQuery({
    queryKey: ['team-workspaces', 'of-team', id],
    queryFn: () =>
      everyPage(page =>
        answer(
          api.GET('/team-workspaces', {
            params: { query: { 'filter[team][id]': id, 'page[number]': page, 'page[size]': 100 } as never },
          }),
        ),
      ),
  });
  return (
    <div className="stack">
      <RecordList
        title={frame.projects}
        query={byProject}
        none={text.noPlaces}
        row={({ attributes, relationships }) => {
          const project = relationships.project.data?.id ?? '';
          return (
            <>
              <Link className="link grow" to={paths.project(organization, project)}>
                {projects.data?.find(record => record.id === project)?.attributes.name ?? project}
              </Link>
              <span className="muted">{settings.access.levels[attributes.access] ?? attributes.access}</span>
            </>
          );
        }}
      />
      <RecordList
        title={frame.workspaces}
        query={byWorkspace}
        none={text.noPlaces}
        row={({ attributes, relationships }) => {
          const workspace = relationships.workspace.data?.id ?? '';
          return (
            <>
              <Link className="link grow mono" to={paths.workspaceById(workspace)}>
                {workspace}
              </Link>
              <span className="muted">{settings.access.levels[attributes.access] ?? attributes.access}</span>
            </>
          );
        }}
      />
    </div>
  );
}
