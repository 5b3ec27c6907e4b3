/** Reserve a tag key: owners and teams that manage projects may, for projects are what reserved keys protect. */
import { policy } from '../../access/policy.ts';
import { documentBody } from '../../core/jsonapi/body.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { columns, defaults } from '../../core/jsonapi/resource.ts';
import { newId } from '../../core/store/ids.ts';
import { row } from '../../core/store/store.ts';
import { organizationByName } from '../../organizations/organizations/organization.ts';
import { reservedTagKeyById, reservedTagKeys } from './reserved-tag-key.ts';

export const createReservedTagKey = endpoint({
  operation: 'reserved-tag-keys.create',
  section: '§2.3',
  summary: 'Reserve a tag key',
  method: 'POST',
  paths: ['/organizations/:organization_name/reserved-tag-keys'],
  subject: organizationByName,
  needs: policy['organization:manage-reserved-tag-keys'],
  holds: 'key share',
  body: documentBody(reservedTagKeys, { required: ['key'] }),
  answer: { status: 201, document: reservedTagKeys, reads: reservedTagKeyById },
  errors: ['key-taken'],
  handle: async ({ sql, subject, body: { attributes } }) => {
    const id = newId('rtk');
    await sql`
      insert into reserved_tag_keys ${row(sql, {
        ...defaults(reservedTagKeys),
        ...columns(reservedTagKeys, attributes),
        id,
        organization_id: subject.organization_id,
      })}`;
    return id;
  },
});
