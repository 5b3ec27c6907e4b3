/** §4.2 Create workspace: 201. Who may create is asked of the project that it goes to (§5.4). */

import { policy } from '../../access/policy.ts';
import { ApiError, relationshipFault } from '../../core/errors.ts';
import { documentBody } from '../../core/jsonapi/body.ts';
import { idFor } from '../../core/jsonapi/chosen-id.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { permitted } from '../../core/jsonapi/records.ts';
import { defaults } from '../../core/jsonapi/resource.ts';
import { row } from '../../core/store/store.ts';
import { defaultEngineVersion } from '../../organizations/engine-versions/known.ts';
import { type Organization, organizationByName } from '../../organizations/organizations/organization.ts';
import { countWorkspaces } from '../projects/count.ts';
import { projectById } from '../projects/project.ts';
import { addBindings } from '../tags/tag-binding.ts';
import { executes, inheritedExecution, settleExecution } from './execution-mode.ts';
import { noteLink } from './links.ts';
import { workspaceById } from './rows.ts';
import { givenBindingFaults, type SettingsBefore, settingsBody, settle } from './settings.ts';
import { includePaths } from './show.ts';
import { addTags } from './tags.ts';
import { toTags } from './tags-body.ts';
import { noTriggers } from './triggers.ts';
import { workspaces } from './workspace.ts';

export const createWorkspace = endpoint({
  operation: 'workspaces.create',
  section: '§4.2',
  summary: 'Create a workspace',
  method: 'POST',
  paths: ['/organizations/:organization_name/workspaces'],
  subject: organizationByName,
  needs: policy['organization:create-workspace'],
  holds: 'key share',
  goesAhead: true,
  include: includePaths,
  body: documentBody(workspaces, {
    ...settingsBody,
    relationships: { ...settingsBody.relationships, tags: toTags },
    required: ['name'],
    idMayBeGiven: true,
  }),
  answer: { status: 201, document: workspaces, reads: workspaceById },
  // The command line tries to make the workspace whose state it may not read.
  refusesRuns: 'run-creates-no-workspace',
  errors: ['name-taken', 'invalid-relationship', 'run-creates-no-workspace'],
  check: async ({ sql, actor, subject, body, faults, deployment }) => {
    const projectId = projectFor(body.relationships, subject);
    const needs = policy['project:create-workspace'];
    const { execution } = settleExecution(body.attributes, inheritedExecution);
    const [project, usualVersion] = await Promise.all([
      permitted({ sql, actor }, projectById, needs, { project_id: projectId }),
      body.attributes['engine-version'] ? undefined : defaultEngineVersion(sql, executes(sql, execution, projectId)),
    ]);
    if (project?.organization_id !== subject.organization_id) throw new ApiError('not-found');
    const before: SettingsBefore = {
      ...inheritedExecution,
      ...noTriggers,
      vcs_repo: null,
      global_remote_state: subject.default_global_remote_state,
      project_remote_state: false,
      inherits_project_auto_destroy: true,
    };
    const place = { organizationId: subject.organization_id, projectId: project.id, workspaceId: null };
    const settled = await settle(sql, place, body.attributes, before, { isCreate: true, deployment });
    faults.push(...settled.faults, ...givenBindingFaults(body.relationships['tag-bindings']));
    return {
      ...settled.changes,
      global_remote_state: body.attributes['global-remote-state'] ?? subject.default_global_remote_state,
      engine_version: settled.changes['engine_version'] ?? usualVersion,
      project_id: project.id,
      organization_id: subject.organization_id,
    };
  },
  handle: async ({ sql, actor, subject, body }, settings) => {
    const id = idFor('ws', { actor, body });
    sql`insert into workspaces ${row(sql, { ...defaults(workspaces), ...settings, id })}`.send();
    noteLink(sql, id, actor.userId, settings.vcs_repo);
    const { tags = [], 'tag-bindings': bindings = [] } = body.relationships;
    await addBindings(sql, 'workspaces', { id, organization_id: subject.organization_id }, bindings);
    const unknown = tags.length > 0 ? await addTags(sql, subject.organization_id, id, tags) : [];
    if (unknown.length > 0) throw new ApiError([relationshipFault('tags', `Unknown tag: ${unknown.join(', ')}`)]);
    return id;
  },
  // Written last, with the commit: whoever counts in the same slot waits for that.
  follow: async ({ sql, subject, body }) =>
    countWorkspaces(sql, subject.organization_id, { [projectFor(body.relationships, subject)]: 1 }),
});

const projectFor = ({ project }: { project?: string | null }, { default_project_id }: Organization) =>
  project || default_project_id;
