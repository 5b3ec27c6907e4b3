/** Assess a workspace now, and not when its day has come. */
import { policy } from '../../access/policy.ts';
import { ApiError } from '../../core/errors.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { workspaceById } from '../../workspaces/workspaces/rows.ts';
import { workspaces } from '../../workspaces/workspaces/workspace.ts';
import { assessNow } from './assess.ts';

export const assessWorkspace = endpoint({
  operation: 'workspaces.assess',
  section: '§4.2',
  summary: 'Look now whether things are as the state of a workspace says',
  method: 'POST',
  paths: ['/workspaces/:workspace_id/actions/assess'],
  subject: workspaceById,
  needs: policy['workspace:assess'],
  answer: { status: 200, document: workspaces, reads: workspaceById },
  errors: ['workspace-not-assessable'],
  handle: async ({ sql, subject, config }) => {
    if (!(await assessNow(sql, config, subject.id))) throw new ApiError('workspace-not-assessable');
  },
});
