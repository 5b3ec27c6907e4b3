/** Show a project: whoever may read one of its workspaces may. */
import { policy } from '../../access/policy.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { countedProjectById, projects } from './project.ts';

export const showProject = endpoint({
  operation: 'projects.show',
  section: '§1',
  summary: 'Show a project',
  method: 'GET',
  paths: ['/projects/:project_id'],
  subject: countedProjectById,
  needs: policy['project:read'],
  include: ['organization', 'default_agent_pool', 'effective_tag_bindings'],
  answer: { status: 200, document: projects },
  handle: ({ subject }) => subject,
});
