/** /<org>/audit: what changed, by whom, from what to what. */
import { Button, Menu, Select, TextInput } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { live_ms } from '../api/live.ts';
import { at, paths } from '../paths.ts';
import { kindOf, audit as text } from '../texts/audit.ts';
import { common } from '../texts/common.ts';
import { Icon } from '../ui/icon.tsx';
import { Loaded, Skeleton } from '../ui/loaded.tsx';
import { Empty, PageHead } from '../ui/parts.tsx';
import { saveFile } from '../ui/save-file.ts';
import { tellFailure } from '../ui/tell.tsx';
import { type AuditEvent, type AuditFilters, auditQuery, exportEvents, newestEvents } from './events.ts';
import { asLines, asTable } from './export.ts';
import { EventTable } from './table.tsx';

const kinds = [
  'workspaces',
  'runs',
  'teams',
  'projects',
  'organizations',
  'organization-memberships',
  'users',
  'team-workspaces',
  'team-projects',
  'authentication-tokens',
  'vars',
  'varsets',
  'state-versions',
  'agent-pools',
  'ssh-keys',
  'oauth-clients',
  'sessions',
];

export function AuditScreen() {
  const { organization } = useParams({ strict: false }) as { organization: string };
  const filters = useSearch({ strict: false }) as AuditFilters;
  const navigate = useNavigate();
  const query = useInfiniteQuery({ ...auditQuery(organization, filters), select: ({ pages }) => pages.flat() });
  const go = (part: AuditFilters) =>
    void navigate({ ...at(paths.audit(organization), { ...filters, ...part }), replace: true });
  const newest = query.data?.[0]?.id;
  return (
    <>
      <PageHead title={text.title} hint={text.hint}>
        <ExportMenu organization={organization} filters={filters} />
      </PageHead>
      <Filters filters={filters} onChange={go} />
      <div className="count-line">
        {Object.keys(filters).length > 0 && (
          <button type="button" className="link" onClick={() => void navigate({ to: paths.audit(organization) })}>
            {common.clearAllFilters}
          </button>
        )}
        <span className="grow" />
        {newest && (
          <NewEvents
            organization={organization}
            filters={filters}
            newest={newest}
            onShow={() => void query.refetch()}
          />
        )}
      </div>
      <Loaded query={query} skeleton={<Skeleton rows={12} />}>
        {found =>
          found.length === 0 ? (
            <Empty title={text.none} />
          ) : (
            <div className="card">
              <EventTable organization={organization} events={found} />
              <div className="pager">
                <span className="grow">{text.shown(found.length)}</span>
                {query.hasNextPage && (
                  <Button
                    size="xs"
                    variant="default"
                    loading={query.isFetchingNextPage}
                    onClick={() => void query.fetchNextPage()}
                  >
                    {text.older}
                  </Button>
                )}
              </div>
            </div>
          )
        }
      </Loaded>
      <p className="faint small">{text.only}</p>
    </>
  );
}

function Filters({ filters, onChange }: { filters: AuditFilters; onChange: (part: AuditFilters) => void }) {
  const day = (value: string | undefined) => value?.slice(0, 10) ?? '';
  const moment = (value: string, time: string) => (value ? `${value}T${time}Z` : '');
  return (
    <search className="line wrap labelled">
      <TextInput
        label={text.filterWhat}
        placeholder={text.filterWhatHint}
        className="wide-field"
        defaultValue={filters.action ?? ''}
        onKeyDown={event => event.key === 'Enter' && onChange({ action: event.currentTarget.value })}
        onBlur={event =>
          event.currentTarget.value !== (filters.action ?? '') && onChange({ action: event.currentTarget.value })
        }
      />
      <Select
        label={text.filterType}
        placeholder={text.anyType}
        clearable
        searchable
        data={kinds.map(value => ({ value, label: kindOf(value) }))}
        value={filters.record?.split(':')[0] ?? null}
        onChange={record => onChange({ record: record ?? '' })}
      />
      <TextInput
        type="date"
        label={text.since}
        value={day(filters.since)}
        onChange={event => onChange({ since: moment(event.currentTarget.value, '00:00:00') })}
      />
      <TextInput
        type="date"
        label={text.until}
        value={day(filters.until)}
        onChange={event => onChange({ until: moment(event.currentTarget.value, '23:59:59') })}
      />
    </search>
  );
}

/** What happened since this page was read waits behind a button: no row moves by itself. */
function NewEvents({
  organization,
  filters,
  newest,
  onShow,
}: {
  organization: string;
  filters: AuditFilters;
  newest: string;
  onShow: () => void;
}) {
  const { data } = useQuery({
    queryKey: ['audit', organization, 'new', filters],
    refetchInterval: live_ms.list,
    queryFn: () => newestEvents(organization, filters),
  });
  const count = data?.findIndex(({ id }) => id === newest) ?? 0;
  if (count === 0) return null;
  return (
    <Button size="xs" variant="default" leftSection={<Icon name="up" size={14} />} onClick={onShow}>
      {text.newer(count < 0 ? (data?.length ?? 0) : count)}
    </Button>
  );
}

function ExportMenu({ organization, filters }: { organization: string; filters: AuditFilters }) {
  const [isBusy, setBusy] = useState(false);
  const save = async (form: (events: AuditEvent[]) => string, ending: string) => {
    setBusy(true);
    try {
      saveFile(form(await exportEvents(organization, filters)), `${organization}-audit.${ending}`);
    } catch (caught) {
      tellFailure(caught);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Menu>
      <Menu.Target>
        <Button variant="default" loading={isBusy} leftSection={<Icon name="download" />}>
          {text.export}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{text.exporting}</Menu.Label>
        <Menu.Item onClick={() => void save(asLines, 'ndjson')}>{text.asLines}</Menu.Item>
        <Menu.Item onClick={() => void save(asTable, 'csv')}>{text.asTable}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
