/** §4.2: the forms of a workspace's attributes that are more than a scalar. */

import { type Static, Type } from 'typebox';
import type { Granted } from '../../access/workspaces.ts';
import { providerNames, repositoryAddress, type ServiceProvider } from '../../connections/forges/providers.ts';
import { webhookUrl } from '../../connections/oauth-clients/oauth-client.ts';
import { boolean, computed, type Deployment, integer, nullable, text } from '../../core/jsonapi/fields.ts';
import type { Subject } from '../../core/jsonapi/records.ts';
import { limits } from '../../core/limits.ts';

export const vcsRepoGiven = Type.Unsafe<VcsRepoGiven | null>({
  type: ['object', 'null'],
  properties: {
    branch: { type: ['string', 'null'], maxLength: 255 },
    identifier: {
      type: 'string',
      pattern: '^[^\\s/]+(/[^\\s/]+)+$',
      maxLength: 512,
      'x-rule': 'must have the form :org/:repo (or :org/:project/_git/:repo)',
    },
    'ingress-submodules': { type: 'boolean' },
    'oauth-token-id': { type: ['string', 'null'], maxLength: 255 },
    'app-installation-id': { type: ['string', 'null'], maxLength: 255 },
    'github-app-installation-id': { type: ['string', 'null'], maxLength: 255 },
    'tags-regex': { type: ['string', 'null'], maxLength: limits.tagsRegex_characters.value },
  },
});

/** What a body may say of the repository; absent members keep their value on update. */
export interface VcsRepoGiven {
  branch?: string | null;
  identifier?: string;
  'ingress-submodules'?: boolean;
  'oauth-token-id'?: string | null;
  'app-installation-id'?: string | null;
  'github-app-installation-id'?: string | null;
  'tags-regex'?: string | null;
}

/** What is stored. */
export interface VcsRepo {
  branch: string;
  identifier: string;
  'ingress-submodules': boolean;
  'oauth-token-id': string | null;
  'app-installation-id': string | null;
  'tags-regex': string | null;
}

/** What the SELECT of workspaces yields beside the attributes, and what fields are computed from. */
export interface WorkspaceRow extends Subject<'workspace'>, Granted {
  organization_name: string;
  name: string;
  project_id: string;
  allow_destroy_plan: boolean;
  /** Of the organization. */
  allow_force_delete_workspaces: boolean;
  engine_version: string;
  overwrites_execution_mode: boolean;
  /** Its own, which count only while it overwrites. */
  execution_mode: 'remote' | 'local' | 'agent' | null;
  agent_pool_id: string | null;
  effective_execution_mode: 'remote' | 'local' | 'agent';
  effective_agent_pool_id: string | null;
  locked: boolean;
  locked_at: string | null;
  locked_by_type: 'users' | 'teams' | 'runs' | null;
  locked_by_id: string | null;
  lock_expires_at: string | null;
  inherits_project_auto_destroy: boolean;
  auto_destroy_activity_duration: string | null;
  project_auto_destroy_activity_duration: string | null;
  auto_destroy_at: string | null;
  auto_destroy_run_id: string | null;
  auto_destroy_errored_at: string | null;
  current_state_version_id: string | null;
  current_configuration_version_id: string | null;
  output_ids: string[];
  variable_ids: string[];
  run_metrics: Record<string, number> | null;
  vcs_repo: VcsRepo | null;
  vcs_service_provider: ServiceProvider | null;
  vcs_client_id: string | null;
  vcs_client_name: string | null;
  vcs_http_url: string | null;
  ssh_key_id: string | null;
  /** Given anew with each change of the workspace's own row. */
  revision: number;
  /** Of all that the document shows. */
  stamp: string;
}

const shape = Type.Object({
  branch: text,
  'display-identifier': text,
  identifier: text,
  'ingress-submodules': boolean,
  'oauth-token-id': nullable(text),
  'app-installation-id': nullable(text),
  'github-app-installation-id': nullable(text),
  'repository-http-url': nullable(text),
  'service-provider': nullable(text),
  'tags-regex': nullable(text),
  'webhook-url': nullable(text),
});

export const vcsRepoShown = Type.Unsafe<Static<typeof shape> | null>({ ...shape, type: ['object', 'null'] });

/** What its connection adds is null while the repository is reached by an app installation. */
export function shownVcsRepo(row: WorkspaceRow, deployment: Deployment): Static<typeof shape> | null {
  const { vcs_repo: repo, vcs_service_provider: provider } = row;
  if (repo === null) return null;
  return {
    ...repo,
    'display-identifier': repo.identifier,
    'github-app-installation-id': repo['app-installation-id'],
    'repository-http-url': provider && repositoryAddress(provider, row.vcs_http_url!, repo.identifier),
    'service-provider': provider,
    'webhook-url': row.vcs_client_id && webhookUrl(row.vcs_client_id, deployment),
  };
}

/** The connection's own name, or that of its provider. */
export function shownClientName(row: WorkspaceRow): string | null {
  const provider = row.vcs_service_provider;
  return provider && (row.vcs_client_name ?? providerNames[provider]);
}

/** Kept with the row by the change of a run that makes it differ; null before the first run that counts. */
export function metric(name: string) {
  return computed(nullable(integer), (row: WorkspaceRow) => row.run_metrics?.[name] ?? null);
}

export function paths() {
  return Type.Array(Type.String({ minLength: 1, maxLength: 1024 }), { maxItems: 200 });
}

export function overwritesGiven() {
  return Type.Unsafe<{ 'execution-mode'?: boolean; 'agent-pool'?: boolean }>({
    type: 'object',
    properties: { 'execution-mode': boolean, 'agent-pool': boolean },
  });
}

/** From `scheduled` to `executing` when the run begins that destroys it; then nothing, or that it failed. */
export function autoDestroyStatus(row: WorkspaceRow): string | null {
  if (row.auto_destroy_run_id) return 'executing';
  if (row.auto_destroy_errored_at) return 'errored';
  return row.auto_destroy_at ? 'scheduled' : null;
}

/** A workspace that follows its project shows the project's duration. */
export function shownDuration(row: WorkspaceRow): string | null {
  return row.inherits_project_auto_destroy
    ? row.project_auto_destroy_activity_duration
    : row.auto_destroy_activity_duration;
}
