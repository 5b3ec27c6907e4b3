/** /<org>/projects/<id>: its workspaces, who has access by it, and its settings. */
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { cache } from '../api/cache.ts';
import { answer, api, type Changed, documentOf } from '../api/client.ts';
import { NotificationList } from '../notifications/settings.tsx';
import { at, paths } from '../paths.ts';
import { projects as text } from '../texts/projects.ts';
import { workspace as words } from '../texts/workspace.ts';
import { Id } from '../ui/copy.tsx';
import { descriptionColumn } from '../ui/description-column.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Loaded, Skeleton } from '../ui/loaded.tsx';
import { Card, Tag, Title } from '../ui/parts.tsx';
import { RecordForm } from '../ui/record-form.tsx';
import { Rows } from '../ui/rows.tsx';
import { type Meant, readAgain } from '../ui/saving.tsx';
import { ProjectAccess } from './access.tsx';
import { type Project, projectQuery } from './projects.ts';
import { ProjectTags, tagsOf } from './tags.tsx';

type Page = keyof typeof text.tabs;

export function ProjectScreen() {
  const { organization, project: id } = useParams({ strict: false }) as { organization: string; project: string };
  const { tab = 'workspaces' } = useSearch({ strict: false }) as { tab?: Page };
  const query = useQuery(projectQuery(id));
  return (
    <Loaded query={query} skeleton={<Skeleton />}>
      {document => {
        const { data } = document;
        return (
          <>
            <div className="record-head">
              <div className="record-title">
                <Title of={data.attributes.name}>{data.attributes.name}</Title>
              </div>
              <div className="record-facts">
                <Id id={id} />
                <span>{text.count(data.attributes['workspace-count'])}</span>
                <div className="tags wrap">
                  {tagsOf(document).map(({ key, value }) => (
                    <Tag key={key} tagKey={key} value={value} />
                  ))}
                </div>
                {data.attributes.description && <span className="anywhere">{data.attributes.description}</span>}
              </div>
              <nav className="tabs" aria-label={text.tabsLabel}>
                {pagesFor(data).map(page => (
                  <Link
                    key={page}
                    {...at(paths.project(organization, id), page === 'workspaces' ? {} : { tab: page })}
                    activeOptions={{ exact: true, includeSearch: true }}
                  >
                    {text.tabs[page]}
                  </Link>
                ))}
              </nav>
            </div>
            {tab === 'workspaces' && <ProjectWorkspaces organization={organization} project={data} />}
            {tab === 'access' && <ProjectAccess organization={organization} project={data} />}
            {tab === 'notifications' && (
              <NotificationList
                organization={organization}
                source={{ type: 'projects', id }}
                lead={text.notificationsLead}
                mayChange={data.attributes.permissions['can-update'] ?? false}
              />
            )}
            {tab === 'settings' && (
              <div className="stack">
                <ProjectSettings organization={organization} project={data} />
                <ProjectTags document={document} />
              </div>
            )}
          </>
        );
      }}
    </Loaded>
  );
}

/** Who is told is for those who administer the project; nobody else may read it. */
const pagesFor = ({ attributes }: Project) =>
  (Object.keys(text.tabs) as Page[]).filter(page => page !== 'notifications' || attributes.permissions['can-update']);

interface Props {
  organization: string;
  project: Project;
}

const preview = 20;

function ProjectWorkspaces({ organization, project }: Props) {
  const query = useQuery({
    queryKey: ['workspaces', organization, 'of-project', project.id],
    queryFn: () =>
      answer(
        api.GET('/organizations/{organization_name}/workspaces', {
          params: {
            path: { organization_name: organization },
            query: { 'filter[project][id]': project.id, 'page[size]': preview, sort: 'name' },
          },
        }),
      ),
  });
  const all = (
    <Link className="link" {...at(paths.workspaces(organization), { project: project.attributes.name })}>
      {text.all}
    </Link>
  );
  return (
    <Card title={text.workspaces} action={all} flush>
      <p className="card-row muted">{text.moveHint}</p>
      <Rows
        caption={text.workspaces}
        query={query}
        none={{ title: text.noWorkspaces }}
        href={({ attributes }) => paths.workspace(organization, attributes.name)}
        columns={[
          {
            title: text.name,
            cell: ({ attributes }) => (
              <Link className="name" to={paths.workspace(organization, attributes.name)}>
                {attributes.name}
              </Link>
            ),
          },
          descriptionColumn(text.description),
        ]}
      />
    </Card>
  );
}

function ProjectSettings({ organization, project }: Props) {
  const [isOpen, setOpen] = useState(false);
  const navigate = useNavigate();
  const named = { params: { path: { project_id: project.id } } };
  const { permissions } = project.attributes;
  const remove = async () => {
    await answer(api.DELETE('/projects/{project_id}', named));
    await navigate({ to: paths.projects(organization) });
    await cache.invalidateQueries({ queryKey: ['projects'] });
  };
  const save = async (attributes: Changed<'projects'>, meant: Meant) => {
    await answer(api.PATCH('/projects/{project_id}', { ...named, ...meant, body: documentOf('projects', attributes) }));
    await cache.invalidateQueries({ queryKey: ['projects'] });
  };
  return (
    <Card title={text.tabs.settings}>
      <RecordForm
        values={project.attributes}
        read={() => readAgain(projectQuery(project.id))}
        save={save}
        mayChange={permissions['can-update'] ?? false}
        whyNot={text.whyNot}
        fields={[
          { key: 'name', label: text.name, hint: text.nameHint, kind: 'text' },
          { key: 'description', label: text.description, kind: 'lines', isNullable: true },
          {
            key: 'default-execution-mode',
            label: text.mode,
            kind: 'choice',
            options: Object.entries(words.mode).map(([value, label]) => ({ value, label })),
          },
          {
            key: 'auto-destroy-activity-duration',
            label: text.autoDestroy,
            hint: text.autoDestroyHint,
            kind: 'text',
            isNullable: true,
          },
        ]}
      >
        {permissions['can-destroy'] && (
          <div>
            <Button variant="danger-outline" onClick={() => setOpen(true)}>
              {text.delete}
            </Button>
          </div>
        )}
      </RecordForm>
      <Dialog
        danger
        title={text.deleteTitle(project.attributes.name)}
        opened={isOpen}
        onClose={() => setOpen(false)}
        submit={text.deleteSubmit}
        onSubmit={remove}
      >
        <p>{text.deleteEnds}</p>
      </Dialog>
    </Card>
  );
}
