/** The tree of addresses. A screen is fetched when somebody goes there, and before, when a link is pointed at. */
import { createRouter } from '@tanstack/react-router';
import {
  account,
  accountPage,
  administration,
  administrationPage,
  arrived,
  authorize,
  home,
  loginAlias,
  root,
  runById,
  setPassword,
  signedIn,
  signIn,
  welcome,
  workspaceById,
} from './base-routes.tsx';
import { NotFound } from './frame/not-found.tsx';
import {
  audit,
  members,
  organization,
  organizationHome,
  organizationRunList,
  organizationRuns,
  project,
  projectList,
  projects,
  runQueue,
  settings,
  settingsHome,
  settingsPage,
  team,
  teamAccess,
  teamList,
  teamMembers,
  teamPlaces,
  teamSettings,
  teams,
  teamTokens,
  variableSet,
  variableSetList,
  variableSets,
} from './organization-routes.tsx';
import { parseSearch, stringifySearch } from './search.ts';
import { Failure } from './ui/loaded.tsx';
import {
  configurations,
  newWorkspace,
  overview,
  run,
  runAlias,
  runList,
  runs,
  state,
  stateDifference,
  stateList,
  states,
  variables,
  workspace,
  workspaceList,
  workspaceSettings,
  workspaceSettingsHome,
  workspaceSettingsPage,
  workspaces,
} from './workspace-routes.tsx';

const tree = root.addChildren([
  setPassword,
  signIn,
  arrived,
  authorize,
  signedIn.addChildren([
    home,
    welcome,
    account.addChildren([accountPage]),
    loginAlias,
    administration.addChildren([administrationPage]),
    workspaceById,
    runById,
    organization.addChildren([
      organizationHome,
      projects.addChildren([projectList, project]),
      organizationRuns.addChildren([organizationRunList, runQueue]),
      variableSets.addChildren([variableSetList, variableSet]),
      teams.addChildren([teamList, team.addChildren([teamAccess, teamPlaces, teamMembers, teamTokens, teamSettings])]),
      members,
      audit,
      settings.addChildren([settingsHome, settingsPage]),
      runAlias,
      workspaces.addChildren([
        workspaceList,
        newWorkspace,
        workspace.addChildren([
          overview,
          runs.addChildren([runList, run]),
          states.addChildren([stateList, state, stateDifference]),
          configurations,
          variables,
          workspaceSettings.addChildren([workspaceSettingsHome, workspaceSettingsPage]),
        ]),
      ]),
    ]),
  ]),
]);

export const router = createRouter({
  routeTree: tree,
  basepath: '/app',
  parseSearch,
  stringifySearch,
  defaultPreload: 'intent',
  defaultNotFoundComponent: NotFound,
  defaultErrorComponent: ({ error, reset }) => <Failure failure={error} retry={reset} />,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
