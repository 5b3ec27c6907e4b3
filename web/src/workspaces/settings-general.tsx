/** …/settings/general: name, where it runs, and what it does by itself. */
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { agentPoolsQuery } from '../agent-pools/agent-pools.ts';
import { paths } from '../paths.ts';
import { projectsQuery } from '../projects/projects.ts';
import { settings } from '../texts/settings.ts';
import { workspace as words } from '../texts/workspace.ts';
import type { Field } from '../ui/field.tsx';
import { Card } from '../ui/parts.tsx';
import { RecordForm } from '../ui/record-form.tsx';
import { type Meant, readAgain } from '../ui/saving.tsx';
import { updateWorkspace, useWorkspace, type WorkspaceChanges, workspaceQuery } from './workspace.ts';
import type { Workspace } from './workspaces.ts';

const text = settings.general;

/** Beside what the workspace has of its own: that it follows its project, and which that is. */
interface Given extends Omit<WorkspaceChanges, 'execution-mode'> {
  'execution-mode'?: WorkspaceChanges['execution-mode'] | typeof followed;
  project?: string;
}
const followed = 'project';

function valuesOf({ attributes, relationships }: Workspace): Given {
  const isOwn = attributes['setting-overwrites']['execution-mode'];
  const project = relationships.project.data?.id ?? '';
  return { ...attributes, project, ...(!isOwn && { 'execution-mode': followed, 'agent-pool-id': null }) } as Given;
}

/** Following the project is said in a way of its own, and the project is a relationship. */
function bodyOf({ project, 'execution-mode': mode, ...rest }: Given) {
  const own = mode !== followed && mode !== undefined && { 'execution-mode': mode };
  const isFollowing = mode === followed && { 'setting-overwrites': { 'execution-mode': false, 'agent-pool': false } };
  return {
    attributes: { ...rest, ...own, ...isFollowing },
    ...(project && { relationships: { project: { data: { type: 'projects' as const, id: project } } } }),
  };
}

const fields = (pools: Field['options'], projects: Field['options']): Field<keyof Given & string>[] => [
  { key: 'name', label: text.name, hint: text.nameHint, kind: 'text', isMono: true },
  { key: 'description', label: text.description, kind: 'lines', isNullable: true },
  { key: 'project', label: text.project, hint: text.projectHint, kind: 'choice', options: projects ?? [] },
  {
    key: 'execution-mode',
    label: text.mode,
    hint: text.modeHint,
    kind: 'choice',
    options: [
      { value: followed, label: text.followed },
      ...Object.entries(words.mode).map(([value, label]) => ({ value, label })),
    ],
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
  const projects = useQuery(projectsQuery(organization));
  const navigate = useNavigate();
  const workspace = query.data?.data;
  if (!workspace) return null;
  const named = (records: { id: string; attributes: { name: string } }[] | undefined) =>
    records?.map(({ id, attributes }) => ({ value: id, label: attributes.name }));
  const save = async (changes: Given, meant: Meant) => {
    await updateWorkspace(workspace, bodyOf(changes), meant);
    const renamed = changes.name;
    if (typeof renamed === 'string')
      await navigate({ to: paths.workspaceSettings(organization, renamed), ignoreBlocker: true, replace: true });
  };
  return (
    <Card title={settings.pages.general}>
      <RecordForm
        fields={fields(named(pools.data), named(projects.data))}
        values={valuesOf(workspace)}
        read={() => readAgain(workspaceQuery(organization, name), ({ data }) => valuesOf(data))}
        save={save}
        mayChange={workspace.attributes.permissions['can-update']}
        whyNot={settings.noAdmin}
      />
    </Card>
  );
}
