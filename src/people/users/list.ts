/** §1 List the accounts of people, for site administrators. Who is only invited somewhere is that organization's matter. */

import { policy } from '../../access/policy.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { term } from '../../core/jsonapi/query.ts';
import { containing } from '../../core/jsonapi/search.ts';
import { all } from '../../core/store/conditions.ts';
import { site } from '../../organizations/site/site.ts';
import { isPerson, userRecords, users, withEmail } from './user.ts';

export const listUsers = endpoint({
  operation: 'users.list',
  section: '§1',
  summary: 'List the accounts of the installation',
  method: 'GET',
  paths: ['/admin/users'],
  subject: site,
  needs: policy['site:administer'],
  query: { q: term('Accounts whose username or e-mail address contains this, whatever its case') },
  answer: { status: 200, collection: users, pages: 'always' },
  handle: async ({ store: { search: sql }, actor, query: { q }, page }) => {
    const pattern = containing(q ?? '').toLowerCase();
    const condition = all(sql, [
      isPerson(sql),
      q && sql`(lower(users.username) like ${pattern} or lower(users.email) like ${pattern})`,
    ]);
    const { rows, total } = await userRecords.page({ sql, actor, page }, condition, sql`users.username, users.id`);
    return { rows: rows.map(withEmail), total };
  },
});
