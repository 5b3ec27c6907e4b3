/** Delete an engine version that a site administrator added and that no workspace is set to. */
import { policy } from '../../access/policy.ts';
import { ApiError } from '../../core/errors.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { engineVersionById, requireUnused } from './engine-version.ts';

export const deleteEngineVersion = endpoint({
  operation: 'engine-versions.delete',
  section: '§4.2',
  summary: 'Delete an engine version',
  method: 'DELETE',
  paths: ['/admin/terraform-versions/:version_id'],
  subject: engineVersionById,
  needs: policy['engine-version:administer'],
  answer: { status: 204 },
  errors: ['engine-version-in-use', 'engine-version-official'],
  handle: async ({ sql, subject }) => {
    if (subject.official) throw new ApiError('engine-version-official');
    await requireUnused(sql, subject);
    await sql`delete from engine_versions where engine_versions.id = ${subject.id}`;
  },
});
