/** /<org>/teams: who may do what, team by team. */
import { Link } from '@tanstack/react-router';
import { cache } from '../api/cache.ts';
import { answer, api, documentOf, type New, type Resource } from '../api/client.ts';
import { CreatableList } from '../organizations/creatable-list.tsx';
import { paths } from '../paths.ts';
import { teams as text } from '../texts/teams.ts';
import { Avatar } from '../ui/parts.tsx';
import type { Column } from '../ui/rows.tsx';

type Team = Resource<'teams'>;

export const TeamsScreen = () => (
  <CreatableList<Team, New<'teams'>>
    text={text}
    queryKey="teams"
    read={read}
    columns={columnsOf}
    to={paths.team}
    needs={{ act: 'create a team', permission: 'can-create-team', action: 'create-team' }}
    initial={{ visibility: 'secret' }}
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
    create={create}
  />
);

const read = (organization: string, q: string, page: number) =>
  answer(
    api.GET('/organizations/{organization_name}/teams', {
      params: { path: { organization_name: organization }, query: { q, 'page[number]': page, 'page[size]': 50 } },
    }),
  );

async function create(organization: string, attributes: New<'teams'>): Promise<string> {
  const made = await answer(
    api.POST('/organizations/{organization_name}/teams', {
      params: { path: { organization_name: organization } },
      body: documentOf('teams', attributes),
    }),
  );
  await cache.invalidateQueries({ queryKey: ['teams'] });
  return made.data.id;
}

const columnsOf = (organization: string): Column<Team>[] => [
  {
    title: text.name,
    cell: ({ id, attributes }) => (
      <Link className="name line" to={paths.team(organization, id)}>
        <Avatar name={attributes.name} id={id} />
        {attributes.name}
      </Link>
    ),
  },
  {
    title: text.visibility,
    width: 'quarter',
    isExtra: true,
    cell: ({ attributes }) => (attributes.visibility === 'secret' ? text.secret : text.visible),
  },
  { title: text.members, width: 'quarter', cell: ({ attributes }) => text.count(attributes['users-count']) },
];
