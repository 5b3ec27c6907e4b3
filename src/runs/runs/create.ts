/** §5.4 Create a run: by whoever may queue plans, of the workspace's current configuration version unless another is named. */

import { policy } from '../../access/policy.ts';
import { workspacePowers } from '../../access/workspace-levels.ts';
import type { Actor } from '../../core/access/actor.ts';
import { ApiError, attributeFault, type Fault, relationshipFault } from '../../core/errors.ts';
import { documentBody, toOne, type WriteOf } from '../../core/jsonapi/body.ts';
import { type CommandLine, endpoint } from '../../core/jsonapi/endpoint.ts';
import { columns } from '../../core/jsonapi/resource.ts';
import type { Sql } from '../../core/store/store.ts';
import type { Workspace } from '../../workspaces/workspaces/attributes.ts';
import { workspaceById } from '../../workspaces/workspaces/rows.ts';
import {
  type ConfigurationVersion,
  configurationVersionRecords,
} from '../configuration-versions/configuration-version.ts';
import { insertRun, type RunSettings } from '../queue/insert.ts';
import { sourceOf } from '../queue/sources.ts';
import { includePaths, runById, runs } from './run.ts';

type Given = WriteOf<(typeof runs)['attributes']>;

export const createRun = endpoint({
  operation: 'runs.create',
  section: '§5.4',
  summary: 'Create a run',
  method: 'POST',
  paths: ['/runs'],
  subject: workspaceById,
  named: { byRelationship: 'workspace', parameter: 'workspace_id' },
  needs: policy['workspace:queue-run'],
  include: includePaths,
  body: documentBody(runs, {
    relationships: { workspace: toOne('workspaces'), 'configuration-version': toOne('configuration-versions') },
    requiredRelationships: ['workspace'],
    typeIsOptional: true,
  }),
  answer: { status: 201, document: runs, reads: runById },
  check: async ({ sql, actor, subject: workspace, body: { attributes, relationships }, faults }) => {
    const version = await chosenVersion(sql, actor, workspace, relationships['configuration-version']);
    faults.push(...versionFaults(workspace, version));
    const isPlanOnly = attributes['plan-only'] === true || version?.speculative === true;
    faults.push(...settingFaults(workspace, attributes, isPlanOnly));
    const mayApply = workspacePowers.has(workspace.powers, 'apply');
    const asksToApply = attributes['auto-apply'] === true || attributes['is-destroy'] === true;
    if (asksToApply && !isPlanOnly && !mayApply) throw new ApiError('not-found');
    return { version, isPlanOnly, mayApply };
  },
  handle: async ({ sql, actor, subject: workspace, body, commandLine, config, note }, checked) => {
    const { version, isPlanOnly, mayApply } = checked;
    const { attributes, relationships } = body;
    const made = relationships['configuration-version']
      ? await madeBefore(sql, actor, workspace, version!, commandLine)
      : null;
    if (made) {
      note({ again: true });
      return made;
    }
    const { variables, ...settings } = {
      ...(columns(runs, attributes) as Partial<RunSettings>),
      variables: attributes.variables ?? [],
    };
    const id = await insertRun(
      sql,
      config,
      {
        ...originOf(workspace),
        configuration_version_id: version!.id,
        created_by_id: actor.userId,
        source: sourceOf(commandLine),
        terraform_version: attributes['terraform-version'] ?? (workspace['engine_version'] as string),
      },
      {
        ...settings,
        variables,
        message: attributes.message || `Queued manually ${commandLine ? 'from the command line' : 'via the API'}`,
        plan_only: isPlanOnly,
        save_plan: attributes['save-plan'] === true,
        auto_apply: !isPlanOnly && mayApply && (attributes['auto-apply'] ?? workspace['auto_apply']),
      },
    );
    return id;
  },
});

/**
 * A command line makes one run of each configuration that it uploads. Where it asks for another, the answer to the first was lost:
 * nobody would confirm that run, and the next would wait behind it for ever.
 */
async function madeBefore(
  sql: Sql,
  actor: Actor,
  workspace: Workspace,
  version: ConfigurationVersion,
  commandLine: CommandLine | null,
): Promise<string | null> {
  if (commandLine === null || version.source !== sourceOf(commandLine)) return null;
  const [made] = await sql<{ id: string }[]>`
    select runs.id from runs
    where runs.configuration_version_id = ${version.id} and runs.workspace_id = ${workspace.id}
      and runs.created_by_id = ${actor.userId} and runs.source = ${sourceOf(commandLine)}
    order by runs.position, runs.id limit 1`;
  return made?.id ?? null;
}

function originOf(workspace: Workspace) {
  const usesAgents = workspace.effective_execution_mode === 'agent';
  return {
    organization_id: workspace.organization_id,
    workspace_id: workspace.id,
    execution_mode: usesAgents ? ('agent' as const) : ('remote' as const),
    agent_pool_id: usesAgents ? (workspace.effective_agent_pool_id as string | null) : null,
  };
}

/** Of any workspace of the organization, so that what proved good can be used elsewhere. It is held: nobody archives it now. */
async function chosenVersion(
  sql: Sql,
  actor: Actor,
  workspace: Workspace,
  given: string | null | undefined,
): Promise<ConfigurationVersion | null | undefined> {
  const id = given ?? workspace.current_configuration_version_id;
  if (!id) return null;
  const [version] = await configurationVersionRecords.read(
    sql,
    actor,
    sql`configuration_versions.id = ${id} and workspaces.organization_id = ${workspace.organization_id}`,
    sql`for share of configuration_versions`,
  );
  return version;
}

function versionFaults(workspace: Workspace, version: ConfigurationVersion | null | undefined): Fault[] {
  const fault = (reason: string) => [relationshipFault('configuration-version', `Configuration version ${reason}`)];
  if (workspace.effective_execution_mode === 'local') {
    return [relationshipFault('workspace', 'Workspace keeps state only: its execution mode is local')];
  }
  if (version === null) return fault('must be given: the workspace has none');
  if (version === undefined) return fault('must be one of the organization that you may read');
  if (version.status !== 'uploaded') return fault(`must be uploaded, and is ${version.status}`);
  return [];
}

function settingFaults(workspace: Workspace, given: Given, isPlanOnly: boolean): Fault[] {
  const faults: Fault[] = [];
  if (given['is-destroy'] && given['refresh-only']) {
    faults.push(attributeFault('refresh-only', 'Refresh only cannot be combined with is-destroy'));
  }
  if (given['is-destroy'] && !workspace['allow_destroy_plan']) {
    faults.push(
      attributeFault('is-destroy', 'Is destroy is not allowed in this workspace: its allow-destroy-plan is false'),
    );
  }
  if (given['save-plan'] && isPlanOnly) {
    faults.push(attributeFault('save-plan', 'Save plan cannot be combined with a run that only plans'));
  }
  if (given['terraform-version'] !== undefined && !isPlanOnly) {
    faults.push(attributeFault('terraform-version', 'Terraform version can only be chosen for a run that only plans'));
  }
  return faults;
}
