/** …/settings/team-access: which teams may do what with this workspace. */
import { ActionIcon, Button, Select, Switch } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { cache } from '../api/cache.ts';
import { answer, api, type Changed, documentOf, type Resource } from '../api/client.ts';
import { everyPage } from '../api/documents.ts';
import { paths } from '../paths.ts';
import { teamsQuery } from '../teams/teams.ts';
import { settings } from '../texts/settings.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Icon } from '../ui/icon.tsx';
import { Loaded, Skeleton } from '../ui/loaded.tsx';
import { Avatar, Card } from '../ui/parts.tsx';
import { readingOf, useSaving } from '../ui/saving.tsx';
import { tellFailure } from '../ui/tell.tsx';
import { Holders } from './holders.tsx';
import { useWorkspace } from './workspace.ts';

const text = settings.access;
type Access = Resource<'team-workspaces'>;
type Attributes = Changed<'team-workspaces'>;
type Level = Access['attributes']['access'];

const accessKey = (id: string) => ['team-workspaces', id];
const changed = () => cache.invalidateQueries({ queryKey: ['team-workspaces'] });

/** What is chosen holds at once, unless somebody else has chosen otherwise since it was shown. */
function useAccessChange({ id, attributes }: Access): [(given: Attributes) => void, ReactNode] {
  const at = { params: { path: { team_workspace_id: id } } };
  const [send, conflict] = useSaving<Attributes>({
    labelOf: key => text.custom[key as keyof typeof text.custom] ?? text.level,
    wordOf: (_key, value) => text.levels[String(value)],
    read: async () => readingOf(await answer(api.GET('/team-workspaces/{team_workspace_id}', at))),
    save: (given, meant) =>
      answer(
        api.PATCH('/team-workspaces/{team_workspace_id}', {
          ...at,
          ...meant,
          body: documentOf('team-workspaces', given),
        }),
      ),
  });
  return [given => void send(attributes, given).then(changed, tellFailure), conflict];
}

const remove = (id: string) =>
  void answer(api.DELETE('/team-workspaces/{team_workspace_id}', { params: { path: { team_workspace_id: id } } })).then(
    changed,
    tellFailure,
  );

export function TeamAccess() {
  const { organization, query } = useWorkspace();
  const [isOpen, setOpen] = useState(false);
  const workspace = query.data?.data;
  const id = workspace?.id ?? '';
  const mayChange = workspace?.attributes.permissions['can-update'] ?? false;
  const teams = useQuery(teamsQuery(organization));
  const accesses = useQuery({
    queryKey: accessKey(id),
    enabled: id !== '',
    queryFn: () =>
      everyPage(page =>
        answer(
          api.GET('/team-workspaces', {
            params: { query: { 'filter[workspace][id]': id, 'page[number]': page, 'page[size]': 100 } },
          }),
        ),
      ),
  });
  if (!workspace) return null;
  const held = (accesses.data ?? []).map(access => access.relationships.team.data?.id);
  return (
    <>
      <Card
        title={text.title}
        flush
        action={
          mayChange && (
            <Button
              size="xs"
              variant="default"
              leftSection={<Icon name="plus" size={14} />}
              onClick={() => setOpen(true)}
            >
              {text.add}
            </Button>
          )
        }
      >
        <p className="card-row muted">{text.detail}</p>
        <Loaded query={accesses} skeleton={<Skeleton rows={4} />}>
          {all => (
            <>
              {all.length === 0 && <p className="card-body muted">{text.none}</p>}
              {all.map(access => {
                const teamId = access.relationships.team.data?.id ?? '';
                const name = teams.data?.find(team => team.id === teamId)?.attributes.name ?? teamId;
                return (
                  <AccessRow
                    key={access.id}
                    organization={organization}
                    access={access}
                    teamId={teamId}
                    name={name}
                    mayChange={mayChange}
                  />
                );
              })}
            </>
          )}
        </Loaded>
        {isOpen && (
          <AddTeam
            workspaceId={id}
            teams={(teams.data ?? [])
              .filter(team => !held.includes(team.id) && team.attributes.name !== 'owners')
              .map(team => ({ value: team.id, label: team.attributes.name }))}
            onClose={() => setOpen(false)}
          />
        )}
      </Card>
      {workspace.attributes.permissions['can-update'] && <Holders workspaceId={id} />}
    </>
  );
}

