/** §1 List the providers of single sign-on that site administrators set up. */
import { policy } from '../../access/policy.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { site } from '../../organizations/site/site.ts';
import { providerRecords, signInProviders } from './provider.ts';

export const listProviders = endpoint({
  operation: 'sign-in-providers.list',
  section: '§1',
  summary: 'List the providers of single sign-on',
  method: 'GET',
  paths: ['/admin/sign-in-providers'],
  subject: site,
  needs: policy['site:administer'],
  answer: { status: 200, collection: signInProviders, pages: 'always' },
  handle: context => {
    const { sql } = context;
    const order = sql`lower(sign_in_providers.label), sign_in_providers.id`;
    return providerRecords.page(context, sql`true`, order);
  },
});
