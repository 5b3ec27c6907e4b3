/** …/states/<id>: one version, what it holds, and what can be done with it. */
import { Button, Menu } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { included } from '../api/documents.ts';
import { paths } from '../paths.ts';
import { useAccount } from '../session/account.ts';
import { states as text } from '../texts/states.ts';
import { workspace as words } from '../texts/workspace.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Icon } from '../ui/icon.tsx';
import { Loaded, Skeleton } from '../ui/loaded.tsx';
import { Card, Facts } from '../ui/parts.tsx';
import { saveFile } from '../ui/save-file.ts';
import { tellFailure } from '../ui/tell.tsx';
import { Time } from '../ui/time.tsx';
import { holderOf } from '../workspaces/status.tsx';
import { useWorkspace } from '../workspaces/workspace.ts';
import { changeData, readState, rollBack, type StateVersion, sizeOf, stateQuery } from './states.ts';

export function StateScreen() {
  const { organization, name } = useWorkspace();
  const { state } = useParams({ strict: false }) as { state: string };
  const query = useQuery(stateQuery(state));
  return (
    <Loaded query={query} skeleton={<Skeleton />}>
      {document => {
        const { attributes, relationships, id } = document.data;
        const who = included(document, relationships['created-by'], 'users');
        return (
          <div className="stack">
            <div className="line wrap">
              <Link className="link" to={paths.states(organization, name)}>
                {text.back}
              </Link>
              <h2 className="grow">{text.serial(attributes.serial)}</h2>
              <Acts version={document.data} />
            </div>
            <div className="columns">
              <ResourceCounts version={document.data} />
              <Card title={text.facts}>
                <Facts
                  facts={[
                    [
                      'ID',
                      <span key="i" className="mono">
                        {id}
                      </span>,
                    ],
                    [text.columns.status, text.status[attributes.status]],
                    [text.columns.created, <Time key="t" at={attributes['created-at']} />],
                    [text.columns.who, who?.attributes.username],
                    [text.columns.size, sizeOf(attributes.size)],
                    [text.columns.version, attributes['terraform-version']],
                  ]}
                />
              </Card>
            </div>
          </div>
        );
      }}
    </Loaded>
  );
}

/** What is in it by type, as the server counted when it read the state. */
function ResourceCounts({ version: { attributes } }: { version: StateVersion }) {
  if (!attributes['resources-processed']) return <p className="muted">{text.noProcessed}</p>;
  const resources = attributes.resources as {
    name: string;
    type: string;
    count: number;
    module: string;
    provider: string;
  }[];
  return (
    <Card title={text.resources} flush>
      {resources.length === 0 ? (
        <p className="card-body muted">{words.noResources}</p>
      ) : (
        <table className="table">
          <caption className="hidden-text">{text.resources}</caption>
          <thead>
            <tr>
              <th scope="col">{words.resource.address}</th>
              <th scope="col" className="only-wide quarter">
                {words.resource.module}
              </th>
              <th scope="col" className="sixth end">
                {text.instances}
              </th>
            </tr>
          </thead>
          <tbody>
            {resources.map(({ name, type, module, count }) => (
              <tr key={`${module} ${type} ${name}`}>
                <td className="cut mono">{`${type}.${name}`}</td>
                <td className="cut mono muted only-wide">{module}</td>
                <td className="end">{count}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Card>
  );
}

type Open = 'rollback' | 'hide' | 'erase' | null;

function Acts({ version }: { version: StateVersion }) {
  const { name, query } = useWorkspace();
  const me = useAccount().data?.data.id;
  const [open, setOpen] = useState<Open>(null);
  const workspace = query.data?.data;
  if (!workspace || !query.data) return null;
  const { serial, status } = version.attributes;
  const { permissions } = workspace.attributes;
  const holder = holderOf(workspace, query.data);
  const isMine = workspace.attributes.locked && holder?.id === me;
  const close = () => setOpen(null);
  const download = () =>
    void readState(version).then(contents => saveFile(contents, `${name}-${serial}.tfstate`), tellFailure);
  return (
    <span className="line">
      <Button
        variant="default"
        leftSection={<Icon name="download" />}
        disabled={status !== 'finalized'}
        onClick={download}
      >
        {text.download}
      </Button>
      <Menu>
        <Menu.Target>
          <Button variant="default" aria-label={text.more}>
            <Icon name="more" />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {permissions['can-create-state-versions'] && (
            <Menu.Item disabled={!isMine} onClick={() => setOpen('rollback')}>
              {text.rollback}
              {!isMine && <span className="faint small"> {text.rollbackNeedsLock}</span>}
            </Menu.Item>
          )}
          {permissions['can-update'] && status === 'finalized' && (
            <Menu.Item onClick={() => setOpen('hide')}>{text.hide}</Menu.Item>
          )}
          {permissions['can-update'] && status === 'backing_data_soft_deleted' && (
            <>
              <Menu.Item onClick={() => void changeData(version.id, 'restore_backing_data').catch(tellFailure)}>
                {text.restore}
              </Menu.Item>
              <Menu.Item data-danger onClick={() => setOpen('erase')}>
                {text.erase}
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      <RollbackDialog opened={open === 'rollback'} onClose={close} version={version} workspaceId={workspace.id} />
      <Dialog
        danger
        opened={open === 'hide'}
        onClose={close}
        title={text.hideTitle(serial)}
        submit={text.hide.replace('…', '')}
        onSubmit={() => changeData(version.id, 'soft_delete_backing_data').then(close)}
      >
        <p>{text.hideDetail}</p>
      </Dialog>
      <Dialog
        danger
        opened={open === 'erase'}
        onClose={close}
        title={text.eraseTitle(serial)}
        submit={text.erase.replace('…', '')}
        onSubmit={() => changeData(version.id, 'permanently_delete_backing_data').then(close)}
      >
        <p>{text.eraseDetail}</p>
      </Dialog>
    </span>
  );
}

interface RollbackProps {
  opened: boolean;
  onClose: () => void;
  version: StateVersion;
  workspaceId: string;
}

/** Names both serials: what is written back, and what it replaces. */
function RollbackDialog({ opened, onClose, version, workspaceId }: RollbackProps) {
  const { query } = useWorkspace();
  const current = (
    query.data?.data.relationships['current-state-version'] as { data: { id: string } | null } | undefined
  )?.data?.id;
  const now = useQuery({ ...stateQuery(current ?? ''), enabled: opened && current !== undefined });
  const { serial } = version.attributes;
  return (
    <Dialog
      danger
      opened={opened}
      onClose={onClose}
      title={text.rollbackTitle(serial)}
      submit={text.rollbackSubmit}
      onSubmit={() => rollBack(workspaceId, version.id).then(onClose)}
    >
      <p>{text.rollbackDetail(now.data?.data.attributes.serial ?? 0, serial)}</p>
    </Dialog>
  );
}
