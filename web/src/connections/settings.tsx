/** …/settings/version-control: where configurations are fetched from. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { organizationQuery } from '../organizations/organizations.ts';
import { projectsQuery } from '../projects/projects.ts';
import { common } from '../texts/common.ts';
import { connections as text } from '../texts/connections.ts';
import { organization as words } from '../texts/organization.ts';
import { CreateDialog } from '../ui/create-dialog.tsx';
import { EditDialog } from '../ui/edit-dialog.tsx';
import type { Field } from '../ui/field.tsx';
import { RecordList } from '../ui/record-list.tsx';
import type { RowAct } from '../ui/row-acts.tsx';
import type { Column } from '../ui/rows.tsx';
import type { Values } from '../ui/saving.tsx';
import { tell, tellFailure } from '../ui/tell.tsx';
import { addressesOf, apiOf } from './addresses.ts';
import {
  type Connection,
  type ConnectionChanges,
  type ConnectionList,
  connectionName,
  connectionsQuery,
  createConnection,
  deleteConnection,
  givenOf,
  type NewConnection,
  readConnection,
  setPrivateKey,
  tokenOf,
  updateConnection,
} from './connections.ts';
import { Webhook } from './webhook.tsx';

type Open = { act: 'edit' | 'key'; connection: Connection } | { act: 'new' } | null;

export function ConnectionSettings({ organization }: { organization: string }) {
  const [open, setOpen] = useState<Open>(null);
  const [shownId, setShownId] = useState<string | null>(null);
  const query = useQuery(connectionsQuery(organization));
  const { data: found } = useQuery(organizationQuery(organization));
  const mayChange = found?.data.attributes.permissions['can-update-oauth'] ?? false;
  const shown = query.data?.data.find(({ id }) => id === shownId);
  return (
    <>
      <RecordList
        title={text.title}
        query={query}
        none={{ title: text.none, detail: text.noneDetail }}
        add={mayChange && { label: text.add, onClick: () => setOpen({ act: 'new' }) }}
        columns={columnsOf(query.data, shownId, setShownId)}
        nameOf={connectionName}
        acts={mayChange ? connection => actsOf(query.data, connection, setOpen) : undefined}
        removal={
          mayChange && {
            label: connection => words.remove(connectionName(connection)),
            title: connection => words.removeTitle(connectionName(connection)),
            ends: <p>{words.removeEnds}</p>,
            submit: words.removeSubmit,
            remove: deleteConnection,
          }
        }
      />
      {shown && <Webhook key={shown.id} organization={organization} connection={shown} mayChange={mayChange} />}
      {open && <Dialogs organization={organization} list={query.data} open={open} onClose={() => setOpen(null)} />}
    </>
  );
}

const columnsOf = (
  list: ConnectionList | undefined,
  shownId: string | null,
  onShow: (id: string | null) => void,
): Column<Connection>[] => [
  {
    title: text.name,
    cell: connection => (
      <span className="line wrap">
        <button
          type="button"
          className="link anywhere"
          aria-expanded={connection.id === shownId}
          onClick={() => onShow(connection.id === shownId ? null : connection.id)}
        >
          {connectionName(connection)}
        </button>
        {tokenOf(list, connection)?.attributes['has-ssh-key'] && <span className="badge">{text.hasKey}</span>}
        {!connection.attributes['organization-scoped'] && <span className="badge">{text.chosenProjects}</span>}
      </span>
    ),
  },
  {
    title: text.provider,
    width: 'quarter',
    cell: ({ attributes }) => attributes['service-provider-display-name'],
  },
  {
    title: text.http,
    width: 'third',
    cell: ({ attributes }) => <span className="mono muted">{attributes['http-url']}</span>,
  },
];

function actsOf(list: ConnectionList | undefined, connection: Connection, onOpen: (open: Open) => void): RowAct[] {
  const token = tokenOf(list, connection);
  const takeAway = (id: string) =>
    void setPrivateKey(id, null).then(() => tell(text.keyGone(connectionName(connection))), tellFailure);
  return [
    { label: words.edit, icon: 'pencil', onClick: () => onOpen({ act: 'edit', connection }) },
    ...(token ? [{ label: text.key, icon: 'key' as const, onClick: () => onOpen({ act: 'key', connection }) }] : []),
    ...(token?.attributes['has-ssh-key']
      ? [{ label: text.keyRemove, icon: 'x' as const, onClick: () => takeAway(token.id) }]
      : []),
  ];
}

const fieldsOf = (projects: Field['options'], tokenHint: string): Field<keyof NewConnection>[] => [
  { key: 'name', label: text.name, kind: 'text', isNullable: true },
  {
    key: 'service-provider',
    label: text.provider,
    kind: 'choice',
    options: Object.entries(text.providers).map(([value, label]) => ({ value, label })),
  },
  { key: 'http-url', label: text.http, hint: text.httpHint, kind: 'text', isMono: true },
  { key: 'api-url', label: text.api, hint: text.apiHint, kind: 'text', isMono: true },
  { key: 'oauth-token-string', label: text.token, hint: tokenHint, kind: 'secret' },
  { key: 'organization-scoped', label: text.scope, hint: text.scopeHint, kind: 'switch' },
  { key: 'projects', label: text.projects, kind: 'choices', options: projects ?? [] },
];

const usual = {
  'service-provider': 'github',
  ...addressesOf('github'),
  'organization-scoped': true,
} as const;

/** A kind of connection brings its addresses, and the address of a server that of its API. */
function follows(values: Values, key: string): Values {
  const provider = values['service-provider'] as NewConnection['service-provider'];
  if (key === 'service-provider') return addressesOf(provider);
  return key === 'http-url' ? { 'api-url': apiOf(provider, String(values['http-url'])) } : {};
}

interface DialogsProps {
  organization: string;
  list: ConnectionList | undefined;
  open: NonNullable<Open>;
  onClose: () => void;
}

function Dialogs({ organization, list, open, onClose }: DialogsProps) {
  const projects = useQuery(projectsQuery(organization));
  const options = (projects.data ?? []).map(({ id, attributes }) => ({ value: id, label: attributes.name }));
  if (open.act === 'new')
    return (
      <CreateDialog<NewConnection>
        title={text.submit}
        submit={text.submit}
        initial={usual}
        fields={fieldsOf(options, text.tokenHint)}
        follows={follows}
        create={given => createConnection(organization, given)}
        onClose={onClose}
      />
    );
  const { connection } = open;
  if (open.act === 'key')
    return (
      <CreateDialog<{ 'ssh-key': string }>
        title={text.keyTitle(connectionName(connection))}
        submit={text.keySubmit}
        fields={[{ key: 'ssh-key', label: text.keyLabel, hint: text.keyHint, kind: 'lines' }]}
        create={given => setPrivateKey(tokenOf(list, connection)?.id ?? '', given['ssh-key'] ?? '')}
        onClose={onClose}
      />
    );
  return (
    <EditDialog<ConnectionChanges>
      title={words.editTitle(connectionName(connection))}
      submit={common.saveChanges}
      fields={fieldsOf(options, text.tokenKeep)}
      values={givenOf(connection)}
      read={() => readConnection(connection.id)}
      save={(given, meant) => updateConnection(connection.id, given, meant)}
      onClose={onClose}
    />
  );
}
