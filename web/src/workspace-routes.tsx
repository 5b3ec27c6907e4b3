/** The screens of workspaces. */
import { createRoute, lazyRouteComponent, Navigate } from '@tanstack/react-router';
import { crumbs } from './crumbs.ts';
import { organization } from './organization-routes.tsx';
import { paths } from './paths.ts';
import { readAddress } from './workspaces/address.ts';
import { WorkspacesScreen } from './workspaces/list.tsx';

export const workspaces = createRoute({
  getParentRoute: () => organization,
  path: '/workspaces',
  staticData: { crumb: crumbs.workspaces },
});
export const workspaceList = createRoute({
  getParentRoute: () => workspaces,
  path: '/',
  validateSearch: readAddress,
  component: WorkspacesScreen,
});
export const newWorkspace = createRoute({
  getParentRoute: () => workspaces,
  path: '/~new',
  staticData: { crumb: crumbs.newWorkspace },
  component: lazyRouteComponent(() => import('./workspaces/new.tsx'), 'NewWorkspace'),
});
export const workspace = createRoute({
  getParentRoute: () => workspaces,
  path: '/$workspace',
  staticData: { crumb: crumbs.workspace },
  component: lazyRouteComponent(() => import('./workspaces/layout.tsx'), 'WorkspaceLayout'),
});
export const overview = createRoute({
  getParentRoute: () => workspace,
  path: '/',
  component: lazyRouteComponent(() => import('./workspaces/overview.tsx'), 'WorkspaceOverview'),
});
export const runs = createRoute({
  getParentRoute: () => workspace,
  path: '/runs',
  staticData: { crumb: crumbs.workspaceRuns },
});
export const runList = createRoute({
  getParentRoute: () => runs,
  path: '/',
  component: lazyRouteComponent(() => import('./runs/list.tsx'), 'WorkspaceRunsScreen'),
});
export const run = createRoute({
  getParentRoute: () => runs,
  path: '/$run',
  component: lazyRouteComponent(() => import('./runs/show.tsx'), 'RunScreen'),
});
export const states = createRoute({
  getParentRoute: () => workspace,
  path: '/states',
  staticData: { crumb: crumbs.states },
});
export const stateList = createRoute({
  getParentRoute: () => states,
  path: '/',
  component: lazyRouteComponent(() => import('./states/list.tsx'), 'StatesScreen'),
});
export const state = createRoute({
  getParentRoute: () => states,
  path: '/$state',
  component: lazyRouteComponent(() => import('./states/show.tsx'), 'StateScreen'),
});
export const stateDifference = createRoute({
  getParentRoute: () => states,
  path: '/~diff',
  component: lazyRouteComponent(() => import('./states/difference.tsx'), 'StateDifferenceScreen'),
});
export const configurations = createRoute({
  getParentRoute: () => workspace,
  path: '/configurations',
  staticData: { crumb: crumbs.configurations },
  component: lazyRouteComponent(() => import('./configurations/list.tsx'), 'ConfigurationsScreen'),
});
export const variables = createRoute({
  getParentRoute: () => workspace,
  path: '/variables',
  staticData: { crumb: crumbs.variables },
  component: lazyRouteComponent(() => import('./variables/list.tsx'), 'VariablesScreen'),
});
export const workspaceSettings = createRoute({
  getParentRoute: () => workspace,
  path: '/settings',
  staticData: { crumb: crumbs.workspaceSettings },
  component: lazyRouteComponent(() => import('./workspaces/settings.tsx'), 'WorkspaceSettings'),
});
export const workspaceSettingsHome = createRoute({
  getParentRoute: () => workspaceSettings,
  path: '/',
  component: () => {
    const { organization: of, workspace: name } = workspaceSettings.useParams();
    return <Navigate to={paths.workspaceSettings(of, name)} replace />;
  },
});
export const workspaceSettingsPage = createRoute({
  getParentRoute: () => workspaceSettings,
  path: '/$page',
  component: lazyRouteComponent(() => import('./workspaces/settings.tsx'), 'WorkspaceSettingsPage'),
});
/** What the command line prints for a run: the vendor's address has no /workspaces in it. */
export const runAlias = createRoute({
  getParentRoute: () => organization,
  path: '/$workspace/runs/$run',
  component: () => {
    const { organization: of, workspace: name, run: id } = runAlias.useParams();
    return <Navigate to={paths.run(of, name, id)} replace />;
  },
});
