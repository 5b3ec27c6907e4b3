/** §2.2: the records that a workspace refers to. */

import {
  addressed,
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
import type { WorkspaceRow } from './fields.ts';

const under = (path: string) => (row: Row) => `/api/v2/workspaces/${row.id}/${path}`;

export const workspaceRelationships = {
  'agent-pool': addressed('agent-pools', 'effective_agent_pool_id'),
  'current-assessment-result': addressed('assessment-results', 'current_assessment_result_id'),
  'current-configuration-version': addressed('configuration-versions', 'current_configuration_version_id'),
  'current-run': addressed('runs', 'current_run_id'),
  'latest-run': addressed('runs', 'current_run_id'),
  'current-state-version': reference('state-versions', 'current_state_version_id', under('current-state-version')),
  'data-retention-policy': ownPolicy(row => `/api/v2/workspaces/${row.id}`),
  'effective-tag-bindings': gathered('effective-tag-bindings', under('effective-tag-bindings'), effectiveOfWorkspaces),
  'locked-by': choice(['users', 'teams', 'runs'], (row: WorkspaceRow) =>
    row.locked ? { type: row.locked_by_type!, id: row.locked_by_id! } : null,
  ),
  organization: addressed('organizations', 'organization_name'),
  outputs: references('workspace-outputs', 'output_ids', under('current-state-version-outputs')),
  project: addressed('projects', 'project_id'),
  readme: reference('workspace-readme', 'readme_id'),
  'remote-state-consumers': linked(under('relationships/remote-state-consumers')),
  'ssh-key': addressed('ssh-keys', 'ssh_key_id'),
  'tag-bindings': linked(under('tag-bindings')),
  vars: references('vars', 'variable_ids'),
} satisfies Record<string, Relationship>;
