/** …/teams/<id>: fourteen switches, and what they mean in plain words. */
import { Button, Switch } from '@mantine/core';
import { useState } from 'react';
import { common } from '../texts/common.ts';
import { type Permission, permissions, teams as text } from '../texts/teams.ts';
import { useFault } from '../ui/fault.tsx';
import { Icon } from '../ui/icon.tsx';
import { Card } from '../ui/parts.tsx';
import { readAgain, useSaving } from '../ui/saving.tsx';
import { tell } from '../ui/tell.tsx';
import { useTeam } from './layout.tsx';
import { changes, isImplied, labelOf, type Switches, switched } from './permissions.ts';
import { teamQuery, updateTeam } from './teams.ts';

export function TeamAccessScreen() {
  const { id, query } = useTeam();
  const [edited, setEdited] = useState<{ before: Switches; on: Switches } | null>(null);
  const [fault, attempt, isBusy] = useFault();
  const [send, conflict] = useSaving<Switches>({
    labelOf,
    read: () => readAgain(teamQuery(id), ({ data }) => data.attributes['organization-access']),
    save: (access, meant) => updateTeam(id, { 'organization-access': access }, meant),
  });
  if (!query.data) return null;
  const { attributes } = query.data.data;
  const held = attributes['organization-access'] as Switches;
  const before = edited?.before ?? held;
  const on = edited?.on ?? held;
  const isOwners = attributes.name === 'owners';
  const mayChange = (attributes.permissions as Record<string, boolean>)['can-update-organization-access'] ?? false;
  const changed = changes(before, on);
  const names = Object.keys(changed).map(labelOf);
  const save = async () => {
    const finish = (saved: Switches | null) => {
      if (saved === null) return;
      setEdited(null);
      if (Object.keys(saved).length > 0) tell(common.saved);
    };
    await attempt(async () => finish(await send(before, changed)));
  };
  return (
    <div className="columns">
      <div className="stack">
        {isOwners && <p className="notice">{text.ownersFixed}</p>}
        {!isOwners && !mayChange && <p className="notice">{text.noChange}</p>}
        {(Object.keys(text.groups) as Permission['group'][]).map(group => (
          <Card key={group} title={text.groups[group]} flush>
            {permissions
              .filter(permission => permission.group === group)
              .map(permission => (
                <PermissionRow
                  key={permission.key}
                  permission={permission}
                  on={isOwners ? Object.fromEntries(permissions.map(({ key }) => [key, true])) : on}
                  isChanged={permission.key in changed}
                  isFixed={isOwners || !mayChange}
                  onSwitch={isOn => setEdited({ before, on: switched(on, permission.key, isOn) })}
                />
              ))}
          </Card>
        ))}
        {fault}
        {conflict}
        {names.length > 0 && (
          <div className="save-bar">
            <span className="grow" role="status">
              {common.unsaved(names.join(', '))}
            </span>
            <Button variant="default" onClick={() => setEdited(null)}>
              {common.discard}
            </Button>
            <Button variant="filled" loading={isBusy} onClick={() => void save()}>
              {common.saveChanges}
            </Button>
          </div>
        )}
      </div>
      <aside className="stack" aria-label={text.plain}>
        <PlainWords name={attributes.name} isOwners={isOwners} on={on} changed={changed} />
      </aside>
    </div>
  );
}

interface RowProps {
  permission: Permission;
  on: Switches;
  isChanged: boolean;
  isFixed: boolean;
  onSwitch: (isOn: boolean) => void;
}

function PermissionRow({ permission, on, isChanged, isFixed, onSwitch }: RowProps) {
  const { key, label, does, impliedBy, needs, isUnused } = permission;
  const implied = isImplied(permission, on);
  return (
    <div className="card-row permission" data-changed={isChanged || undefined}>
      <Switch
        checked={implied || (on[key] ?? false)}
        aria-disabled={implied || isFixed}
        onChange={event => !implied && !isFixed && onSwitch(event.currentTarget.checked)}
        label={
          <>
            <span className="strong">{label}</span> <span className="mono faint">{key}</span>{' '}
            {isChanged && (
              <span className="badge" data-group="running">
                {text.changed}
              </span>
            )}
            {isUnused && <span className="badge">{text.unused}</span>}
          </>
        }
        description={
          <>
            {does}
            {implied && impliedBy && (
              <span className="line">
                <Icon name="link" size={14} /> {text.impliedBy(labelOf(impliedBy))}
              </span>
            )}
            {needs && (
              <span className="line">
                <Icon name="info" size={14} /> {text.needs(labelOf(needs))}
              </span>
            )}
          </>
        }
      />
    </div>
  );
}

interface WordsProps {
  name: string;
  isOwners: boolean;
  on: Switches;
  changed: Switches;
}

function PlainWords({ name, isOwners, on, changed }: WordsProps) {
  const said = permissions.filter(
    permission => permission.says && !isImplied(permission, on) && (on[permission.key] || permission.key in changed),
  );
  return (
    <Card title={text.plain}>
      <div className="stack tight">
        <p>{text.plainHead(name)}</p>
        {isOwners && <p>{text.ownersFixed}</p>}
        {!isOwners && said.length === 0 && <p className="muted">{text.plainNothing}</p>}
        <ul className="steps">
          {!isOwners &&
            said.map(({ key, says }) => {
              const isNew = key in changed && on[key];
              const isGone = key in changed && !on[key];
              return (
                <li key={key} className={isNew ? 'link' : ''}>
                  <Icon name={isGone ? 'minus' : isNew ? 'plus' : 'check'} className={isGone ? 'bad' : 'good'} />
                  <span>{isGone ? <s>{says}</s> : says}</span>
                </li>
              );
            })}
        </ul>
        {!isOwners && <p className="muted">{text.plainNot}</p>}
      </div>
    </Card>
  );
}
