/** /<org>/workspaces/~new: what the form does is one request, and that request stands beside it. */
import { Button, Checkbox, Select, Textarea, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { answer, api } from '../api/client.ts';
import { everyPage } from '../api/documents.ts';
import { ApiFailure, faultsByField } from '../api/failure.ts';
import { paths } from '../paths.ts';
import { common } from '../texts/common.ts';
import { newWorkspace as text, workspace as words } from '../texts/workspace.ts';
import { Icon } from '../ui/icon.tsx';
import { Refusal } from '../ui/loaded.tsx';
import { Card, PageHead } from '../ui/parts.tsx';
import { workspacesChanged } from './acts.ts';
import { bodyOf, type Draft, emptyDraft } from './new-draft.ts';
import { SameAs } from './same-as.tsx';
import { workspaceQuery } from './workspace.ts';

export function NewWorkspace() {
  const { organization } = useParams({ strict: false }) as { organization: string };
  const [draft, setDraft] = useState<Draft>(emptyDraft);
  const [failure, setFailure] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const navigate = useNavigate();
  const faults = faultsByField(failure);
  const set = (part: Partial<Draft>) => setDraft({ ...draft, ...part });
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setFailure(null);
    try {
      await answer(
        api.POST('/organizations/{organization_name}/workspaces', {
          params: { path: { organization_name: organization } },
          body: bodyOf(draft),
        }),
      );
      void workspacesChanged();
      await navigate({ to: paths.workspace(organization, draft.name) });
    } catch (caught) {
      setFailure(caught);
    } finally {
      setBusy(false);
    }
  };
  const isElsewhere = failure !== null && !(failure instanceof ApiFailure && failure.status === 422 && !faults['']);
  return (
    <>
      <PageHead title={text.title} />
      <div className="columns even">
        <form className="stack" onSubmit={event => void submit(event)}>
          <Card>
            <div className="stack">
              <NameField
                organization={organization}
                name={draft.name}
                error={faults['name']}
                onChange={name => set({ name })}
              />
              <div className="form-pair">
                <ProjectField organization={organization} draft={draft} error={faults['project']} onChange={set} />
                <TextInput
                  label={`${text.description} ${common.optional}`}
                  maxLength={4096}
                  value={draft.description}
                  error={faults['description']}
                  onChange={event => set({ description: event.currentTarget.value })}
                />
              </div>
              <Textarea
                label={`${text.tags} ${common.optional}`}
                description={text.tagsHint}
                minRows={1}
                value={draft.tags}
                error={faults['tag-bindings']}
                onChange={event => set({ tags: event.currentTarget.value })}
              />
            </div>
          </Card>
          <Where organization={organization} draft={draft} onChange={set} />
          <More draft={draft} faults={faults} onChange={set} />
          {isElsewhere && <Refusal failure={failure} />}
          <div className="line">
            <Button type="submit" variant="filled" loading={isBusy} disabled={draft.name === ''}>
              {text.submit}
            </Button>
            <Button component={Link} {...({ to: paths.workspaces(organization) } as object)} variant="subtle">
              {common.cancel}
            </Button>
          </div>
        </form>
        <SameAs organization={organization} draft={draft} />
      </div>
    </>
  );
}

interface NameProps {
  organization: string;
  name: string;
  error: string | undefined;
  onChange: (name: string) => void;
}

/** Whether the name is free is asked while it is typed; one that is hidden from the caller shows on saving. */
function NameField({ organization, name, error, onChange }: NameProps) {
  const [asked] = useDebouncedValue(name, 250);
  const isName = /^[A-Za-z0-9_-]{1,90}$/.test(asked);
  const query = useQuery({
    ...workspaceQuery(organization, asked),
    queryKey: ['workspaces', organization, 'name', asked],
    enabled: isName,
    refetchInterval: false,
    retry: false,
  });
  const isFree = isName && query.error instanceof ApiFailure && query.error.status === 404;
  const exists = isName && query.data !== undefined;
  const address = `/app/${organization}/workspaces/${name || '…'}`;
  return (
    <TextInput
      label={text.name}
      description={text.nameHint(address)}
      required
      maxLength={90}
      autoFocus
      spellCheck={false}
      value={name}
      error={error}
      onChange={event => onChange(event.currentTarget.value)}
      rightSectionWidth="auto"
      rightSectionPointerEvents="auto"
      rightSection={
        <span className="small field-note" role="status">
          {isFree && (
            <span className="line good">
              <Icon name="check" size={14} /> {text.free}
            </span>
          )}
          {exists && (
            <span className="danger-text">
              {text.exists}{' '}
              <Link className="link" to={paths.workspace(organization, asked)}>
                {text.openIt}
              </Link>
            </span>
          )}
        </span>
      }
    />
  );
}

