/** /<org>/settings/<page>: what holds for the whole organization. */

import { useQuery } from '@tanstack/react-query';
import { lazyRouteComponent, useNavigate, useParams } from '@tanstack/react-router';
import { type ComponentType, useState } from 'react';
import { agentPoolsQuery } from '../agent-pools/agent-pools.ts';
import { AgentPoolSettings } from '../agent-pools/settings.tsx';
import { cache } from '../api/cache.ts';
import { answer, api, type Changed, documentOf } from '../api/client.ts';
import { AuditConfiguration } from '../audit/configuration.tsx';
import { ConnectionSettings } from '../connections/settings.tsx';
import { paths } from '../paths.ts';
import { RetentionCard } from '../retention/retention-form.tsx';
import { SshKeySettings } from '../ssh-keys/settings.tsx';
import { organization as text } from '../texts/organization.ts';
import { workspace as words } from '../texts/workspace.ts';
import { Act } from '../ui/act.tsx';
import { Dialog } from '../ui/dialog.tsx';
import type { Field } from '../ui/field.tsx';
import { Loaded, Skeleton } from '../ui/loaded.tsx';
import { Card, PageHead } from '../ui/parts.tsx';
import { RecordForm } from '../ui/record-form.tsx';
import { type Meant, readAgain } from '../ui/saving.tsx';
import { SettingsFrame, SettingsPage } from '../ui/settings-frame.tsx';
import { TypedName } from '../ui/typed-name.tsx';
import { organizationQuery } from './organizations.ts';
import { TagSettings } from './tags.tsx';
import { OrganizationTokens } from './tokens.tsx';

type Page = keyof typeof text.pages;

export function OrganizationSettings() {
  const { organization } = useParams({ strict: false }) as { organization: string };
  return (
    <>
      <PageHead title={text.title} />
      <SettingsFrame label={text.title} pages={text.pages} to={page => paths.settings(organization, page)} />
    </>
  );
}

const pages: Record<Page, ComponentType<{ organization: string }>> = {
  general: General,
  execution: Execution,
  tags: TagSettings,
  tokens: OrganizationTokens,
  audit: AuditConfiguration,
  'agent-pools': AgentPoolSettings,
  'run-tasks': lazyRouteComponent(() => import('../run-tasks/settings.tsx'), 'RunTaskSettings'),
  'ssh-keys': SshKeySettings,
  'version-control': ConnectionSettings,
  retention: Retention,
  deletion: Deletion,
};

export function OrganizationSettingsPage() {
  const { organization, page } = useParams({ strict: false }) as { organization: string; page: Page };
  return <SettingsPage pages={pages} page={page} given={{ organization }} />;
}

interface FormProps {
  organization: string;
  title: string;
  fields: Field<keyof Changed<'organizations'>>[];
}

function OrganizationForm({ organization, title, fields }: FormProps) {
  const query = useQuery(organizationQuery(organization));
  const navigate = useNavigate();
  const save = async (attributes: Changed<'organizations'>, meant: Meant) => {
    await answer(
      api.PATCH('/organizations/{organization_name}', {
        ...meant,
        params: { path: { organization_name: organization } },
        body: documentOf('organizations', attributes),
      }),
    );
    await cache.invalidateQueries({ queryKey: ['organizations'] });
    const renamed = attributes.name;
    if (typeof renamed === 'string')
      await navigate({ to: paths.settings(renamed), ignoreBlocker: true, replace: true });
  };
  return (
    <Card title={title}>
      <Loaded query={query} skeleton={<Skeleton />}>
        {({ data: { attributes } }) => (
          <RecordForm
            fields={fields}
            values={attributes}
            read={() => readAgain(organizationQuery(organization))}
            save={save}
            mayChange={attributes.permissions['can-update']}
            whyNot={text.whyNot}
          />
        )}
      </Loaded>
    </Card>
  );
}

function General({ organization }: { organization: string }) {
  return (
    <>
      <OrganizationForm
        organization={organization}
        title={text.pages.general}
        fields={[
          { key: 'name', label: text.name, hint: text.nameHint, kind: 'text', isMono: true },
          { key: 'email', label: text.email, kind: 'text' },
          {
            key: 'collaborator-auth-policy',
            label: text.factor,
            hint: text.factorHint,
            kind: 'choice',
            options: Object.entries(text.factors).map(([value, label]) => ({ value, label })),
          },
          { key: 'session-timeout', label: text.timeout, hint: text.sessionHint, kind: 'number', isNullable: true },
          { key: 'session-remember', label: text.remember, hint: text.sessionHint, kind: 'number', isNullable: true },
          { key: 'allow-force-delete-workspaces', label: text.forceDelete, hint: text.forceDeleteHint, kind: 'switch' },
          { key: 'user-tokens-enabled', label: text.userTokens, hint: text.userTokensHint, kind: 'switch' },
        ]}
      />
      <Entitlements organization={organization} />
    </>
  );
}

