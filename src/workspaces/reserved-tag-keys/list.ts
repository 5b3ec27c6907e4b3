/** List the reserved tag keys of an organization, by key, paginated. Every member may read them. */
import { policy } from '../../access/policy.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { organizationByName } from '../../organizations/organizations/organization.ts';
import { reservedTagKeyRecords, reservedTagKeys } from './reserved-tag-key.ts';

export const listReservedTagKeys = endpoint({
  operation: 'reserved-tag-keys.list',
  section: '§2.3',
  summary: 'List the reserved tag keys of an organization',
  method: 'GET',
  paths: ['/organizations/:organization_name/reserved-tag-keys'],
  subject: organizationByName,
  needs: policy['organization:list-reserved-tag-keys'],
  answer: { status: 200, collection: reservedTagKeys, pages: 'always' },
  handle: context => {
    const { sql, subject } = context;
    const condition = sql`reserved_tag_keys.organization_id = ${subject.organization_id}`;
    return reservedTagKeyRecords.page(context, condition, sql`reserved_tag_keys.key, reserved_tag_keys.id`);
  },
});
