/** Show an engine version. */
import { policy } from '../../access/policy.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { engineVersionById, engineVersions } from './engine-version.ts';

export const showEngineVersion = endpoint({
  operation: 'engine-versions.show',
  section: '§4.2',
  summary: 'Show an engine version',
  method: 'GET',
  paths: ['/admin/terraform-versions/:version_id'],
  subject: engineVersionById,
  needs: policy['engine-version:read'],
  answer: { status: 200, document: engineVersions },
  handle: ({ subject }) => subject,
});
