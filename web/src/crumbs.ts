/** The way from the organization to a screen, for the line above it. */
import type { Crumb } from './frame/top-bar.tsx';
import { paths } from './paths.ts';
import { account, administration } from './texts/account.ts';
import { frame as text } from './texts/frame.ts';
import { newWorkspace, workspace } from './texts/workspace.ts';

type Parameters = Record<string, string>;

/** A crumb of an organization, and one of a workspace in it. */
const of =
  (label: string, to: (organization: string) => string) =>
  (parameters: Parameters): Crumb => ({
    label,
    to: to(parameters['organization']!),
  });
const inside =
  (label: string, to: (organization: string, name: string) => string) =>
  (parameters: Parameters): Crumb => ({
    label,
    to: to(parameters['organization']!, parameters['workspace']!),
  });

export const crumbs = {
  organization: (parameters: Parameters): Crumb => ({
    label: parameters['organization']!,
    to: paths.organization(parameters['organization']!),
  }),
  account: (): Crumb => ({ label: account.title, to: paths.account('profile') }),
  administration: (): Crumb => ({ label: administration.title, to: paths.admin('users') }),
  workspaces: of(text.workspaces, paths.workspaces),
  newWorkspace: of(newWorkspace.title, paths.newWorkspace),
  projects: of(text.projects, paths.projects),
  runs: of(text.runs, paths.runs),
  variableSets: of(text.variableSets, paths.variableSets),
  teams: of(text.teams, paths.teams),
  members: of(text.members, paths.members),
  audit: of(text.audit, paths.audit),
  settings: of(text.settings, paths.settings),
  workspace: (parameters: Parameters): Crumb => ({
    label: parameters['workspace']!,
    to: paths.workspace(parameters['organization']!, parameters['workspace']!),
  }),
  workspaceRuns: inside(workspace.tabs.runs, paths.workspaceRuns),
  states: inside(workspace.tabs.states, paths.states),
  configurations: inside(workspace.tabs.configurations, paths.configurations),
  variables: inside(workspace.tabs.variables, paths.variables),
  workspaceSettings: inside(workspace.tabs.settings, paths.workspaceSettings),
};
