/** §2.2: the records that a workspace refers to. */

import {
  choice,
  gathered,
  linked,
  type Relationship,
  type Row,
  reference,
  references,
} from '../../core/jsonapi/fields.ts';
import { ownPolicy } from '../../organizations/data-retention-policies/data-retention-policy.ts';
import { effectiveOfWorkspaces } from '../tags/effective-tag-binding.ts';

const under = (path: string) => (row: Row) => `/api/v2/workspaces/${row.id}/${path}`;

export const workspaceRelationships = {
  'agent-pool': reference(
    'agent-pools',
    'effective_agent_pool_id',
    row => `/api/v2/agent-pools/${row['effective_agent_pool_id']}`,
  ),
  'current-assessment-result': reference(
    'assessment-results',
    'current_assessment_result_id',
    row => `/api/v2/assessment-results/${row['current_assessment_result_id']}`,
  ),
  'current-configuration-version': reference(
    'configuration-versions',
    'current_configuration_version_id',
    row => `/api/v2/configuration-versions/${row['current_configuration_version_id']}`,
  ),
  'current-run': reference('runs', 'current_run_id', row => `/api/v2/runs/${row['current_run_id']}`),
  'latest-run': reference('runs', 'current_run_id', row => `/api/v2/runs/${row['current_run_id']}`),
  'current-state-version': reference('state-versions', 'current_state_version_id', under('current-state-version')),
  'data-retention-policy': ownPolicy(row => `/api/v2/workspaces/${row.id}`),
  'effective-tag-bindings': gathered('effective-tag-bindings', under('effective-tag-bindings'), effectiveOfWorkspaces),
  'locked-by': choice(['users', 'teams', 'runs'], row =>
    row['locked'] ? { type: row['locked_by_type'], id: row['locked_by_id'] } : null,
  ),
  organization: reference(
    'organizations',
    'organization_name',
    row => `/api/v2/organizations/${row['organization_name']}`,
  ),
  outputs: references('workspace-outputs', 'output_ids', under('current-state-version-outputs')),
  project: reference('projects', 'project_id', row => `/api/v2/projects/${row['project_id']}`),
  readme: reference('workspace-readme', () => null),
  'remote-state-consumers': linked(under('relationships/remote-state-consumers')),
  'ssh-key': reference('ssh-keys', 'ssh_key_id', row => `/api/v2/ssh-keys/${row['ssh_key_id']}`),
  'tag-bindings': linked(under('tag-bindings')),
  vars: references('vars', 'variable_ids'),
} satisfies Record<string, Relationship>;
