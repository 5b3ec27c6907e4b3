/** Create a project: owners and teams that manage projects may (§2.1 `manage-projects`). */

import { policy } from '../../access/policy.ts';
import { documentBody } from '../../core/jsonapi/body.ts';
import { idFor } from '../../core/jsonapi/chosen-id.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { defaults } from '../../core/jsonapi/resource.ts';
import { row } from '../../core/store/store.ts';
import { organizationByName } from '../../organizations/organizations/organization.ts';
import { addBindings } from '../tags/tag-binding.ts';
import { followingOrganization } from './execution-mode.ts';
import { countedProjectById, projects } from './project.ts';
import { projectBody, settle } from './settings.ts';

export const createProject = endpoint({
  operation: 'projects.create',
  section: '§1',
  summary: 'Create a project',
  method: 'POST',
  paths: ['/organizations/:organization_name/projects'],
  subject: organizationByName,
  needs: policy['organization:create-project'],
  holds: 'key share',
  body: documentBody(projects, { ...projectBody, required: ['name'], idMayBeGiven: true }),
  answer: { status: 201, document: projects, reads: countedProjectById },
  errors: ['name-taken'],
  check: async ({ sql, subject, body, faults }) => {
    const settled = await settle(
      sql,
      { organizationId: subject.organization_id, projectId: null },
      body,
      followingOrganization,
    );
    faults.push(...settled.faults);
    return settled.changes;
  },
  handle: async ({ sql, actor, subject, body, note }, changes) => {
    const project = { id: idFor('prj', { actor, body }), organization_id: subject.organization_id };
    await sql`insert into projects ${row(sql, { ...defaults(projects), ...changes, ...project })}`;
    const bindings = body.relationships['tag-bindings'] ?? [];
    if (bindings.length > 0) {
      await addBindings(sql, 'projects', project, bindings);
      note({ tag_bindings: bindings });
    }
    return project.id;
  },
});
