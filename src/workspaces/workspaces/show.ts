/** §4.3 Show workspace, by id and by name. */

import { policy } from '../../access/policy.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { workspaceById } from './rows.ts';
import { workspaces } from './workspace.ts';

/** §4.3's eleven, and what clients ask beyond them. */
export const includePaths = [
  'current_configuration_version',
  'current_configuration_version.ingress_attributes',
  'current_run',
  'current_run.configuration_version',
  'current_run.configuration_version.ingress_attributes',
  'current_run.plan',
  'locked_by',
  'organization',
  'outputs',
  'project',
  'readme',
  'agent_pool',
  'current_assessment_result',
  'current_run.apply',
  'current_state_version',
  'current_state_version.resources_processed',
  'effective_tag_bindings',
  'latest_run',
  'latest_run.configuration_version',
  'latest_run.configuration_version.ingress_attributes',
  'latest_run.plan',
  'no_code_module_version',
  'ssh_key',
  'vars',
] as const;

export const workspacePaths = [
  '/workspaces/:workspace_id',
  '/organizations/:organization_name/workspaces/:workspace_name',
] as const;

export const showWorkspace = endpoint({
  operation: 'workspaces.show',
  section: '§4.3',
  summary: 'Show a workspace',
  method: 'GET',
  paths: workspacePaths,
  subject: workspaceById,
  needs: policy['workspace:read'],
  include: includePaths,
  answer: { status: 200, document: workspaces },
  isForRuns: true,
  handle: ({ subject }) => subject,
});
