/** §2.2 Read state versions: one, the current one of a workspace, and all of them, newest first. */

import { policy } from '../../access/policy.ts';
import { ApiError } from '../../core/errors.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { required, term, word } from '../../core/jsonapi/query.ts';
import { counted } from '../../core/store/page.ts';
import { workspaceById } from '../workspaces/rows.ts';
import { snapshotHeaders } from './rules.ts';
import {
  asSubject,
  readVersions,
  type StateVersion,
  stateVersionById,
  stateVersions,
  statuses,
} from './state-version.ts';

const includePaths = [
  'outputs',
  'run',
  'run.configuration_version',
  'run.configuration_version.ingress_attributes',
  'run.created_by',
  'created_by',
  'workspace',
] as const;

export const showStateVersion = endpoint({
  operation: 'state-versions.show',
  section: '§2.2',
  summary: 'Show a state version',
  method: 'GET',
  paths: ['/state-versions/:state_version_id'],
  subject: stateVersionById,
  needs: policy['workspace:read-state'],
  include: includePaths,
  answer: { status: 200, document: stateVersions },
  isForRuns: true,
  handle: ({ subject }) => subject,
});

export const showCurrentStateVersion = endpoint({
  operation: 'state-versions.show-current',
  section: '§2.2',
  summary: 'Show the current state version of a workspace; 404 while there is none',
  method: 'GET',
  paths: ['/workspaces/:workspace_id/current-state-version'],
  subject: workspaceById,
  needs: policy['workspace:read-state'],
  include: includePaths,
  answer: { status: 200, document: stateVersions },
  headers: snapshotHeaders,
  isForRuns: true,
  handle: async ({ sql, actor, subject }) => {
    const id = subject.current_state_version_id;
    const [version] = id === null ? [] : await readVersions(sql, sql`state_versions.id = ${id}`);
    if (!version) throw new ApiError('not-found');
    return asSubject(version, subject, actor);
  },
});

export const listStateVersions = endpoint({
  operation: 'state-versions.list',
  section: '§2.2',
  summary: 'List the state versions of a workspace, newest first',
  method: 'GET',
  paths: ['/state-versions'],
  subject: workspaceById,
  named: {
    byQuery: { 'filter[organization][name]': 'organization_name', 'filter[workspace][name]': 'workspace_name' },
  },
  needs: policy['workspace:read-state'],
  query: {
    'filter[organization][name]': required(term('The name of the organization')),
    'filter[workspace][name]': required(term('The name of the workspace')),
    'filter[status]': word('Versions of this status', ...statuses),
  },
  include: includePaths,
  answer: { status: 200, collection: stateVersions, pages: 'always' },
  handle: async ({ sql, store, actor, subject: workspace, query, page }) => {
    const status = query['filter[status]'];
    const condition = sql`state_versions.workspace_id = ${workspace.id}
      ${status ? sql`and state_versions.status = ${status}` : sql``}`;
    const { rows, total } = await counted<StateVersion>(
      store.search,
      sql`select count(*) as total from state_versions where ${condition}`,
      readVersions(sql, condition, sql`order by state_versions.position desc limit ${page.size} offset ${page.offset}`),
    );
    return { rows: rows.map(version => asSubject(version, workspace, actor)), total };
  },
});
