/** §1 List the accounts of people, for site administrators. Who is only invited somewhere is that organization's matter. */

import { policy } from '../../access/policy.ts';
import type { Actor } from '../../core/access/actor.ts';
import { type Collection, endpoint } from '../../core/jsonapi/endpoint.ts';
import { type Page, single } from '../../core/jsonapi/page.ts';
import { containing } from '../../core/jsonapi/search.ts';
import type { Sql } from '../../core/store/store.ts';
import { site } from '../../organizations/site/site.ts';
import { isPerson, readUsers, users, withEmail } from './user.ts';

export const listUsers = endpoint({
  operation: 'users.list',
  section: '§1',
  summary: 'List the accounts of the installation',
  method: 'GET',
  paths: ['/admin/users'],
  subject: site,
  needs: policy['site:administer'],
  query: { q: 'Accounts whose username or e-mail address contains this, whatever its case' },
  answer: { status: 200, collection: users, pages: 'always' },
  handle: ({ store, actor, query, page }) => userPage(store.search, actor, single(query, 'q'), page),
});

async function userPage(sql: Sql, actor: Actor, search: string | undefined, page: Page): Promise<Collection> {
  const pattern = containing(search ?? '');
  const condition = sql`
    ${isPerson(sql)}
    ${search ? sql`and (lower(users.username) like lower(${pattern}) or lower(users.email) like lower(${pattern}))` : sql``}`;
  const [counts, rows] = await Promise.all([
    sql<{ total: number }[]>`select count(*) as total from users where ${condition}`,
    readUsers(sql, actor, condition, sql`order by users.username, users.id limit ${page.size} offset ${page.offset}`),
  ]);
  return { rows: rows.map(withEmail), total: counts[0]!.total };
}
