/** Update a project: what the body leaves out keeps its value; bindings that it names replace those there are. */
import { policy } from '../../access/policy.ts';
import { documentBody } from '../../core/jsonapi/body.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { row } from '../../core/store/store.ts';
import { replaceBindings } from '../tags/tag-binding.ts';
import { countedProjectById, projectById, projects } from './project.ts';
import { projectBody, settle } from './settings.ts';

export const updateProject = endpoint({
  operation: 'projects.update',
  section: '§1',
  summary: 'Update a project',
  method: 'PATCH',
  paths: ['/projects/:project_id'],
  subject: projectById,
  needs: policy['project:update'],
  body: documentBody(projects, projectBody),
  answer: { status: 200, document: projects, reads: countedProjectById },
  errors: ['name-taken'],
  check: async ({ sql, subject, body, faults }) => {
    const settled = await settle(sql, { organizationId: subject.organization_id, projectId: subject.id }, body, {
      overwrites_execution_mode: subject.overwrites_execution_mode,
      default_execution_mode: subject.own_execution_mode,
      default_agent_pool_id: subject.own_agent_pool_id,
    });
    faults.push(...settled.faults);
    return settled.changes;
  },
  handle: async ({ sql, subject, body: { relationships }, note }, changes) => {
    await sql`update projects set ${row(sql, changes)}, revision = default where projects.id = ${subject.id}`;
    const bindings = relationships['tag-bindings'];
    if (bindings) {
      await replaceBindings(sql, 'projects', subject, bindings);
      note({ tag_bindings: bindings });
    }
  },
});
