/** §2.2 Workspace: its attributes, and the type of its row. */

import { Type } from 'typebox';
import { workspacePermissionNames, workspacePermissions } from '../../access/workspace-levels.ts';
import {
  boolean,
  booleans,
  column,
  computed,
  type Deployment,
  integer,
  nullable,
  text,
  texts,
  timestamp,
  word,
} from '../../core/jsonapi/fields.ts';
import { duration, plainName } from '../../core/jsonapi/forms.ts';
import type { RowOf } from '../../core/jsonapi/resource.ts';
import {
  autoDestroyStatus,
  metric,
  overwritesGiven,
  paths,
  shownClientName,
  shownDuration,
  shownVcsRepo,
  vcsRepoGiven,
  vcsRepoShown,
  type WorkspaceRow,
} from './fields.ts';

const executionMode = word('remote', 'local', 'agent');
/** Under the vendor's profile in both editions: its clients set it everywhere, and fail where it does not come back. */
const hasAssessments = ({ edition, profile }: Deployment) => edition === 'hosted' || profile === 'vendor';

export const attributes = {
  /** Whether a destroy plan can be asked for at all. */
  actions: computed(booleans('is-destroyable'), (row: WorkspaceRow) => ({ 'is-destroyable': row.allow_destroy_plan })),
  'allow-destroy-plan': column(boolean, { write: true, default: true }),
  'apply-duration-average': metric('apply-duration-average'),
  'plan-duration-average': metric('plan-duration-average'),
  'policy-check-failures': metric('policy-check-failures'),
  'run-failures': metric('run-failures'),
  'workspace-kpis-runs-count': metric('workspace-kpis-runs-count'),
  'assessments-enabled': column(boolean, { write: true, default: false, when: hasAssessments }),
  'last-assessment-result-at': column(nullable(timestamp)),
  'auto-apply': column(boolean, { write: true, default: false }),
  'auto-apply-run-trigger': column(boolean, { write: true, default: false }),
  'auto-destroy-at': column(nullable(timestamp), { write: true }),
  'auto-destroy-activity-duration': computed(nullable(text), shownDuration, { write: nullable(duration) }),
  'auto-destroy-status': computed(nullable(text), autoDestroyStatus),
  'inherits-project-auto-destroy': column(boolean, { write: true }),
  'created-at': column(timestamp),
  'updated-at': column(timestamp),
  'latest-change-at': column(timestamp),
  description: column(nullable(text), { write: nullable(Type.String({ maxLength: 4096 })), default: null }),
  environment: column(text),
  'execution-mode': computed(executionMode, (row: WorkspaceRow) => row.effective_execution_mode, { write: true }),
  operations: computed(boolean, (row: WorkspaceRow) => row.effective_execution_mode !== 'local', { write: true }),
  /** Write-only: answers carry the relationship `agent-pool`. */
  'agent-pool-id': computed(nullable(text), (row: WorkspaceRow) => row.effective_agent_pool_id, { write: true }),
  'file-triggers-enabled': column(boolean, { write: true, default: true }),
  'global-remote-state': column(boolean, { write: true }),
  'project-remote-state': column(boolean, { write: true, default: false }),
  locked: column(boolean),
  'locked-reason': column(nullable(text)),
  /** Null also while the lock is one from before this was kept. */
  'locked-at': computed(nullable(timestamp), (row: WorkspaceRow) => (row.locked ? row.locked_at : null)),
  'lock-expires-at': computed(nullable(timestamp), (row: WorkspaceRow) => (row.locked ? row.lock_expires_at : null)),
  name: column(text, { write: plainName }),
  'oauth-client-name': computed(nullable(text), shownClientName),
  'queue-all-runs': column(boolean, { write: true, default: false }),
  'resource-count': column(integer),
  source: column(text),
  'source-name': column(nullable(text), { write: nullable(Type.String({ maxLength: 255 })), default: null }),
  'source-url': column(nullable(text), { write: nullable(Type.String({ maxLength: 2048 })), default: null }),
  'speculative-enabled': column(boolean, { write: true, default: true }),
  'structured-run-output-enabled': column(boolean, { write: true, default: true }),
  'tag-names': column(texts),
  'engine-version': column(text, { write: nullable(Type.String({ maxLength: 255 })) }),
  /** The name that clients know it by. */
  'terraform-version': computed(text, (row: WorkspaceRow) => row.engine_version),
  'trigger-prefixes': column(texts, { write: paths(), default: [] }),
  'trigger-patterns': column(texts, { write: paths(), default: [] }),
  'vcs-repo': computed(vcsRepoShown, shownVcsRepo, { write: vcsRepoGiven }),
  'vcs-repo-identifier': computed(nullable(text), (row: WorkspaceRow) => row.vcs_repo?.identifier ?? null),
  'working-directory': column(nullable(text), { write: nullable(Type.String({ maxLength: 1024 })), default: null }),
  'setting-overwrites': computed(
    booleans('execution-mode', 'agent-pool'),
    (row: WorkspaceRow) => ({
      'execution-mode': row.overwrites_execution_mode,
      'agent-pool': row.overwrites_execution_mode,
    }),
    { write: overwritesGiven() },
  ),
  permissions: computed(booleans(...workspacePermissionNames), (row: WorkspaceRow) => workspacePermissions(row.powers)),
};

export interface Workspace extends RowOf<typeof attributes>, WorkspaceRow {}