/** Clients ask for it before they offer something. */
function Entitlements({ organization }: { organization: string }) {
  const query = useQuery({
    queryKey: ['organizations', organization, 'entitlements'],
    staleTime: 60_000,
    queryFn: () =>
      answer(
        api.GET('/organizations/{organization_name}/entitlement-set', {
          params: { path: { organization_name: organization } },
        }),
      ),
  });
  return (
    <Card title={text.can}>
      <Loaded query={query} skeleton={<Skeleton rows={1} />}>
        {({ data }) => (
          <div className="tags wrap">
            {Object.entries(data.attributes)
              .filter(([, has]) => has === true)
              .map(([name]) => (
                <span key={name} className="tag">
                  {name}
                </span>
              ))}
          </div>
        )}
      </Loaded>
    </Card>
  );
}

function Execution({ organization }: { organization: string }) {
  const pools = useQuery(agentPoolsQuery(organization));
  return (
    <OrganizationForm
      organization={organization}
      title={text.pages.execution}
      fields={[
        {
          key: 'default-execution-mode',
          label: text.mode,
          kind: 'choice',
          options: Object.entries(words.mode).map(([value, label]) => ({ value, label })),
        },
        {
          key: 'default-agent-pool-id',
          label: text.pool,
          kind: 'choice',
          isNullable: true,
          options: (pools.data ?? []).map(({ id, attributes }) => ({ value: id, label: attributes.name })),
        },
        { key: 'default-global-remote-state', label: text.globalState, kind: 'switch' },
      ]}
    />
  );
}

function Retention({ organization }: { organization: string }) {
  const { data: found } = useQuery(organizationQuery(organization));
  if (!found) return <Skeleton rows={3} />;
  const { attributes, relationships } = found.data;
  const at = { params: { path: { organization_name: organization } } };
  const changed = () => cache.invalidateQueries({ queryKey: ['organizations'] });
  return (
    <RetentionCard
      title={text.pages.retention}
      holder="organizations"
      isThere={'data-retention-policy' in relationships}
      mayChange={attributes.permissions['can-update']}
      queryKey={['organizations', organization, 'retention']}
      read={() => answer(api.GET('/organizations/{organization_name}/relationships/data-retention-policy', at))}
      set={(data, meant) =>
        answer(
          api.POST('/organizations/{organization_name}/relationships/data-retention-policy', {
            ...at,
            ...meant,
            body: { data },
          }),
        ).then(changed)
      }
      remove={meant =>
        answer(
          api.DELETE('/organizations/{organization_name}/relationships/data-retention-policy', { ...at, ...meant }),
        ).then(changed)
      }
    />
  );
}

function Deletion({ organization }: { organization: string }) {
  const { data: found } = useQuery(organizationQuery(organization));
  const [isOpen, setOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const navigate = useNavigate();
  const remove = async () => {
    await answer(
      api.DELETE('/organizations/{organization_name}', { params: { path: { organization_name: organization } } }),
    );
    await navigate({ to: paths.home() });
    await cache.invalidateQueries();
  };
  return (
    <Card title={text.pages.deletion}>
      <div className="form">
        <p>{text.deleteDetail}</p>
        <div>
          <Act
            variant="danger-outline"
            icon="trash"
            allowed={found?.data.attributes.permissions['can-destroy'] ?? false}
            missing={{
              act: 'delete this organization',
              permission: 'can-destroy',
              organization,
              wish: { type: 'organizations', id: organization, action: 'delete' },
            }}
            onClick={() => setOpen(true)}
          >
            {text.delete}
          </Act>
        </div>
      </div>
      <Dialog
        danger
        title={text.deleteTitle(organization)}
        opened={isOpen}
        onClose={() => setOpen(false)}
        submit={text.deleteSubmit}
        submitDisabled={typed !== organization}
        onSubmit={remove}
      >
        <p>{text.deleteEnds}</p>
        <TypedName name={organization} value={typed} onChange={setTyped} />
      </Dialog>
    </Card>
  );
}
