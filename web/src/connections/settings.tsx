/** …/settings/version-control: where configurations are fetched from. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { organizationQuery } from '../organizations/organizations.ts';
import { projectsQuery } from '../projects/projects.ts';
import { common } from '../texts/common.ts';
import { organization as text } from '../texts/organization.ts';
import { CreateDialog } from '../ui/create-dialog.tsx';
import { EditDialog } from '../ui/edit-dialog.tsx';
import type { Field } from '../ui/field.tsx';
import { RecordList } from '../ui/record-list.tsx';
import type { RowAct } from '../ui/row-acts.tsx';
import type { Column } from '../ui/rows.tsx';
import { tell, tellFailure } from '../ui/tell.tsx';
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

const providers = {
  github: 'GitHub',
  github_enterprise: 'GitHub Enterprise',
  gitlab_hosted: 'GitLab',
  gitlab_community_edition: 'GitLab Community Edition',
  gitlab_enterprise_edition: 'GitLab Enterprise Edition',
  bitbucket_hosted: 'Bitbucket Cloud',
  bitbucket_data_center: 'Bitbucket Data Center',
  bitbucket_server: 'Bitbucket Server',
  ado_services: 'Azure DevOps Services',
  ado_server: 'Azure DevOps Server',
};

type Open = { act: 'edit' | 'key'; connection: Connection } | { act: 'new' } | null;

export function ConnectionSettings({ organization }: { organization: string }) {
  const [open, setOpen] = useState<Open>(null);
  const query = useQuery(connectionsQuery(organization));
  const { data: found } = useQuery(organizationQuery(organization));
  const mayChange = found?.data.attributes.permissions['can-update-oauth'] ?? false;
  return (
    <>
      <RecordList
        title={text.pages['version-control']}
        query={query}
        none={{ title: text.vcsNone, detail: text.vcsDetail }}
        add={mayChange && { label: text.vcsAdd, onClick: () => setOpen({ act: 'new' }) }}
        columns={columnsOf(query.data)}
        nameOf={connectionName}
        acts={mayChange ? connection => actsOf(query.data, connection, setOpen) : undefined}
        removal={
          mayChange && {
            label: connection => text.remove(connectionName(connection)),
            title: connection => text.removeTitle(connectionName(connection)),
            ends: <p>{text.removeEnds}</p>,
            submit: text.removeSubmit,
            remove: deleteConnection,
          }
        }
      />
      {open && <Dialogs organization={organization} list={query.data} open={open} onClose={() => setOpen(null)} />}
    </>
  );
}

const columnsOf = (list: ConnectionList | undefined): Column<Connection>[] => [
  {
    title: text.vcsName,
    cell: connection => (
      <span className="line wrap">
        <span className="strong anywhere">{connectionName(connection)}</span>
        {tokenOf(list, connection)?.attributes['has-ssh-key'] && <span className="badge">{text.vcsHasKey}</span>}
        {!connection.attributes['organization-scoped'] && <span className="badge">{text.poolScoped}</span>}
      </span>
    ),
  },
  {
    title: text.vcsProvider,
    width: 'quarter',
    cell: ({ attributes }) => attributes['service-provider-display-name'],
  },
  {
    title: text.vcsHttp,
    width: 'third',
    cell: ({ attributes }) => <span className="mono muted">{attributes['http-url']}</span>,
  },
];

function actsOf(list: ConnectionList | undefined, connection: Connection, onOpen: (open: Open) => void): RowAct[] {
  const token = tokenOf(list, connection);
  const takeAway = (id: string) =>
    void setPrivateKey(id, null).then(() => tell(text.vcsKeyGone(connectionName(connection))), tellFailure);
  return [
    { label: text.edit, icon: 'pencil', onClick: () => onOpen({ act: 'edit', connection }) },
    ...(token ? [{ label: text.vcsKey, icon: 'key' as const, onClick: () => onOpen({ act: 'key', connection }) }] : []),
    ...(token?.attributes['has-ssh-key']
      ? [{ label: text.vcsKeyRemove, icon: 'x' as const, onClick: () => takeAway(token.id) }]
      : []),
  ];
}

const fieldsOf = (projects: Field['options'], tokenHint: string): Field<keyof NewConnection>[] => [
  { key: 'name', label: text.vcsName, kind: 'text', isNullable: true },
  {
    key: 'service-provider',
    label: text.vcsProvider,
    kind: 'choice',
    options: Object.entries(providers).map(([value, label]) => ({ value, label })),
  },
  { key: 'http-url', label: text.vcsHttp, kind: 'text', isMono: true },
  { key: 'api-url', label: text.vcsApi, kind: 'text', isMono: true },
  { key: 'oauth-token-string', label: text.vcsToken, hint: tokenHint, kind: 'secret' },
  { key: 'organization-scoped', label: text.vcsScope, hint: text.vcsScopeHint, kind: 'switch' },
  { key: 'projects', label: text.vcsProjects, kind: 'choices', options: projects ?? [] },
];

const usual = {
  'service-provider': 'github',
  'http-url': 'https://github.com',
  'api-url': 'https://api.github.com',
  'organization-scoped': true,
} as const;

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
        title={text.vcsSubmit}
        submit={text.vcsSubmit}
        initial={usual}
        fields={fieldsOf(options, text.vcsTokenHint)}
        create={given => createConnection(organization, given)}
        onClose={onClose}
      />
    );
  const { connection } = open;
  if (open.act === 'key')
    return (
      <CreateDialog<{ 'ssh-key': string }>
        title={text.vcsKeyTitle(connectionName(connection))}
        submit={text.vcsKeySubmit}
        fields={[{ key: 'ssh-key', label: text.vcsKeyLabel, hint: text.vcsKeyHint, kind: 'lines' }]}
        create={given => setPrivateKey(tokenOf(list, connection)?.id ?? '', given['ssh-key'] ?? '')}
        onClose={onClose}
      />
    );
  return (
    <EditDialog<ConnectionChanges>
      title={text.editTitle(connectionName(connection))}
      submit={common.saveChanges}
      fields={fieldsOf(options, text.vcsTokenKeep)}
      values={givenOf(connection)}
      read={() => readConnection(connection.id)}
      save={(given, meant) => updateConnection(connection.id, given, meant)}
      onClose={onClose}
    />
  );
}
