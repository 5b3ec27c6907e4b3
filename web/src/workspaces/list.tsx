/** /<org>/workspaces: what needs me? Filters, counts, selection and acts on many. */
import { Button, Menu } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useKeys } from '../frame/keys.ts';
import { useLive } from '../frame/live.tsx';
import { organizationQuery } from '../organizations/organizations.ts';
import { paths } from '../paths.ts';
import { common } from '../texts/common.ts';
import { workspaces as text } from '../texts/workspaces.ts';
import { Act } from '../ui/act.tsx';
import { useCopy } from '../ui/copy.tsx';
import { Icon } from '../ui/icon.tsx';
import { Loaded, Skeleton } from '../ui/loaded.tsx';
import { Pager, usePageKeys } from '../ui/pager.tsx';
import { PageHead } from '../ui/parts.tsx';
import { type ListAddress, tidy } from './address.ts';
import { chooseColumns, chosenColumns, columns } from './columns.tsx';
import { statusCountsQuery } from './counts.ts';
import { FilterField } from './filter-field.tsx';
import { NoWorkspaces } from './none.tsx';
import { useSelection } from './selection.ts';
import { SelectionBar } from './selection-bar.tsx';
import { StatusButtons } from './status-buttons.tsx';
import { useSteadyList } from './steady.ts';
import { WorkspaceTable } from './table.tsx';
import { projectIdQuery, workspacesQuery } from './workspaces.ts';

export function WorkspacesScreen() {
  const { organization } = useParams({ from: '/signed-in/$organization/workspaces/' });
  const { dropped, ...address } = useSearch({ from: '/signed-in/$organization/workspaces/' }) as ListAddress;
  const navigate = useNavigate();
  const [shown, setShown] = useState(chosenColumns);
  const selection = useSelection();
  const project = useQuery(projectIdQuery(organization, address.project));
  const projectId = address.project ? project.data : null;
  const query = useQuery(workspacesQuery(organization, address, projectId));
  const all = useQuery({ ...statusCountsQuery(organization, {}, null), enabled: query.isSuccess });
  const { list, waiting, showOrder } = useSteadyList(query);
  useLive(query);
  const go = (next: ListAddress, replace = true) =>
    void navigate({ to: paths.workspaces(organization), search: tidy(next) as object, replace });
  const pagination = list?.meta.pagination;
  const total = pagination?.['total-count'];
  const turn = (to: number) => go({ ...address, page: to }, false);
  usePageKeys(pagination, turn);
  return (
    <>
      <PageHead title={text.title}>
        <CopyLink />
        <ColumnsMenu
          shown={shown}
          onChange={keys => {
            chooseColumns(keys);
            setShown(keys);
          }}
        />
        <CreateButton organization={organization} />
      </PageHead>
      <StatusButtons
        organization={organization}
        address={address}
        projectId={projectId}
        isListRead={query.isSuccess && !query.isPlaceholderData}
        onChange={go}
      />
      <FilterField address={address} onChange={go} />
      <div className="count-line" role="status">
        {total !== undefined && <span>{text.total(total, all.data?.total ?? total)}</span>}
        {Object.keys(address).some(key => !['sort', 'page', 'size'].includes(key)) && (
          <button type="button" className="link" onClick={() => go({ ...(address.sort && { sort: address.sort }) })}>
            {common.clearAllFilters}
          </button>
        )}
        {dropped?.map(word => (
          <span key={word}>{text.unknownFilter(word)}</span>
        ))}
        <span className="grow" />
        {waiting > 0 && (
          <button type="button" className="link" onClick={showOrder}>
            {text.waiting(waiting)}
          </button>
        )}
        <span className="only-wide">{text.sort[address.sort ?? '-latest-change-at']}</span>
      </div>
      {/* Before the rows: by keyboard it is one step back from the box that selects, not a hundred rows on. */}
      <SelectionBar
        organization={organization}
        selection={selection}
        address={address}
        projectId={projectId ?? null}
        total={total ?? 0}
      />
      <Loaded query={{ ...query, data: list } as typeof query} skeleton={<Skeleton rows={20} />}>
        {found =>
          found.data.length === 0 ? (
            <NoWorkspaces organization={organization} address={address} projectId={projectId} onChange={go} />
          ) : (
            <div className="card">
              <WorkspaceTable
                organization={organization}
                list={found}
                columns={columns.filter(column => column.key === 'name' || shown.includes(column.key))}
                sort={address.sort ?? '-latest-change-at'}
                onSort={sort => go({ ...address, sort, page: 1 })}
                selection={selection}
              />
              {found.meta.pagination && (
                <Pager
                  pagination={found.meta.pagination}
                  onPage={turn}
                  onSize={size => go({ ...address, size, page: 1 })}
                />
              )}
            </div>
          )
        }
      </Loaded>
    </>
  );
}

function CopyLink() {
  const [copied, copy] = useCopy();
  return (
    <button
      type="button"
      className="copy"
      aria-label={copied ? text.linkCopied : text.copyLink}
      title={text.copyLink}
      onClick={() => copy(window.location.href)}
    >
      <Icon name={copied ? 'check' : 'link'} />
    </button>
  );
}

function ColumnsMenu({ shown, onChange }: { shown: string[]; onChange: (keys: string[]) => void }) {
  const toggle = (key: string) =>
    onChange(shown.includes(key) ? shown.filter(other => other !== key) : [...shown, key]);
  return (
    <Menu closeOnItemClick={false}>
      <Menu.Target>
        <Button variant="default" className="only-wide" leftSection={<Icon name="columns" />}>
          {text.columns}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {columns
          .filter(column => column.key !== 'name')
          .map(({ key }) => (
            <Menu.Item
              key={key}
              role="menuitemcheckbox"
              aria-checked={shown.includes(key)}
              leftSection={shown.includes(key) ? <Icon name="check" /> : <span className="icon" />}
              onClick={() => toggle(key)}
            >
              {text.column[key]}
            </Menu.Item>
          ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function CreateButton({ organization }: { organization: string }) {
  const { data } = useQuery(organizationQuery(organization));
  const navigate = useNavigate();
  const to = paths.newWorkspace(organization);
  const allowed = data?.data.attributes.permissions['can-create-workspace'] ?? true;
  useKeys({ create: () => allowed && void navigate({ to }) });
  if (allowed)
    return (
      <Button component={Link} {...({ to } as object)} variant="filled" leftSection={<Icon name="plus" />}>
        <span className="only-wide">{text.create}</span>
        <span className="only-narrow">{text.createShort}</span>
      </Button>
    );
  return (
    <Act
      allowed={false}
      icon="plus"
      missing={{ act: 'create a workspace', permission: 'can-create-workspace', organization }}
      onClick={() => {}}
    >
      {text.create}
    </Act>
  );
}
