/** /<org>/projects: workspaces by what belongs together. */
import { Link } from '@tanstack/react-router';
import { cache } from '../api/cache.ts';
import { answer, api, documentOf, type New } from '../api/client.ts';
import { CreatableList } from '../organizations/creatable-list.tsx';
import { paths } from '../paths.ts';
import { number } from '../texts/common.ts';
import { projects as text } from '../texts/projects.ts';
import { descriptionColumn } from '../ui/description-column.tsx';
import type { Column } from '../ui/rows.tsx';
import type { Project } from './projects.ts';

export const ProjectsScreen = () => (
  <CreatableList<Project, New<'projects'>>
    text={text}
    queryKey="projects"
    read={read}
    columns={columnsOf}
    to={paths.project}
    needs={{ act: 'create a project', permission: 'can-create-project', action: 'create-project' }}
    fields={[
      { key: 'name', label: text.name, hint: text.nameHint, kind: 'text' },
      { key: 'description', label: text.description, kind: 'lines', isNullable: true },
    ]}
    create={create}
  />
);

const read = (organization: string, q: string, page: number) =>
  answer(
    api.GET('/organizations/{organization_name}/projects', {
      params: {
        path: { organization_name: organization },
        query: { q, sort: 'name', 'page[number]': page, 'page[size]': 50 },
      },
    }),
  );

async function create(organization: string, attributes: New<'projects'>): Promise<string> {
  const made = await answer(
    api.POST('/organizations/{organization_name}/projects', {
      params: { path: { organization_name: organization } },
      body: documentOf('projects', attributes),
    }),
  );
  await cache.invalidateQueries({ queryKey: ['projects'] });
  return made.data.id;
}

const columnsOf = (organization: string): Column<Project>[] => [
  {
    title: text.name,
    cell: ({ id, attributes }) => (
      <Link className="name" to={paths.project(organization, id)}>
        {attributes.name}
      </Link>
    ),
  },
  descriptionColumn(text.description),
  {
    title: text.workspaces,
    width: 'eighth',
    isNumber: true,
    cell: ({ attributes }) => number(attributes['workspace-count']),
  },
  {
    title: text.teams,
    width: 'eighth',
    isNumber: true,
    isExtra: true,
    cell: ({ attributes }) => number(attributes['team-count']),
  },
];
