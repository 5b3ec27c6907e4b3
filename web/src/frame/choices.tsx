/** What the palette offers for what was typed: workspaces, teams, screens, and an id or a link that goes straight there. */
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { answer, api } from '../api/client.ts';
import { included } from '../api/documents.ts';
import { paths } from '../paths.ts';
import { frame } from '../texts/frame.ts';
import { palette as text } from '../texts/palette.ts';
import type { IconName } from '../ui/icon.tsx';
import { LockMark, RunStatus } from '../workspaces/status.tsx';
import { visitedWorkspaces } from '../workspaces/visited.ts';
import type { Workspace } from '../workspaces/workspaces.ts';
import type { Arrival } from './arrival.ts';

export interface Choice {
  id: string;
  group: string;
  icon: IconName;
  label: string;
  hint?: string;
  end?: ReactNode;
  to: string;
  /** What is done there on arrival. */
  arrival?: Arrival;
  /** Of a workspace: what can be done in it is offered by Tab. */
  workspace?: Workspace;
}

interface Choices {
  choices: Choice[];
  /** Whether they are those for what has been typed by now. */
  areSettled: boolean;
}

export function useChoices(organization: string | undefined, typed: string): Choices {
  const [asked] = useDebouncedValue(typed, 120);
  const mode = /^[>@#]/.test(asked) ? asked[0] : '';
  const words = mode ? asked.slice(1).trim() : asked;
  const workspaces = useQuery({
    queryKey: ['palette', organization, 'workspaces', words],
    enabled: organization !== undefined && mode === '' && words !== '',
    placeholderData: keepPreviousData,
    queryFn: () =>
      answer(
        api.GET('/organizations/{organization_name}/workspaces', {
          params: {
            path: { organization_name: organization! },
            query: { 'search[name]': words, 'page[size]': 8, include: ['current_run', 'project', 'locked_by'] },
          },
        }),
      ),
  });
  const teams = useQuery({
    queryKey: ['palette', organization, 'teams', words],
    enabled: organization !== undefined && (mode === '@' || (mode === '' && words !== '')),
    placeholderData: keepPreviousData,
    queryFn: () =>
      answer(
        api.GET('/organizations/{organization_name}/teams', {
          params: { path: { organization_name: organization! }, query: { q: words, 'page[size]': 8 } },
        }),
      ),
  });
  const isWaiting = (query: typeof workspaces | typeof teams) =>
    query.isFetching && (query.isPlaceholderData || query.isLoading);
  const areSettled = asked === typed && !isWaiting(workspaces) && !isWaiting(teams);
  const settled = (choices: Choice[]): Choices => ({ choices, areSettled });
  if (!organization) return { choices: screens(undefined, typed), areSettled: true };
  const jump = straightThere(organization, typed);
  if (jump) return { choices: [jump], areSettled: true };
  if (typed === '') return { choices: [...visited(organization), ...screens(organization, '')], areSettled: true };
  if (mode === '#') return settled([tagged(organization, words)]);
  return settled([
    ...(mode === '' ? (workspaces.data?.data ?? []).map(one => ofWorkspace(organization, one, workspaces.data!)) : []),
    ...(mode === '' || mode === '@' ? (teams.data?.data ?? []).map(one => ofTeam(organization, one)) : []),
    ...screens(organization, words),
    ...(mode === '' ? [allWith(organization, words)] : []),
  ]);
}

function ofWorkspace(organization: string, workspace: Workspace, document: { included?: readonly object[] }): Choice {
  const { id, attributes, relationships } = workspace;
  return {
    id,
    group: frame.workspaces,
    icon: 'workspaces',
    label: attributes.name,
    hint: included(document, relationships.project, 'projects')?.attributes.name ?? '',
    end: (
      <>
        {attributes.locked && <LockMark workspace={workspace} document={document} />}
        <RunStatus run={included(document, relationships['current-run'], 'runs')} />
      </>
    ),
    to: paths.workspace(organization, attributes.name),
    workspace,
  };
}

const ofTeam = (organization: string, { id, attributes }: { id: string; attributes: { name: string } }): Choice => ({
  id,
  group: text.goTo,
  icon: 'teams',
  label: text.team(attributes.name),
  to: paths.team(organization, id),
});

const tagged = (organization: string, tag: string): Choice => ({
  id: 'tag',
  group: frame.workspaces,
  icon: 'tag',
  label: text.tagged(tag),
  to: `${paths.workspaces(organization)}?tag=${encodeURIComponent(tag)}`,
});

const allWith = (organization: string, words: string): Choice => ({
  id: 'all',
  group: text.goTo,
  icon: 'filter',
  label: text.allWith(words),
  to: `${paths.workspaces(organization)}?q=${encodeURIComponent(words)}`,
});

function visited(organization: string): Choice[] {
  return visitedWorkspaces(organization).map(name => ({
    id: `visited ${name}`,
    group: text.visited,
    icon: 'clock' as const,
    label: name,
    to: paths.workspace(organization, name),
  }));
}

function screens(organization: string | undefined, words: string): Choice[] {
  const all: [IconName, string, string][] = organization
    ? [
        ['workspaces', frame.workspaces, paths.workspaces(organization)],
        ['plus', text.newWorkspace, paths.newWorkspace(organization)],
        ['project', frame.projects, paths.projects(organization)],
        ['runs', frame.runs, paths.runs(organization)],
        ['braces', frame.variableSets, paths.variableSets(organization)],
        ['teams', frame.teams, paths.teams(organization)],
        ['member', frame.members, paths.members(organization)],
        ['audit', frame.audit, paths.audit(organization)],
        ['settings', frame.settings, paths.settings(organization)],
      ]
    : [];
  all.push(['key', frame.tokens, paths.account('tokens')], ['member', frame.profile, paths.account('profile')]);
  const wanted = words.toLowerCase();
  return all
    .filter(([, label]) => label.toLowerCase().includes(wanted))
    .map(([icon, label, to]) => ({ id: to, group: text.goTo, icon, label, to }));
}

/** An id, or a link of this server. */
function straightThere(organization: string, typed: string): Choice | undefined {
  const link = /^https?:\/\/[^/]+\/app(\/.*)$/.exec(typed)?.[1];
  if (link && typed.startsWith(window.location.origin))
    return { id: 'link', group: text.goTo, icon: 'link', label: link, to: link };
  const [, kind] = /^(ws|run|team|prj)-[A-Za-z0-9]{16}$/.exec(typed) ?? [];
  if (!kind) return undefined;
  const to = {
    ws: `/~/workspaces/${typed}`,
    run: `/~/runs/${typed}`,
    team: paths.team(organization, typed),
    prj: paths.project(organization, typed),
  }[kind]!;
  return { id: typed, group: text.goTo, icon: 'enter', label: typed, to };
}
