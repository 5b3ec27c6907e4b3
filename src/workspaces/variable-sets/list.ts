/** List the variable sets of an organization, and those that apply to a project or a workspace: searched, paginated. */

import { policy } from '../../access/policy.ts';
import { appliesTo } from '../../access/variable-sets.ts';
import { type Collection, type Context, endpoint } from '../../core/jsonapi/endpoint.ts';
import { term } from '../../core/jsonapi/query.ts';
import { containing, listing } from '../../core/jsonapi/search.ts';
import { all } from '../../core/store/conditions.ts';
import type { Fragment, Sql } from '../../core/store/store.ts';
import { organizationByName } from '../../organizations/organizations/organization.ts';
import { projectById } from '../projects/project.ts';
import { workspaceById } from '../workspaces/rows.ts';
import { includePaths, variableSetRecords, variableSets } from './variable-set.ts';

const common = {
  section: '§2.2',
  method: 'GET',
  query: { q: term('Sets whose name contains this, whatever its case') },
  include: includePaths,
  answer: { status: 200, collection: variableSets, pages: 'always' },
} as const;

export const listVariableSets = endpoint({
  ...common,
  operation: 'varsets.list',
  summary: 'List the variable sets of an organization',
  paths: ['/organizations/:organization_name/varsets'],
  subject: organizationByName,
  needs: policy['organization:list-variable-sets'],
  handle: context => pageOf(context, sql => sql`variable_sets.organization_id = ${context.subject.organization_id}`),
});

export const listVariableSetsOfProject = endpoint({
  ...common,
  operation: 'varsets.list-of-project',
  summary: 'List the variable sets that a project owns, or that apply to it',
  paths: ['/projects/:project_id/varsets'],
  subject: projectById,
  needs: policy['project:list-variable-sets'],
  handle: context => {
    const { id, organization_id: organizationId } = context.subject;
    return pageOf(
      context,
      sql => sql`
        variable_sets.organization_id = ${organizationId}
        and (
          variable_sets.global
          or variable_sets.project_id = ${id}
          or exists (
            select from variable_set_projects
            where variable_set_projects.variable_set_id = variable_sets.id and variable_set_projects.project_id = ${id}
          )
        )`,
    );
  },
});

export const listVariableSetsOfWorkspace = endpoint({
  ...common,
  operation: 'varsets.list-of-workspace',
  summary: 'List the variable sets that apply to a workspace',
  paths: ['/workspaces/:workspace_id/varsets'],
  subject: workspaceById,
  needs: policy['workspace:list-variable-sets'],
  handle: context =>
    pageOf(
      context,
      sql => sql`
        exists (select from workspaces where workspaces.id = ${context.subject.id} and ${appliesTo(sql)})`,
    ),
});

/** Only those that the caller may read are listed, and counted. */
function pageOf(
  { store, actor, query, page }: Pick<Context<unknown, unknown, { q: string | undefined }>, Door>,
  within: (sql: Sql) => Fragment,
): Promise<Collection> {
  const { q } = query;
  const sql = listing(store, query);
  const condition = all(sql, [within(sql), q && sql`lower(variable_sets.name) like lower(${containing(q)})`]);
  return variableSetRecords.page({ sql, actor, page }, condition, sql`variable_sets.name, variable_sets.id`);
}

type Door = 'store' | 'actor' | 'query' | 'page';
