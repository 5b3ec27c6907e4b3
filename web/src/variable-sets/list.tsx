/** /<org>/variable-sets: the same variables for many workspaces. */
import { Link } from '@tanstack/react-router';
import { answer, api, documentOf, type New, type Resource } from '../api/client.ts';
import { CreatableList } from '../organizations/creatable-list.tsx';
import { paths } from '../paths.ts';
import { sets as text } from '../texts/account.ts';
import { descriptionColumn } from '../ui/description-column.tsx';
import type { Column } from '../ui/rows.tsx';
import { changed } from './sets.ts';

type VariableSet = Resource<'varsets'>;

export const VariableSetsScreen = () => (
  <CreatableList<VariableSet, New<'varsets'>>
    text={text}
    queryKey="variable-sets"
    read={read}
    columns={columnsOf}
    to={paths.variableSet}
    needs={{ act: 'create a variable set', permission: 'can-update', action: 'manage-variable-sets' }}
    fields={[
      { key: 'name', label: text.name, kind: 'text' },
      { key: 'description', label: text.description, kind: 'lines' },
      { key: 'global', label: text.global, kind: 'switch' },
      { key: 'priority', label: text.priority, kind: 'switch' },
    ]}
    create={create}
  />
);

const read = (organization: string, q: string, page: number) =>
  answer(
    api.GET('/organizations/{organization_name}/varsets', {
      params: { path: { organization_name: organization }, query: { q, 'page[number]': page, 'page[size]': 50 } },
    }),
  );

async function create(organization: string, attributes: New<'varsets'>): Promise<string> {
  const made = await answer(
    api.POST('/organizations/{organization_name}/varsets', {
      params: { path: { organization_name: organization } },
      body: documentOf('varsets', attributes),
    }),
  );
  await changed();
  return made.data.id;
}

const columnsOf = (organization: string): Column<VariableSet>[] => [
  {
    title: text.name,
    cell: ({ id, attributes }) => (
      <span className="line wrap">
        <Link className="name" to={paths.variableSet(organization, id)}>
          {attributes.name}
        </Link>
        {attributes.priority && <span className="badge">{text.priorityBadge}</span>}
      </span>
    ),
  },
  descriptionColumn(text.description),
  {
    title: text.variablesTitle,
    width: 'eighth',
    cell: ({ attributes }) => text.variables(attributes['var-count']),
  },
  {
    title: text.appliesTo,
    width: 'quarter',
    cell: ({ attributes }) =>
      attributes.global ? text.appliesAll : text.applies(attributes['workspace-count'], attributes['project-count']),
  },
];