interface RowProps {
  organization: string;
  access: Access;
  teamId: string;
  name: string;
  mayChange: boolean;
}

const levels = Object.entries(text.levels)
  .filter(([value]) => value !== 'maintain')
  .map(([value, label]) => ({ value, label }));

function AccessRow({ organization, access, teamId, name, mayChange }: RowProps) {
  const { attributes } = access;
  const [change, conflict] = useAccessChange(access);
  return (
    <div className="card-row stack tight">
      <div className="line wrap">
        <Avatar name={name} id={teamId} />
        <Link className="link sentence anywhere" to={paths.team(organization, teamId)}>
          {name}
        </Link>
        <span className="muted only-wide">{text.hints[attributes.access]}</span>
        <Select
          aria-label={`${text.level}: ${name}`}
          data={levels}
          value={attributes.access}
          disabled={!mayChange}
          onChange={level => level && change({ access: level as Level })}
        />
        {mayChange && (
          <ActionIcon variant="subtle" aria-label={text.remove(name)} onClick={() => remove(access.id)}>
            <Icon name="x" />
          </ActionIcon>
        )}
      </div>
      {attributes.access === 'custom' && <Custom attributes={attributes} mayChange={mayChange} onChange={change} />}
      {conflict}
    </div>
  );
}

const choices = {
  runs: ['read', 'plan', 'apply'],
  variables: ['none', 'read', 'write'],
  'state-versions': ['none', 'read-outputs', 'read', 'write'],
} as const;

interface CustomProps {
  attributes: Access['attributes'];
  mayChange: boolean;
  onChange: (given: Attributes) => void;
}

function Custom({ attributes, mayChange, onChange }: CustomProps) {
  return (
    <fieldset className="line wrap custom-access" disabled={!mayChange}>
      {(Object.keys(choices) as (keyof typeof choices)[]).map(key => (
        <Select
          key={key}
          label={text.custom[key]}
          data={[...choices[key]]}
          value={attributes[key]}
          onChange={value => value && onChange({ [key]: value })}
        />
      ))}
      {(['workspace-locking', 'run-tasks'] as const).map(key => (
        <Switch
          key={key}
          label={text.custom[key]}
          checked={attributes[key]}
          onChange={event => onChange({ [key]: event.currentTarget.checked })}
        />
      ))}
    </fieldset>
  );
}

interface AddProps {
  workspaceId: string;
  teams: { value: string; label: string }[];
  onClose: () => void;
}

function AddTeam({ workspaceId, teams, onClose }: AddProps) {
  const [team, setTeam] = useState<string | null>(null);
  const [level, setLevel] = useState<Level>('read');
  const add = async () => {
    if (!team) return;
    await answer(
      api.POST('/team-workspaces', {
        body: {
          data: {
            type: 'team-workspaces',
            attributes: { access: level },
            relationships: {
              team: { data: { type: 'teams', id: team } },
              workspace: { data: { type: 'workspaces', id: workspaceId } },
            },
          },
        },
      }),
    );
    onClose();
    await changed();
  };
  return (
    <Dialog
      title={text.add.replace('…', '')}
      opened
      onClose={onClose}
      submit={text.addSubmit}
      submitDisabled={!team}
      onSubmit={add}
    >
      <Select label={text.team} searchable data-autofocus data={teams} value={team} onChange={setTeam} />
      <Select
        label={text.level}
        description={text.hints[level]}
        data={levels}
        value={level}
        onChange={value => value && setLevel(value as Level)}
      />
    </Dialog>
  );
}