interface PartProps {
  organization: string;
  draft: Draft;
  onChange: (part: Partial<Draft>) => void;
}

function ProjectField({ organization, draft, error, onChange }: PartProps & { error: string | undefined }) {
  const { data: projects } = useQuery({
    queryKey: ['projects', organization, 'creatable'],
    queryFn: () =>
      everyPage(page =>
        answer(
          api.GET('/organizations/{organization_name}/projects', {
            params: {
              path: { organization_name: organization },
              query: {
                'filter[permissions][create-workspace]': true,
                'page[number]': page,
                'page[size]': 100,
                sort: 'name',
              } as object,
            },
          }),
        ),
      ),
  });
  return (
    <Select
      label={text.project}
      description={projects && text.projects(projects.length)}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      searchable
      clearable
      placeholder="Default Project"
      data={(projects ?? []).map(({ id, attributes }) => ({ value: id, label: attributes.name }))}
      value={draft.projectId}
      error={error}
      onChange={projectId =>
        onChange({ projectId, projectName: projects?.find(({ id }) => id === projectId)?.attributes.name ?? null })
      }
    />
  );
}

const modes = [
  ['inherit', text.inherit, text.inheritHint('What the project says')],
  ['remote', words.mode['remote']!, text.remoteHint],
  ['agent', words.mode['agent']!, text.agentHint],
  ['local', words.mode['local']!, text.localHint],
] as const;

function Where({ organization, draft, onChange }: PartProps) {
  const { data: pools } = useQuery({
    queryKey: ['agent-pools', organization],
    enabled: draft.mode === 'agent',
    queryFn: () =>
      answer(
        api.GET('/organizations/{organization_name}/agent-pools', {
          params: { path: { organization_name: organization }, query: { 'page[size]': 100 } as object },
        }),
      ),
  });
  return (
    <Card title={text.where} flush>
      <div role="radiogroup" aria-label={text.where}>
        {modes.map(([mode, label, hint]) => (
          <label key={mode} className="choice">
            <input type="radio" name="mode" checked={draft.mode === mode} onChange={() => onChange({ mode })} />
            <span>
              <span className="strong">{label}</span>{' '}
              {mode === 'inherit' && <span className="muted small">{text.recommended}</span>}
              <br />
              <span className="muted">{hint}</span>
            </span>
          </label>
        ))}
      </div>
      {draft.mode === 'agent' && (
        <div className="card-body">
          <Select
            label={text.pool}
            data={(pools?.data ?? []).map(({ id, attributes }) => ({ value: id, label: attributes.name }))}
            value={draft.agentPoolId}
            onChange={agentPoolId => onChange({ agentPoolId })}
          />
        </div>
      )}
    </Card>
  );
}

function More({ draft, faults, onChange }: Omit<PartProps, 'organization'> & { faults: Record<string, string> }) {
  return (
    <details className="card more">
      <summary className="card-body">
        <b>{text.more}</b>
      </summary>
      <div className="card-body stack">
        <div className="form-pair">
          <TextInput
            label={text.version}
            description={text.versionHint}
            value={draft.version}
            error={faults['engine-version'] ?? faults['terraform-version']}
            onChange={event => onChange({ version: event.currentTarget.value })}
          />
          <TextInput
            label={text.directory}
            value={draft.directory}
            error={faults['working-directory']}
            onChange={event => onChange({ directory: event.currentTarget.value })}
          />
        </div>
        <Checkbox
          label={text.autoApply}
          checked={draft.autoApply}
          onChange={event => onChange({ autoApply: event.currentTarget.checked })}
        />
      </div>
    </details>
  );
}
