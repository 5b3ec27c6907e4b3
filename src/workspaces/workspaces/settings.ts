/** §4.2: what a body asks of a workspace's settings → the columns to write, and every fault. */

import { mayUsePool } from '../../connections/agent-pools/scope.ts';
import { mayUseToken } from '../../connections/oauth-tokens/oauth-token.ts';
import { attributeFault, type Fault } from '../../core/errors.ts';
import { embedded, toOne, type WriteOf } from '../../core/jsonapi/body.ts';
import type { Deployment } from '../../core/jsonapi/fields.ts';
import { columns } from '../../core/jsonapi/resource.ts';
import type { Sql } from '../../core/store/store.ts';
import { engineVersionFaults } from '../../organizations/engine-versions/known.ts';
import { bindingFaults, bindingGiven } from '../tags/binding-rules.ts';
import { type Execution, settleExecution } from './execution-mode.ts';
import type { VcsRepo } from './fields.ts';
import { settleTriggers, type Triggers } from './triggers.ts';
import { settleVcsRepo } from './vcs-repo.ts';
import { workspaces } from './workspace.ts';

export type SettingsGiven = WriteOf<(typeof workspaces)['attributes']>;

/** What create and update have in common: the aliases of attributes, and the relationships. */
export const settingsBody = {
  aliases: { 'terraform-version': 'engine-version', 'drift-detection': 'assessments-enabled' },
  relationships: { project: toOne('projects'), 'tag-bindings': embedded('tag-bindings', bindingGiven) },
};

/** What the rules compare with: the workspace before, or what a new one starts from. */
export interface SettingsBefore extends Execution, Triggers {
  vcs_repo: VcsRepo | null;
  global_remote_state: boolean;
  project_remote_state: boolean;
  inherits_project_auto_destroy: boolean;
}

/** Where the workspace is, or will be: pools and connections may be open to some projects or workspaces only. */
export interface Place {
  organizationId: string;
  projectId: string;
  /** Null for a workspace that is being made. */
  workspaceId: string | null;
}

/** Columns with their new values. */
type Changes = Record<string, unknown> & { vcs_repo: VcsRepo | null };

/** The columns that the body changes. The rules of one attribute stand in its form (workspace.ts, fields.ts). */
export async function settle(
  sql: Sql,
  place: Place,
  given: SettingsGiven,
  before: SettingsBefore,
  { isCreate, deployment }: { isCreate: boolean; deployment: Deployment },
): Promise<{ changes: Changes; faults: Fault[] }> {
  const { overwrites_execution_mode, execution_mode, agent_pool_id } = before;
  const { execution, faults } = settleExecution(given, { overwrites_execution_mode, execution_mode, agent_pool_id });
  const { repo, faults: repoFaults } = settleVcsRepo(given['vcs-repo'], before.vcs_repo, isCreate);
  const { triggers, faults: triggerFaults } = settleTriggers(given, before);
  faults.push(...repoFaults, ...triggerFaults, ...sharingFaults(given, before), ...sourceFaults(given, deployment));
  if (given['agent-pool-id'] && execution.agent_pool_id === given['agent-pool-id']) {
    faults.push(...(await poolFaults(sql, place, given['agent-pool-id'], agent_pool_id)));
  }
  faults.push(...(await tokenFaults(sql, place, repo, before.vcs_repo)));
  if (given['engine-version']) faults.push(...(await engineVersionFaults(sql, given['engine-version'])));
  const changes = {
    ...columns(workspaces, given),
    ...execution,
    ...autoDestroy(given, before),
    ...triggers,
    vcs_repo: repo,
    engine_version: given['engine-version'] || undefined,
  };
  return { changes, faults };
}

/** What the workspace has already, it keeps: also where the pool or the connection has been closed to it since. */
async function poolFaults(sql: Sql, place: Place, poolId: string, before: string | null): Promise<Fault[]> {
  if (poolId === before || (await mayUsePool(sql, place, poolId))) return [];
  return [attributeFault('agent-pool-id', 'Agent pool does not exist here, or is not open to this workspace')];
}

async function tokenFaults(sql: Sql, place: Place, repo: VcsRepo | null, before: VcsRepo | null): Promise<Fault[]> {
  const tokenId = repo?.['oauth-token-id'];
  if (!tokenId || tokenId === before?.['oauth-token-id'] || (await mayUseToken(sql, place, tokenId))) return [];
  const reason = 'OAuth token does not exist, or its connection is not open to this project';
  return [attributeFault('vcs-repo.oauth-token-id', reason)];
}

function sharingFaults(given: SettingsGiven, before: SettingsBefore): Fault[] {
  const isGlobal = given['global-remote-state'] ?? before.global_remote_state;
  const isProject = given['project-remote-state'] ?? before.project_remote_state;
  if (!isGlobal || !isProject) return [];
  const reason = 'Project remote state cannot be enabled when global remote state sharing is enabled';
  return [attributeFault('project-remote-state', reason)];
}

/** Clients write the root of the repository as a slash in front, which the contract's relative path has not. */
function sourceFaults(given: SettingsGiven, { profile }: Deployment): Fault[] {
  const faults: Fault[] = [];
  const directory = given['working-directory'];
  const isAbsolute = profile === 'documented' && directory?.startsWith('/');
  if (isAbsolute || directory?.split('/').includes('..')) {
    faults.push(attributeFault('working-directory', 'Working directory must be relative, and inside the repository'));
  }
  const url = given['source-url'];
  if (url && !isWebAddress(url)) faults.push(attributeFault('source-url', 'Source url must be an http or https URL'));
  return faults;
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

/** A value of its own takes the workspace off its project's schedule; following the project again clears both. */
function autoDestroy(given: SettingsGiven, before: SettingsBefore): Record<string, unknown> {
  const at = given['auto-destroy-at'];
  const duration = given['auto-destroy-activity-duration'];
  const inherits = given['inherits-project-auto-destroy'];
  // A document sent back says that it inherits, and shows the project's duration: following wins.
  if (inherits) return followedSchedule;
  // A time takes the place of the duration, which would set another one.
  if (at) {
    return {
      auto_destroy_at: at,
      auto_destroy_activity_duration: duration ?? null,
      inherits_project_auto_destroy: false,
      auto_destroy_errored_at: null,
    };
  }
  if (at === null && duration === undefined)
    return { ...followedSchedule, inherits_project_auto_destroy: inherits ?? true };
  return {
    auto_destroy_at: at,
    auto_destroy_activity_duration: duration,
    inherits_project_auto_destroy: duration ? false : (inherits ?? before.inherits_project_auto_destroy),
  };
}

const followedSchedule = {
  auto_destroy_at: null,
  auto_destroy_activity_duration: null,
  inherits_project_auto_destroy: true,
  auto_destroy_errored_at: null,
};

/** §8 and §4.6 for the bindings of a create or update body. */
export function givenBindingFaults(bindings: readonly { key: string; value?: string | null }[] | undefined): Fault[] {
  return bindings ? bindingFaults(bindings, '/data/relationships/tag-bindings/data') : [];
}
