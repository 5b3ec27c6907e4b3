/** …/configurations: every version that was uploaded or fetched, what became of it, and the runs of it. */
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type { Resource } from '../api/client.ts';
import { at, paths } from '../paths.ts';
import { configurations as text } from '../texts/configurations.ts';
import { Dialog } from '../ui/dialog.tsx';
import type { RowAct } from '../ui/row-acts.tsx';
import { type Column, Rows } from '../ui/rows.tsx';
import { tellFailure } from '../ui/tell.tsx';
import { Time } from '../ui/time.tsx';
import { useWorkspace } from '../workspaces/workspace.ts';
import {
  type Configuration,
  type ConfigurationList,
  change,
  commitOf,
  configurationsQuery,
  download,
  runsOfQuery,
  timeOf,
} from './configurations.ts';

type Asked = keyof typeof text.asks;

export function ConfigurationsScreen() {
  const { organization, name, query: workspace } = useWorkspace();
  const { page = 1 } = useSearch({ strict: false }) as { page?: number };
  const [asked, setAsked] = useState<{ version: Configuration; act: Asked } | null>(null);
  const navigate = useNavigate();
  const id = workspace.data?.data.id ?? '';
  const query = useQuery(configurationsQuery(id, Number(page) || 1));
  const runs = useQuery(runsOfQuery(id, query.data?.data.map(version => version.id) ?? []));
  if (!workspace.data) return null;
  const { relationships, attributes } = workspace.data.data;
  const current = relationships['current-configuration-version'].data?.id;
  const acts = (version: Configuration) =>
    actsOf(version, {
      isCurrent: version.id === current,
      permissions: attributes.permissions,
      onDownload: () => void download(version, name).catch(tellFailure),
      onRestore: () => void change(version, 'restore_backing_data').catch(tellFailure),
      onAsk: act => setAsked({ version, act }),
    });
  return (
    <>
      <div className="card">
        <Rows
          caption={text.caption(name)}
          query={query}
          none={{ title: text.none, detail: text.noneDetail }}
          expected={8}
          columns={[
            { title: text.version, cell: version => <What list={query.data} version={version} current={current} /> },
            { title: text.status, width: 'eighth', cell: version => text.statuses[version.attributes.status] },
            {
              title: text.runs,
              width: 'third',
              cell: version => (
                <RunsOf to={run => paths.run(organization, name, run)} runs={runs.data?.get(version.id)} />
              ),
            },
            sinceColumn,
          ]}
          nameOf={version => titleOf(query.data, version)}
          acts={acts}
          onPage={to => void navigate(at(paths.configurations(organization, name), { page: to }))}
        />
      </div>
      {asked && <AskFirst {...asked} onClose={() => setAsked(null)} />}
    </>
  );
}

const titleOf = (list: ConfigurationList | undefined, version: Configuration) =>
  commitOf(list, version)?.['commit-message']?.split('\n')[0] || version.id;

interface WhatProps {
  list: ConfigurationList | undefined;
  version: Configuration;
  current: string | undefined;
}

function What({ list, version, current }: WhatProps) {
  const commit = commitOf(list, version);
  const { speculative, 'error-message': error } = version.attributes;
  return (
    <span className="line wrap">
      <span className={commit ? 'strong anywhere' : 'mono strong anywhere'}>{titleOf(list, version)}</span>
      {commit && <span className="mono muted">{`${commit.branch} ${commit['commit-sha']?.slice(0, 8)}`}</span>}
      {version.id === current && (
        <span className="badge" data-group="applied">
          {text.current}
        </span>
      )}
      {speculative && <span className="badge">{text.speculative}</span>}
      {error && <span className="danger-text anywhere">{error}</span>}
    </span>
  );
}

const fewRuns = 3;

function RunsOf({ to, runs }: { to: (id: string) => string; runs: Resource<'runs'>[] | undefined }) {
  if (!runs) return <span className="muted">{text.noRuns}</span>;
  return (
    <span className="line wrap">
      {runs.slice(0, fewRuns).map(({ id, attributes }) => (
        <Link key={id} className="link cut" to={to(id)} title={id}>
          {attributes.message || id}
        </Link>
      ))}
      {runs.length > fewRuns && <span className="muted">{text.more(runs.length - fewRuns)}</span>}
    </span>
  );
}

const sinceColumn: Column<Configuration> = {
  title: text.since,
  width: 'eighth',
  cell: version => <Time at={timeOf(version) ?? null} />,
};

interface Possible {
  isCurrent: boolean;
  permissions: Resource<'workspaces'>['attributes']['permissions'];
  onDownload: () => void;
  onRestore: () => void;
  onAsk: (act: Asked) => void;
}

/** What can be done with a version in its state. The current one keeps its content. */
function actsOf({ attributes: { status } }: Configuration, possible: Possible): RowAct[] {
  const { isCurrent, permissions, onDownload, onRestore, onAsk } = possible;
  const asks = (act: Asked, icon: RowAct['icon']): RowAct => ({
    label: text.asks[act][0],
    icon,
    onClick: () => onAsk(act),
  });
  if (status === 'uploaded')
    return [
      { label: text.download, icon: 'download', onClick: onDownload },
      ...(!isCurrent && permissions['can-update'] ? [asks('soft_delete_backing_data', 'eye')] : []),
      ...(!isCurrent && permissions['can-queue-apply'] ? [asks('archive', 'trash')] : []),
    ];
  if (status === 'backing_data_soft_deleted' && permissions['can-update'])
    return [
      { label: text.restore, icon: 'refresh', onClick: onRestore },
      asks('permanently_delete_backing_data', 'trash'),
    ];
  return [];
}

function AskFirst({ version, act, onClose }: { version: Configuration; act: Asked; onClose: () => void }) {
  const [, title, detail] = text.asks[act];
  return (
    <Dialog
      danger
      opened
      title={title}
      submit={text.submits[act]}
      onClose={onClose}
      onSubmit={() => change(version, act).then(onClose)}
    >
      <p>{detail}</p>
    </Dialog>
  );
}
