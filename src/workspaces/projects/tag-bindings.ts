/** §4.6 Key-value tags of a project: every workspace in it inherits them. */
import { policy } from '../../access/policy.ts';
import { bindingEndpoints } from '../tags/binding-endpoints.ts';
import { effectiveOfProjects } from '../tags/effective-tag-binding.ts';
import { projectById } from './project.ts';

export const projectBindingEndpoints = bindingEndpoints({
  type: 'projects',
  path: '/projects/:project_id',
  subject: projectById,
  read: policy['project:read'],
  manage: policy['project:manage-tags'],
  effective: effectiveOfProjects,
});
