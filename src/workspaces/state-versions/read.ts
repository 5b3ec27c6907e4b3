/** §2.2 Read state versions: one, the current one of a workspace, and all of them, newest first. */
import { policy } from '../../access/policy.ts';
import { workspacePowers } from '../../access/workspace-levels.ts';
import { ApiError } from '../../core/errors.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { type RawQuery, single } from '../../core/jsonapi/page.ts';
import { site } from '../../organizations/site/site.ts';
import { workspaceById } from '../workspaces/workspace.ts';
import { asSubject, readVersions, stateVersionById, stateVersions, statuses } from './state-version.ts';

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
  handle: async ({ sql, subject }) => {
    const id = subject['current_state_version_id'] as string | null;
    const [version] = id === null ? [] : await readVersions(sql, sql`state_versions.id = ${id}`);
    if (!version) throw new ApiError('not-found');
    return asSubject(version, subject);
  },
});

export const listStateVersions = endpoint({
  operation: 'state-versions.list',
  section: '§2.2',
  summary: 'List the state versions of a workspace, newest first',
  method: 'GET',
  paths: ['/state-versions'],
  subject: site,
  needs: policy['site:call'],
  query: {
    'filter[organization][name]': 'The name of the organization; required',
    'filter[workspace][name]': 'The name of the workspace; required',
    'filter[status]': `One of: ${statuses.join(', ')}`,
  },
  include: includePaths,
  answer: { status: 200, collection: stateVersions, pages: 'always' },
  handle: async ({ sql, store, actor, query, page }) => {
    const names = {
      organization_name: required(query, 'filter[organization][name]'),
      workspace_name: required(query, 'filter[workspace][name]'),
    };
    const status = statusAsked(query);
    const workspace = await workspaceById.find(sql, actor, names, null);
    if (!workspace || !workspacePowers.has(workspace.powers, 'read-state')) throw new ApiError('not-found');
    const condition = sql`state_versions.workspace_id = ${workspace.id}
      ${status ? sql`and state_versions.status = ${status}` : sql``}`;
    const [count] = await store.search<{ total: number }[]>`
      select count(*) as total from state_versions where ${condition}`;
    const newestFirst = sql`order by state_versions.position desc limit ${page.size} offset ${page.offset}`;
    const versions = await readVersions(sql, condition, newestFirst);
    return { rows: versions.map(version => asSubject(version, workspace)), total: count!.total };
  },
});

function required(query: RawQuery, parameter: string): string {
  const value = single(query, parameter);
  if (value) return value;
  throw new ApiError('invalid-parameter', { reason: `${parameter} is required.` }, { parameter });
}

function statusAsked(query: RawQuery): string | undefined {
  const status = single(query, 'filter[status]') || undefined;
  if (status === undefined || (statuses as readonly string[]).includes(status)) return status;
  const reason = `filter[status] must be one of: ${statuses.join(', ')}.`;
  throw new ApiError('invalid-parameter', { reason }, { parameter: 'filter[status]' });
}
