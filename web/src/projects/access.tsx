/** …/projects/<id>?tab=access: what teams may do by the project. */
import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { cache } from '../api/cache.ts';
import { answer, api, type Resource } from '../api/client.ts';
import { everyPage } from '../api/documents.ts';
import { paths } from '../paths.ts';
import { teamsQuery } from '../teams/teams.ts';
import { projects as text } from '../texts/projects.ts';
import { settings } from '../texts/settings.ts';
import { CreateDialog } from '../ui/create-dialog.tsx';
import { Avatar } from '../ui/parts.tsx';
import { RecordList } from '../ui/record-list.tsx';
import { tellFailure } from '../ui/tell.tsx';
import type { Project } from './projects.ts';

interface Props {
  organization: string;
  project: Project;
}

type Access = Resource<'team-projects'>;
const changed = () => cache.invalidateQueries({ queryKey: ['team-projects'] });
const levels = ['read', 'write', 'maintain', 'admin'] as const;
const options = levels.map(value => ({ value, label: settings.access.levels[value] ?? value }));

export function ProjectAccess({ organization, project }: Props) {
  const [isOpen, setOpen] = useState(false);
  const queryKey = ['team-projects', project.id];
  const teams = useQuery(teamsQuery(organization));
  const query = useQuery({
    queryKey,
    queryFn: () =>
      everyPage(page =>
        answer(
          api.GET('/team-projects', {
            params: { query: { 'filter[project][id]': project.id, 'page[number]': page, 'page[size]': 100 } as never },
          }),
        ),
      ),
  });
  const mayChange = (project.attributes.permissions as Record<string, boolean>)['can-update'] ?? false;
  const teamOf = (access: Access) =>
    teams.data?.find(({ id }) => id === access.relationships.team.data?.id)?.attributes.name ??
    access.relationships.team.data?.id ??
    '';
  const change = (access: Access, level: string) =>
    void answer(
      api.PATCH('/team-projects/{team_project_id}', {
        params: { path: { team_project_id: access.id } },
        body: { data: { type: 'team-projects', attributes: { access: level } } } as never,
      }),
    ).then(changed, tellFailure);
  return (
    <>
      <RecordList
        title={text.tabs.access}
        query={query}
        none={text.noAccess}
        add={mayChange && { label: settings.access.add, onClick: () => setOpen(true) }}
        row={access => (
          <>
            <Avatar name={teamOf(access)} id={access.relationships.team.data?.id ?? ''} />
            <Link className="link grow" to={paths.team(organization, access.relationships.team.data?.id ?? '')}>
              {teamOf(access)}
            </Link>
            <Select
              aria-label={`${settings.access.level}: ${teamOf(access)}`}
              data={
                access.attributes.access === 'custom'
                  ? [...options, { value: 'custom', label: settings.access.levels['custom'] ?? '' }]
                  : options
              }
              value={access.attributes.access}
              disabled={!mayChange}
              onChange={level => level && change(access, level)}
            />
          </>
        )}
        removal={
          mayChange && {
            label: access => settings.access.remove(teamOf(access)),
            title: access => `${settings.access.remove(teamOf(access))}?`,
            ends: <p>{text.deleteEnds}</p>,
            submit: settings.access.remove('').trim(),
            remove: ({ id }) =>
              answer(
                api.DELETE('/team-projects/{team_project_id}', { params: { path: { team_project_id: id } } }),
              ).then(changed),
          }
        }
      />
      {isOpen && <AddTeam organization={organization} project={project} onClose={() => setOpen(false)} />}
    </>
  );
}

function AddTeam({ organization, project, onClose }: Props & { onClose: () => void }) {
  const teams = useQuery(teamsQuery(organization));
  return (
    <CreateDialog
      title={settings.access.add.replace('…', '')}
      submit={settings.access.addSubmit}
      initial={{ access: 'read' }}
      onClose={onClose}
      fields={[
        {
          key: 'team',
          label: settings.access.team,
          kind: 'choice',
          options: (teams.data ?? []).map(({ id, attributes }) => ({ value: id, label: attributes.name })),
        },
        { key: 'access', label: settings.access.level, kind: 'choice', options },
      ]}
      create={({ team, access }) =>
        answer(
          api.POST('/team-projects', {
            body: {
              data: {
                type: 'team-projects',
                attributes: { access },
                relationships: {
                  team: { data: { type: 'teams', id: team } },
                  project: { data: { type: 'projects', id: project.id } },
                },
              },
            } as never,
          }),
        ).then(changed)
      }
    />
  );
}
