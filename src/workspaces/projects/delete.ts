/** Delete a project that has no workspaces. The default project of an organization stays. */
import { policy } from '../../access/policy.ts';
import { ApiError } from '../../core/errors.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { projectById } from './project.ts';

export const deleteProject = endpoint({
  operation: 'projects.delete',
  section: '§1',
  summary: 'Delete a project',
  method: 'DELETE',
  paths: ['/projects/:project_id'],
  subject: projectById,
  needs: policy['project:delete'],
  answer: { status: 204 },
  errors: ['default-project-protected', 'project-not-empty'],
  handle: async ({ sql, subject }) => {
    if (subject.is_default) throw new ApiError('default-project-protected');
    // The reference of its workspaces refuses while there are any: see store/faults.ts.
    await sql`delete from projects where projects.id = ${subject.id}`;
  },
});
