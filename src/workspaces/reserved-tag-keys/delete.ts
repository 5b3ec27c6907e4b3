/** Release a reserved tag key. Bindings of the key stay. */
import { policy } from '../../access/policy.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { reservedTagKeyById, reservedTagKeyPaths } from './reserved-tag-key.ts';

export const deleteReservedTagKey = endpoint({
  operation: 'reserved-tag-keys.delete',
  section: '§2.3',
  summary: 'Release a reserved tag key',
  method: 'DELETE',
  paths: reservedTagKeyPaths,
  subject: reservedTagKeyById,
  needs: policy['reserved-tag-key:manage'],
  answer: { status: 204 },
  handle: async ({ sql, subject }) => {
    await sql`delete from reserved_tag_keys where reserved_tag_keys.id = ${subject.id}`;
  },
});
