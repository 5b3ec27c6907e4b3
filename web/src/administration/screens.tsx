/** /~/admin/<page>: the server itself, for those who run it. */
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { Link, Outlet, useParams } from '@tanstack/react-router';
import { type ComponentType, useState } from 'react';
import { cache } from '../api/cache.ts';
import { answer, api, type Resource } from '../api/client.ts';
import { live_ms } from '../api/live.ts';
import { actOf } from '../audit/table.tsx';
import { NotFound } from '../frame/not-found.tsx';
import { paths } from '../paths.ts';
import { administration as text } from '../texts/account.ts';
import { audit } from '../texts/projects.ts';
import { CreateDialog } from '../ui/create-dialog.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Card, PageHead } from '../ui/parts.tsx';
import { RecordForm, type Values } from '../ui/record-form.tsx';
import { RecordList } from '../ui/record-list.tsx';
import { Time } from '../ui/time.tsx';
import { Health } from './health.tsx';
import { Users } from './users.tsx';

type Page = keyof typeof text.pages;

export function Administration() {
  return (
    <>
      <PageHead title={text.title} hint={text.hint} />
      <div className="settings">
        <nav className="nav" aria-label={text.title}>
          {(Object.keys(text.pages) as Page[]).map(page => (
            <Link key={page} to={paths.admin(page)}>
              {text.pages[page]}
            </Link>
          ))}
        </nav>
        <div className="stack">
          <Outlet />
        </div>
      </div>
    </>
  );
}

const pages: Record<Page, ComponentType> = {
  users: Users,
  versions: Versions,
  general: General,
  audit: Audit,
  health: Health,
};

export function AdministrationPage() {
  const { page } = useParams({ strict: false }) as { page: Page };
  const Shown = pages[page];
  return Shown ? <Shown /> : <NotFound />;
}

function Versions() {
  const [isOpen, setOpen] = useState(false);
  const query = useQuery({
    queryKey: ['admin', 'versions'],
    queryFn: async () =>
      (await answer(api.GET('/admin/terraform-versions', { params: { query: { 'page[size]': 100 } as never } }))).data,
  });
  const changed = () => cache.invalidateQueries({ queryKey: ['admin', 'versions'] });
  return (
    <>
      <RecordList
        title={text.pages.versions}
        query={query as UseQueryResult<Resource<'terraform-versions'>[]>}
        none={text.versionsNone}
        add={{ label: text.versionsAdd, onClick: () => setOpen(true) }}
        row={({ attributes }) => (
          <>
            <span className="mono strong">{attributes.version}</span>
            {attributes.beta && <span className="badge">{text.beta}</span>}
            {attributes.deprecated && (
              <span className="badge" data-group="attention">
                {text.deprecated}
              </span>
            )}
            <span className="muted grow">{attributes.enabled ? text.enabled : text.disabled}</span>
            <span className="muted">{text.used(attributes.usage)}</span>
          </>
        )}
        removal={{
          may: ({ attributes }) => attributes.usage === 0 && !attributes.official,
          label: ({ attributes }) => text.remove(attributes.version),
          title: ({ attributes }) => text.remove(attributes.version),
          ends: null,
          submit: text.removeSubmit,
          remove: ({ id }) =>
            answer(api.DELETE('/admin/terraform-versions/{version_id}', { params: { path: { version_id: id } } })).then(
              changed,
            ),
        }}
      />
      {isOpen && (
        <CreateDialog
          title={text.versionsAdd.replace('…', '')}
          submit={text.versionsSubmit}
          initial={{ enabled: true }}
          onClose={() => setOpen(false)}
          fields={[
            { key: 'version', label: text.version, kind: 'text', isMono: true },
            { key: 'enabled', label: text.enabled, kind: 'switch' },
            { key: 'beta', label: text.beta, kind: 'switch' },
          ]}
          create={attributes =>
            answer(
              api.POST('/admin/terraform-versions', {
                body: { data: { type: 'terraform-versions', attributes } } as never,
              }),
            ).then(changed)
          }
        />
      )}
    </>
  );
}

const generalQuery = {
  queryKey: ['admin', 'general'],
  queryFn: () => answer(api.GET('/admin/general-settings', {})),
};

function General() {
  const query = useQuery(generalQuery);
  return (
    <Card title={text.pages.general}>
      <Loaded query={query}>
        {({ data: { attributes } }) => (
          <RecordForm
            values={attributes as Values}
            read={async () => (await cache.fetchQuery({ ...generalQuery, staleTime: 0 })).data.attributes as Values}
            save={async changes => {
              await answer(
                api.PATCH('/admin/general-settings', {
                  body: { data: { type: 'general-settings', attributes: changes } } as never,
                }),
              );
              await cache.invalidateQueries({ queryKey: ['admin', 'general'] });
            }}
            mayChange
            whyNot=""
            fields={[{ key: 'limit-user-organization-creation', label: text.limit, kind: 'switch' }]}
          />
        )}
      </Loaded>
    </Card>
  );
}

function Audit() {
  const query = useQuery({
    queryKey: ['admin', 'audit'],
    refetchInterval: live_ms.list,
    queryFn: async () =>
      (await answer(api.GET('/admin/audit-events', { params: { query: { 'page[size]': 100 } as never } }))).data,
  });
  return (
    <RecordList
      title={text.pages.audit}
      query={query}
      none={audit.none}
      row={({ attributes }) => (
        <>
          <span className="muted small">
            <Time at={attributes['occurred-at']} absolute />
          </span>
          <span className="strong">{attributes['actor-name'] ?? attributes['actor-id']}</span>
          <span title={attributes.action}>{actOf(attributes.action)}</span>
          <span className="muted cut">
            {attributes['resource-type']} {attributes['resource-name'] ?? attributes['resource-id']}
          </span>
        </>
      )}
    />
  );
}
