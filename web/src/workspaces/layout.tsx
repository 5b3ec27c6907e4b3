/** …/workspaces/<name>: what stands above every screen of a workspace: name, lock, run status, acts, tabs. */
import { ActionIcon, Menu } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, Navigate, Outlet, useLocation, useNavigate } from '@tanstack/react-router';
import { Fragment, useEffect } from 'react';
import { answer, api } from '../api/client.ts';
import { included } from '../api/documents.ts';
import { ApiFailure } from '../api/failure.ts';
import { useLive } from '../frame/live.tsx';
import { paths } from '../paths.ts';
import { NewRun } from '../runs/new.tsx';
import { locking, workspace as text } from '../texts/workspace.ts';
import { workspaces } from '../texts/workspaces.ts';
import { Id, useCopy } from '../ui/copy.tsx';
import { Icon } from '../ui/icon.tsx';
import { Loaded, Skeleton } from '../ui/loaded.tsx';
import { Tabs, Title } from '../ui/parts.tsx';
import { LockControl } from './lock-control.tsx';
import { RunStatus } from './status.tsx';
import { rememberWorkspace } from './visited.ts';
import { useWorkspace, type WorkspaceDocument } from './workspace.ts';

export function WorkspaceLayout() {
  const { organization, name, query } = useWorkspace();
  useLive(query);
  const isFound = query.isSuccess;
  useEffect(() => {
    if (isFound) rememberWorkspace(organization, name);
  }, [isFound, organization, name]);
  const moved = useRenamed(organization, name, query.error);
  if (moved) return <Navigate to={moved} replace />;
  return (
    <Loaded query={query} skeleton={<Skeleton rows={8} />}>
      {document => (
        // By its id: what was typed or opened in one workspace is nothing of the next.
        <Fragment key={document.data.id}>
          <Head organization={organization} document={document} />
          <Outlet />
        </Fragment>
      )}
    </Loaded>
  );
}

/** Where the workspace of a former name is shown now; undefined where there is none. */
function useRenamed(organization: string, name: string, failure: unknown): string | undefined {
  const isGone = failure instanceof ApiFailure && failure.status === 404;
  const { data } = useQuery({
    queryKey: ['workspaces', organization, 'formerly', name],
    enabled: isGone,
    retry: false,
    queryFn: () =>
      answer(
        api.GET('/organizations/{organization_name}/former-workspace-names/{former_workspace_name}', {
          params: { path: { organization_name: organization, former_workspace_name: name } },
        }),
      ),
  });
  const { pathname } = useLocation();
  if (!isGone || !data) return undefined;
  const within = `${pathname}/`.split(`${paths.workspace(organization, name)}/`)[1];
  // Once the address is the new one, there is nowhere to go.
  if (within === undefined) return undefined;
  return [paths.workspace(organization, data.data.attributes.name), ...within.split('/').filter(Boolean)].join('/');
}

function Head({ organization, document }: { organization: string; document: WorkspaceDocument }) {
  const { id, attributes, relationships } = document.data;
  const { name } = attributes;
  const run = included(document, relationships['current-run'], 'runs');
  const project = included(document, relationships.project, 'projects');
  const tabs = [
    { to: paths.workspace(organization, name), label: text.tabs.overview },
    { to: paths.workspaceRuns(organization, name), label: text.tabs.runs, below: true },
    { to: paths.states(organization, name), label: text.tabs.states, below: true },
    { to: paths.configurations(organization, name), label: text.tabs.configurations },
    { to: paths.variables(organization, name), label: text.tabs.variables },
    { to: `${paths.workspace(organization, name)}/settings`, label: text.tabs.settings, below: true },
  ];
  return (
    <div className="record-head">
      <div className="record-title">
        <Title of={name}>{name}</Title>
        {attributes.locked && (
          <span className="badge" data-group="locked">
            <Icon name="lock" />
            {locking.locked}
          </span>
        )}
        <RunStatus run={run} badge />
        <div className="record-acts">
          <LockControl organization={organization} document={document} />
          <NewRun organization={organization} workspace={document.data} />
          <MoreMenu organization={organization} id={id} name={name} />
        </div>
      </div>
      <div className="record-facts">
        <Id id={id} />
        {project && (
          <Link className="plain-link" to={paths.project(organization, project.id)}>
            <Icon name="project" />
            {project.attributes.name}
          </Link>
        )}
        {attributes['vcs-repo'] && (
          <span>
            <Icon name="branch" />
            {attributes['vcs-repo'].identifier} <span className="muted">{attributes['vcs-repo'].branch}</span>
          </span>
        )}
        <span>
          <Icon name="server" />
          {text.mode[attributes['execution-mode']]}
        </span>
      </div>
      <Tabs tabs={tabs} label={text.tabsLabel} />
    </div>
  );
}

function MoreMenu({ organization, id, name }: { organization: string; id: string; name: string }) {
  const [, copy] = useCopy();
  const navigate = useNavigate();
  const go = (to: string) => void navigate({ to });
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon variant="default" aria-label={text.more}>
          <Icon name="more" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<Icon name="copy" />} onClick={() => copy(id)}>
          {workspaces.copyId}
        </Menu.Item>
        <Menu.Item
          leftSection={<Icon name="link" />}
          onClick={() => copy(`${window.location.origin}/app/~/workspaces/${id}`)}
        >
          {workspaces.copyAddress}
        </Menu.Item>
        <Menu.Item
          leftSection={<Icon name="audit" />}
          onClick={() => go(`${paths.audit(organization)}?record=workspaces:${id}`)}
        >
          {workspaces.auditOf}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item
          data-danger
          leftSection={<Icon name="trash" />}
          onClick={() => go(paths.workspaceSettings(organization, name, 'deletion'))}
        >
          Delete workspace…
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
