/** The screens of an organization, but for its workspaces. */
import { createRoute, lazyRouteComponent, Navigate } from '@tanstack/react-router';
import { signedIn } from './base-routes.tsx';
import { crumbs } from './crumbs.ts';
import { OrganizationScreens } from './frame/frame.tsx';
import { paths } from './paths.ts';

export const organization = createRoute({
  getParentRoute: () => signedIn,
  path: '/$organization',
  component: OrganizationScreens,
  staticData: { crumb: crumbs.organization },
});
export const organizationHome = createRoute({
  getParentRoute: () => organization,
  path: '/',
  component: () => <Navigate to={paths.workspaces(organization.useParams().organization)} replace />,
});
export const projects = createRoute({
  getParentRoute: () => organization,
  path: '/projects',
  staticData: { crumb: crumbs.projects },
});
export const projectList = createRoute({
  getParentRoute: () => projects,
  path: '/',
  component: lazyRouteComponent(() => import('./projects/list.tsx'), 'ProjectsScreen'),
});
export const project = createRoute({
  getParentRoute: () => projects,
  path: '/$project',
  component: lazyRouteComponent(() => import('./projects/show.tsx'), 'ProjectScreen'),
});
export const organizationRuns = createRoute({
  getParentRoute: () => organization,
  path: '/runs',
  staticData: { crumb: crumbs.runs },
});
export const organizationRunList = createRoute({
  getParentRoute: () => organizationRuns,
  path: '/',
  component: lazyRouteComponent(() => import('./runs/list.tsx'), 'OrganizationRunsScreen'),
});
export const runQueue = createRoute({
  getParentRoute: () => organizationRuns,
  path: '/~queue',
  component: lazyRouteComponent(() => import('./runs/queue.tsx'), 'RunQueueScreen'),
});
export const variableSets = createRoute({
  getParentRoute: () => organization,
  path: '/variable-sets',
  staticData: { crumb: crumbs.variableSets },
});
export const variableSetList = createRoute({
  getParentRoute: () => variableSets,
  path: '/',
  component: lazyRouteComponent(() => import('./variable-sets/list.tsx'), 'VariableSetsScreen'),
});
export const variableSet = createRoute({
  getParentRoute: () => variableSets,
  path: '/$set',
  component: lazyRouteComponent(() => import('./variable-sets/show.tsx'), 'VariableSetScreen'),
});
export const teams = createRoute({
  getParentRoute: () => organization,
  path: '/teams',
  staticData: { crumb: crumbs.teams },
});
export const teamList = createRoute({
  getParentRoute: () => teams,
  path: '/',
  component: lazyRouteComponent(() => import('./teams/list.tsx'), 'TeamsScreen'),
});
export const team = createRoute({
  getParentRoute: () => teams,
  path: '/$team',
  component: lazyRouteComponent(() => import('./teams/layout.tsx'), 'TeamLayout'),
});
export const teamAccess = createRoute({
  getParentRoute: () => team,
  path: '/',
  component: lazyRouteComponent(() => import('./teams/access.tsx'), 'TeamAccessScreen'),
});
export const teamPlaces = createRoute({
  getParentRoute: () => team,
  path: '/places',
  component: lazyRouteComponent(() => import('./teams/places.tsx'), 'TeamPlacesScreen'),
});
export const teamMembers = createRoute({
  getParentRoute: () => team,
  path: '/members',
  component: lazyRouteComponent(() => import('./teams/members.tsx'), 'TeamMembersScreen'),
});
export const teamTokens = createRoute({
  getParentRoute: () => team,
  path: '/tokens',
  component: lazyRouteComponent(() => import('./teams/tokens.tsx'), 'TeamTokensScreen'),
});
export const teamSettings = createRoute({
  getParentRoute: () => team,
  path: '/settings',
  component: lazyRouteComponent(() => import('./teams/settings.tsx'), 'TeamSettingsScreen'),
});
export const members = createRoute({
  getParentRoute: () => organization,
  path: '/members',
  staticData: { crumb: crumbs.members },
  component: lazyRouteComponent(() => import('./members/list.tsx'), 'MembersScreen'),
});
export const audit = createRoute({
  getParentRoute: () => organization,
  path: '/audit',
  staticData: { crumb: crumbs.audit },
  component: lazyRouteComponent(() => import('./audit/list.tsx'), 'AuditScreen'),
});
export const settings = createRoute({
  getParentRoute: () => organization,
  path: '/settings',
  staticData: { crumb: crumbs.settings },
  component: lazyRouteComponent(() => import('./organizations/settings.tsx'), 'OrganizationSettings'),
});
export const settingsHome = createRoute({
  getParentRoute: () => settings,
  path: '/',
  component: () => <Navigate to={paths.settings(settings.useParams().organization)} replace />,
});
export const settingsPage = createRoute({
  getParentRoute: () => settings,
  path: '/$page',
  component: lazyRouteComponent(() => import('./organizations/settings.tsx'), 'OrganizationSettingsPage'),
});
