/** /<org>/audit: what changed, by whom, from what to what. */
import { Button, Menu, Select, TextInput } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { Fragment, useState } from 'react';
import { live_ms } from '../api/cache.ts';
import { paths } from '../paths.ts';
import { saveFile } from '../states/states.ts';
import { common } from '../texts/common.ts';
import { audit as text } from '../texts/projects.ts';
import { Icon } from '../ui/icon.tsx';
import { Loaded, Skeleton } from '../ui/loaded.tsx';
import { Avatar, Empty, Facts, PageHead } from '../ui/parts.tsx';
import { tellFailure } from '../ui/tell.tsx';
import { Time } from '../ui/time.tsx';
import { type AuditEvent, type AuditFilters, auditQuery, exportEvents } from './events.ts';
import { asLines, asTable } from './export.ts';

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
  const query = useInfiniteQuery(auditQuery(organization, filters));
  const go = (part: AuditFilters) =>
    void navigate({ to: paths.audit(organization), search: { ...filters, ...part } as never, replace: true });
  const events = query.data?.pages.flat() ?? [];
  const newest = events[0]?.id;
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
      <Loaded query={{ ...query, data: query.data && events } as never} skeleton={<Skeleton rows={12} />}>
        {(found: AuditEvent[]) =>
          found.length === 0 ? (
            <Empty title={text.none} />
          ) : (
            <div className="card">
              <EventTable events={found} />
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
  const at = (value: string, time: string) => (value ? `${value}T${time}Z` : '');
  return (
    <search className="line wrap">
      <TextInput
        aria-label={text.filterWhat}
        placeholder={text.filterWhat}
        className="wide-field"
        defaultValue={filters.action ?? ''}
        onKeyDown={event => event.key === 'Enter' && onChange({ action: event.currentTarget.value })}
        onBlur={event =>
          event.currentTarget.value !== (filters.action ?? '') && onChange({ action: event.currentTarget.value })
        }
      />
      <Select
        aria-label={text.filterType}
        placeholder={text.anyType}
        clearable
        searchable
        data={kinds}
        value={filters.record?.split(':')[0] ?? null}
        onChange={record => onChange({ record: record ?? '' })}
      />
      <TextInput
        type="date"
        aria-label={text.since}
        value={day(filters.since)}
        onChange={event => onChange({ since: at(event.currentTarget.value, '00:00:00') })}
      />
      <TextInput
        type="date"
        aria-label={text.until}
        value={day(filters.until)}
        onChange={event => onChange({ until: at(event.currentTarget.value, '23:59:59') })}
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
    queryFn: async () =>
      (await auditQuery(organization, filters).queryFn?.({ pageParam: null } as never)) as AuditEvent[],
  });
  const count = data?.findIndex(({ id }) => id === newest) ?? 0;
  if (count === 0) return null;
  return (
    <Button size="xs" variant="default" leftSection={<Icon name="up" size={14} />} onClick={onShow}>
      {text.newer(count < 0 ? (data?.length ?? 0) : count)}
    </Button>
  );
}

function EventTable({ events }: { events: AuditEvent[] }) {
  const [open, setOpen] = useState<string | null>(null);
  return (
    <table className="table">
      <caption className="hidden-text">{text.title}</caption>
      <thead>
        <tr>
          <th scope="col" className="actions-cell">
            <span className="hidden-text">{text.change}</span>
          </th>
          <th scope="col">{text.time}</th>
          <th scope="col" className="only-wide">
            {text.who}
          </th>
          <th scope="col">{text.what}</th>
          <th scope="col" className="only-wide third">
            {text.record}
          </th>
        </tr>
      </thead>
      <tbody>
        {events.map(event => (
          <Fragment key={event.id}>
            <EventRow
              event={event}
              isOpen={open === event.id}
              onToggle={() => setOpen(open === event.id ? null : event.id)}
            />
            {open === event.id && (
              <tr className="event-detail">
                <td colSpan={5}>
                  <EventDetail event={event} />
                </td>
              </tr>
            )}
          </Fragment>
        ))}
      </tbody>
    </table>
  );
}

export function actOf(action: string): string {
  return text.acts[action.split('.').at(-1) ?? ''] ?? action;
}

function EventRow({
  event: { attributes },
  isOpen,
  onToggle,
}: {
  event: AuditEvent;
  isOpen: boolean;
  onToggle: () => void;
}) {
  const who = attributes['actor-name'] ?? attributes['actor-id'];
  const stamp = attributes['occurred-at'];
  return (
    <tr>
      <td className="actions-cell">
        <button
          type="button"
          className="copy"
          aria-expanded={isOpen}
          aria-label={`${actOf(attributes.action)}, ${stamp}`}
          onClick={onToggle}
        >
          <Icon name={isOpen ? 'down' : 'right'} size={14} />
        </button>
      </td>
      <td className="cut">
        {stamp.slice(11, 19)}{' '}
        <span className="muted small">
          <Time at={stamp} />
        </span>
      </td>
      <td className="cut only-wide">
        <span className="line">
          <Avatar name={who} id={attributes['actor-id']} />
          <span className="cut">{who}</span>
        </span>
      </td>
      <td className={/force/.test(attributes.action) ? 'cut danger-text' : 'cut'} title={attributes.action}>
        {actOf(attributes.action)}
      </td>
      <td className="cut only-wide">
        <span className="muted small">{attributes['resource-type']}</span>{' '}
        <span className="strong">{attributes['resource-name'] ?? attributes['resource-id']}</span>
      </td>
    </tr>
  );
}

function EventDetail({ event: { id, attributes } }: { event: AuditEvent }) {
  const changes = Object.entries(
    attributes.changes as Record<string, [unknown, unknown] | { before?: unknown; after?: unknown }>,
  );
  const pair = (change: (typeof changes)[number][1]) =>
    Array.isArray(change) ? change : [change?.before, change?.after];
  return (
    <div className="columns even">
      <table className="table">
        <thead>
          <tr>
            <th scope="col">{text.field}</th>
            <th scope="col">{text.before}</th>
            <th scope="col">{text.after}</th>
          </tr>
        </thead>
        <tbody>
          {changes.map(([field, change]) => {
            const [before, after] = pair(change);
            return (
              <tr key={field}>
                <td className="mono anywhere">{field}</td>
                <td className="mono anywhere bad">{before === undefined ? '' : JSON.stringify(before)}</td>
                <td className="mono anywhere good">{after === undefined ? '' : JSON.stringify(after)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
      <Facts
        facts={[
          [
            text.operation,
            <span key="o" className="mono">
              {attributes.action}
            </span>,
          ],
          [
            text.record,
            <span key="r" className="mono">
              {attributes['resource-id']}
            </span>,
          ],
          [
            text.request,
            <span key="q" className="mono">
              {attributes['request-id']}
            </span>,
          ],
          [
            text.token,
            <span key="t" className="mono">
              {attributes['token-id']}
            </span>,
          ],
          [
            text.address,
            <span key="a" className="mono">
              {attributes['remote-address']}
            </span>,
          ],
          [
            text.time,
            <span key="s" className="mono">
              {attributes['occurred-at']}
            </span>,
          ],
          [
            'ID',
            <span key="i" className="mono">
              {id}
            </span>,
          ],
        ]}
      />
    </div>
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
