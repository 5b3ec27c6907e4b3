/** …/settings/general: name, where it runs, and what it does by itself. */
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { agentPoolsQuery } from '../agent-pools/agent-pools.ts';
import { paths } from '../paths.ts';
import { settings } from '../texts/settings.ts';
import { workspace as words } from '../texts/workspace.ts';
import { Card } from '../ui/parts.tsx';
import { type Field, RecordForm } from '../ui/record-form.tsx';
import { type Meant, readAgain } from '../ui/saving.tsx';
import { updateWorkspace, useWorkspace, type WorkspaceChanges, workspaceQuery } from './workspace.ts';

const text = settings.general;

const fields = (pools: Field['options']): Field<keyof WorkspaceChanges>[] => [
  { key: 'name', label: text.name, hint: text.nameHint, kind: 'text', isMono: true },
  { key: 'description', label: text.description, kind: 'lines', isNullable: true },
  {
    key: 'execution-mode',
    label: text.mode,
    hint: text.modeHint,
    kind: 'choice',
    options: Object.entries(words.mode).map(([value, label]) => ({ value, label })),
  },
  { key: 'agent-pool-id', label: text.pool, kind: 'choice', options: pools ?? [], isNullable: true },
  { key: 'engine-version', label: text.version, hint: text.versionHint, kind: 'text', isMono: true },
  {
    key: 'working-directory',
    label: text.directory,
    hint: text.directoryHint,
    kind: 'text',
    isNullable: true,
    isMono: true,
  },
  { key: 'auto-apply', label: text.autoApply, hint: text.autoApplyHint, kind: 'switch' },
  { key: 'auto-apply-run-trigger', label: text.autoApplyTrigger, hint: text.autoApplyTriggerHint, kind: 'switch' },
  { key: 'speculative-enabled', label: text.speculative, hint: text.speculativeHint, kind: 'switch' },
  { key: 'queue-all-runs', label: text.queueAll, hint: text.queueAllHint, kind: 'switch' },
  { key: 'allow-destroy-plan', label: text.destroyPlan, hint: text.destroyPlanHint, kind: 'switch' },
  { key: 'structured-run-output-enabled', label: text.structured, hint: text.structuredHint, kind: 'switch' },
];

export function GeneralSettings() {
  const { organization, name, query } = useWorkspace();
  const pools = useQuery(agentPoolsQuery(organization));
  const navigate = useNavigate();
  const workspace = query.data?.data;
  if (!workspace) return null;
  const options = pools.data?.map(({ id, attributes }) => ({ value: id, label: attributes.name }));
  const save = async (changes: WorkspaceChanges, meant: Meant) => {
    await updateWorkspace(workspace, { attributes: changes }, meant);
    const renamed = changes.name;
    if (typeof renamed === 'string')
      await navigate({ to: paths.workspaceSettings(organization, renamed), ignoreBlocker: true, replace: true });
  };
  return (
    <Card title={settings.pages.general}>
      <RecordForm
        fields={fields(options)}
        values={workspace.attributes}
        read={() => readAgain(workspaceQuery(organization, name))}
        save={save}
        mayChange={workspace.attributes.permissions['can-update']}
        whyNot={settings.noAdmin}
      />
    </Card>
  );
}
