/** List the known engine versions, newest first. */

import { policy } from '../../access/policy.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { term } from '../../core/jsonapi/query.ts';
import { containing } from '../../core/jsonapi/search.ts';
import { all } from '../../core/store/conditions.ts';
import { site } from '../site/site.ts';
import { engineVersionRecords, engineVersions, newestFirst } from './engine-version.ts';

export const listEngineVersions = endpoint({
  operation: 'engine-versions.list',
  section: '§4.2',
  summary: 'List the known engine versions',
  method: 'GET',
  paths: ['/admin/terraform-versions'],
  subject: site,
  needs: policy['site:administer'],
  query: {
    'filter[version]': term('This version exactly'),
    'search[version]': term('Versions that contain this'),
  },
  answer: { status: 200, collection: engineVersions, pages: 'always' },
  handle: ({ store: { search: sql }, actor, query, page }) => {
    const { 'filter[version]': exact, 'search[version]': part } = query;
    const condition = all(sql, [
      exact && sql`engine_versions.version = ${exact}`,
      part && sql`engine_versions.version like ${containing(part)}`,
    ]);
    return engineVersionRecords.page({ sql, actor, page }, condition, newestFirst(sql));
  },
});
