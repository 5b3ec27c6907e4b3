/** Update a reserved tag key: what the body leaves out keeps its value. Bindings of the old key stay as they are. */
import { policy } from '../../access/policy.ts';
import { documentBody } from '../../core/jsonapi/body.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { reservedTagKeyById, reservedTagKeyPaths, reservedTagKeys } from './reserved-tag-key.ts';

export const updateReservedTagKey = endpoint({
  operation: 'reserved-tag-keys.update',
  section: '§2.3',
  summary: 'Update a reserved tag key',
  method: 'PATCH',
  paths: reservedTagKeyPaths,
  subject: reservedTagKeyById,
  needs: policy['reserved-tag-key:manage'],
  body: documentBody(reservedTagKeys),
  answer: { status: 200, document: reservedTagKeys, reads: reservedTagKeyById },
  errors: ['key-taken'],
  handle: async ({ sql, subject, body: { attributes } }) => {
    await sql`
      update reserved_tag_keys set
        key = ${attributes.key ?? subject.key},
        disable_overrides = ${attributes['disable-overrides'] ?? subject.disable_overrides},
        updated_at = now()
      where reserved_tag_keys.id = ${subject.id}`;
  },
});
