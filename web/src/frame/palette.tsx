/** The palette: workspaces as you type, screens, teams, and an id or a pasted link that goes straight there. */
import { Modal } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useId, useState } from 'react';
import { answer, api } from '../api/client.ts';
import { included } from '../api/documents.ts';
import { paths } from '../paths.ts';
import { frame } from '../texts/frame.ts';
import { palette as text } from '../texts/palette.ts';
import { Icon, type IconName } from '../ui/icon.tsx';
import { LockMark, RunStatus } from '../workspaces/status.tsx';
import { visitedWorkspaces } from '../workspaces/visited.ts';

interface Choice {
  id: string;
  group: string;
  icon: IconName;
  label: string;
  hint?: string;
  end?: React.ReactNode;
  to: string;
}

export default function Palette({ organization, onClose }: { organization: string | undefined; onClose: () => void }) {
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const navigate = useNavigate();
  const listId = useId();
  const choices = useChoices(organization, typed.trim());
  const chosen = Math.min(at, choices.length - 1);
  const open = (choice: Choice | undefined) => {
    if (!choice) return;
    onClose();
    void navigate({ to: choice.to });
  };
  const onKey = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      event.preventDefault();
      setAt((chosen + step + choices.length) % Math.max(choices.length, 1));
    }
    if (event.key === 'Enter') {
      event.preventDefault();
      open(choices[chosen]);
    }
  };
  return (
    <Modal opened onClose={onClose} withCloseButton={false} size="xl" aria-label={frame.jump} title="">
      <div className="palette">
        <div className="palette-field">
          <Icon name="search" />
          <input
            data-autofocus
            role="combobox"
            aria-expanded="true"
            aria-controls={listId}
            aria-activedescendant={choices[chosen] && `${listId}-${chosen}`}
            aria-label={frame.jump}
            placeholder={frame.jump}
            value={typed}
            onChange={event => {
              setTyped(event.currentTarget.value);
              setAt(0);
            }}
            onKeyDown={onKey}
          />
          {organization && <span className="muted small">{text.inside(organization)}</span>}
          <kbd>Esc</kbd>
        </div>
        <div role="listbox" id={listId} className="palette-list" aria-label={text.results}>
          {choices.length === 0 && <p className="muted palette-empty">{text.nothing(typed)}</p>}
          {choices.map((choice, index) => (
            <div key={choice.id} role="presentation">
              {choice.group !== choices[index - 1]?.group && (
                <div className="palette-group" role="presentation">
                  {choice.group}
                </div>
              )}
              <div
                id={`${listId}-${index}`}
                role="option"
                tabIndex={-1}
                aria-selected={index === chosen}
                className="palette-choice"
                onMouseMove={() => setAt(index)}
                onClick={() => open(choice)}
                onKeyDown={onKey}
              >
                <Icon name={choice.icon} />
                <Marked text={choice.label} part={typed.trim()} />
                {choice.hint && <span className="muted">{choice.hint}</span>}
                <span className="palette-end">{choice.end}</span>
                {index === chosen && <kbd>Enter</kbd>}
              </div>
            </div>
          ))}
        </div>
        <div className="palette-foot small muted">
          <span>
            <kbd>↑</kbd> <kbd>↓</kbd> {text.move}
          </span>
          <span>
            <kbd>Enter</kbd> {text.open}
          </span>
          <span>
            <kbd>&gt;</kbd> {text.commands} <kbd>@</kbd> {text.people} <kbd>#</kbd> {text.tags}
          </span>
        </div>
      </div>
    </Modal>
  );
}

/** Where the typed part stands in a name is set off by its ground; the words stay whole for readers. */
function Marked({ text: whole, part }: { text: string; part: string }) {
  const at = part === '' ? -1 : whole.toLowerCase().indexOf(part.toLowerCase());
  if (at < 0) return <span className="strong">{whole}</span>;
  return (
    <span className="strong">
      {whole.slice(0, at)}
      <mark>{whole.slice(at, at + part.length)}</mark>
      {whole.slice(at + part.length)}
    </span>
  );
}

function useChoices(organization: string | undefined, typed: string): Choice[] {
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
  if (!organization) return screens(undefined, typed);
  const jump = straightThere(organization, typed);
  if (jump) return [jump];
  if (typed === '') return [...visited(organization), ...screens(organization, '')];
  if (mode === '#')
    return [
      {
        id: 'tag',
        group: frame.workspaces,
        icon: 'tag',
        label: text.tagged(words),
        to: `${paths.workspaces(organization)}?tag=${encodeURIComponent(words)}`,
      },
    ];
  const found: Choice[] = [];
  if (mode === '') {
    for (const workspace of workspaces.data?.data ?? []) {
      const document = workspaces.data!;
      const { name, locked } = workspace.attributes;
      found.push({
        id: workspace.id,
        group: frame.workspaces,
        icon: 'workspaces',
        label: name,
        hint: included(document, workspace.relationships.project, 'projects')?.attributes.name ?? '',
        end: (
          <>
            {locked && <LockMark workspace={workspace} document={document} />}
            <RunStatus run={included(document, workspace.relationships['current-run'], 'runs')} />
          </>
        ),
        to: paths.workspace(organization, name),
      });
    }
  }
  if (mode === '' || mode === '@')
    for (const team of teams.data?.data ?? [])
      found.push({
        id: team.id,
        group: text.goTo,
        icon: 'teams',
        label: text.team(team.attributes.name),
        to: paths.team(organization, team.id),
      });
  found.push(...screens(organization, words));
  if (mode === '')
    found.push({
      id: 'all',
      group: text.goTo,
      icon: 'filter',
      label: text.allWith(words),
      to: `${paths.workspaces(organization)}?q=${encodeURIComponent(words)}`,
    });
  return found;
}

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
