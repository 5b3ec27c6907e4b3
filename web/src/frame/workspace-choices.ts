/** What can be done in one workspace, for the palette. What may not be done is its question why. */
import { paths } from '../paths.ts';
import { palette as text } from '../texts/palette.ts';
import { workspace as words } from '../texts/workspace.ts';
import type { IconName } from '../ui/icon.tsx';
import type { Workspace } from '../workspaces/workspaces.ts';
import type { Arrival } from './arrival.ts';
import type { Choice } from './choices.tsx';

export function actsIn(organization: string, { id, attributes }: Workspace, typed: string): Choice[] {
  const { name, locked, permissions } = attributes;
  const home = paths.workspace(organization, name);
  const act = (icon: IconName, arrival: Arrival, may: boolean, label: string): Choice => ({
    id: `${id} ${arrival}`,
    group: name,
    icon: may ? icon : 'help',
    label: may ? label : text.whyNot(label),
    to: home,
    arrival,
  });
  const screen = (icon: IconName, label: string, to: string): Choice => ({ id: to, group: name, icon, label, to });
  const choices = [
    locked
      ? act('unlock', 'unlock', permissions['can-unlock'] || permissions['can-force-unlock'], text.unlock)
      : act('lock', 'lock', permissions['can-lock'], text.lock),
    act('plus', 'run', permissions['can-queue-run'], text.run),
    screen('workspaces', words.tabs.overview, home),
    screen('runs', words.tabs.runs, paths.workspaceRuns(organization, name)),
    screen('clock', words.tabs.states, paths.states(organization, name)),
    screen('braces', words.tabs.variables, paths.variables(organization, name)),
    screen('settings', words.tabs.settings, paths.workspaceSettings(organization, name)),
    screen('teams', text.access, paths.workspaceSettings(organization, name, 'team-access')),
  ];
  const wanted = typed.trim().toLowerCase();
  return choices.filter(({ label }) => label.toLowerCase().includes(wanted));
}
