/** …/projects/<id>?tab=access: what teams may do by the project. */
import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { cache } from '../api/cache.ts';
import { answer, api, documentOf, type Resource } from '../api/client.ts';
import { everyPage } from '../api/documents.ts';
import { paths } from '../paths.ts';
import { teamsQuery } from '../teams/teams.ts';
import { projects as text } from '../texts/projects.ts';
import { settings } from '../texts/settings.ts';
import { CreateDialog } from '../ui/create-dialog.tsx';
import { Avatar } from '../ui/parts.tsx';
import { RecordList } from '../ui/record-list.tsx';
import { readingOf, useSaving } from '../ui/saving.tsx';
import { tellFailure } from '../ui/tell.tsx';
import type { Project } from './projects.ts';

interface Props {
  organization: string;
  project: Project;
}

type Access = Resource<'team-projects'>;
type Level = Access['attributes']['access'];
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
            params: { query: { 'filter[project][id]': project.id, 'page[number]': page, 'page[size]': 100 } },
          }),
        ),
      ),
  });
  const mayChange = project.attributes.permissions['can-update'] ?? false;
  const teamOf = (access: Access) =>
    teams.data?.find(({ id }) => id === access.relationships.team.data?.id)?.attributes.name ??
    access.relationships.team.data?.id ??
    '';
  return (
    <>
      <RecordList
        title={text.tabs.access}
        query={query}
        none={{ title: text.noAccess }}
        add={mayChange && { label: settings.access.add, onClick: () => setOpen(true) }}
        columns={[
          {
            title: settings.access.team,
            cell: access => (
              <Link className="name line" to={paths.team(organization, access.relationships.team.data?.id ?? '')}>
                <Avatar name={teamOf(access)} id={access.relationships.team.data?.id ?? ''} />
                {teamOf(access)}
              </Link>
            ),
          },
          {
            title: settings.access.level,
            width: 'quarter',
            cell: access => <LevelOf access={access} team={teamOf(access)} mayChange={mayChange} />,
          },
        ]}
        removal={
          mayChange && {
            label: access => settings.access.remove(teamOf(access)),
            title: access => `${settings.access.remove(teamOf(access))}?`,
            ends: <p>{settings.access.removeEnds}</p>,
            submit: settings.access.removeSubmit,
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

/** What is chosen holds at once, unless somebody else has chosen otherwise since it was shown. */
function LevelOf({
  access: { id, attributes },
  team,
  mayChange,
}: {
  access: Access;
  team: string;
  mayChange: boolean;
}) {
  const at = { params: { path: { team_project_id: id } } };
  const [send, conflict] = useSaving<{ access: Level }>({
    labelOf: () => settings.access.level,
    wordOf: (_key, level) => settings.access.levels[String(level)],
    read: async () => readingOf(await answer(api.GET('/team-projects/{team_project_id}', at))),
    save: (given, meant) =>
      answer(
        api.PATCH('/team-projects/{team_project_id}', { ...at, ...meant, body: documentOf('team-projects', given) }),
      ),
  });
  return (
    <>
      <Select
        aria-label={`${settings.access.level}: ${team}`}
        data={
          attributes.access === 'custom'
            ? [...options, { value: 'custom', label: settings.access.levels['custom'] ?? '' }]
            : options
        }
        value={attributes.access}
        disabled={!mayChange}
        onChange={level => level && void send(attributes, { access: level as Level }).then(changed, tellFailure)}
      />
      {conflict}
    </>
  );
}

function AddTeam({ organization, project, onClose }: Props & { onClose: () => void }) {
  const teams = useQuery(teamsQuery(organization));
  return (
    <CreateDialog
      title={settings.access.addSubmit}
      submit={settings.access.addSubmit}
      initial={{ access: 'read' }}
      onClose={onClose}
      fields={[
        {
          key: 'team',
          label: settings.access.team,
          kind: 'choice',
          options: (teams.data ?? [])
            .filter(({ attributes }) => attributes.name !== 'owners')
            .map(({ id, attributes }) => ({ value: id, label: attributes.name })),
        },
        { key: 'access', label: settings.access.level, kind: 'choice', options },
      ]}
      create={({ team, access }: { team: string; access: Level }) =>
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
            },
          }),
        ).then(changed)
      }
    />
  );
}
