/** List the known engine versions, newest first. */

import { policy } from '../../access/policy.ts';
import type { Actor } from '../../core/access/actor.ts';
import { type Collection, endpoint } from '../../core/jsonapi/endpoint.ts';
import { type Page, type RawQuery, single } from '../../core/jsonapi/page.ts';
import { containing } from '../../core/jsonapi/search.ts';
import type { Sql } from '../../core/store/store.ts';
import { site } from '../site/site.ts';
import { engineVersions, newestFirst, readEngineVersions } from './engine-version.ts';

export const listEngineVersions = endpoint({
  operation: 'engine-versions.list',
  section: '§4.2',
  summary: 'List the known engine versions',
  method: 'GET',
  paths: ['/admin/terraform-versions'],
  subject: site,
  needs: policy['site:administer'],
  query: {
    'filter[version]': 'This version exactly',
    'search[version]': 'Versions that contain this',
  },
  answer: { status: 200, collection: engineVersions, pages: 'always' },
  handle: ({ store, actor, query, page }) => versionPage(store.search, actor, query, page),
});

async function versionPage(sql: Sql, actor: Actor, query: RawQuery, page: Page): Promise<Collection> {
  const exact = single(query, 'filter[version]');
  const search = single(query, 'search[version]');
  const condition = sql`
    true
    ${exact ? sql`and engine_versions.version = ${exact}` : sql``}
    ${search ? sql`and engine_versions.version like ${containing(search)}` : sql``}`;
  const limit = sql`order by ${newestFirst(sql)} limit ${page.size} offset ${page.offset}`;
  const [counts, rows] = await Promise.all([
    sql<{ total: number }[]>`select count(*) as total from engine_versions where ${condition}`,
    readEngineVersions(sql, actor, condition, limit),
  ]);
  return { rows, total: counts[0]!.total };
}
