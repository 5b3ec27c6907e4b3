/** Update an engine version. While workspaces are set to it, it is neither disabled nor renamed. */
import { policy } from '../../access/policy.ts';
import { documentBody } from '../../core/jsonapi/body.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { columns } from '../../core/jsonapi/resource.ts';
import { row } from '../../core/store/store.ts';
import { engineVersionById, engineVersions, requireUnused } from './engine-version.ts';
import { versionFaults } from './version-faults.ts';

export const updateEngineVersion = endpoint({
  operation: 'engine-versions.update',
  section: '§4.2',
  summary: 'Update an engine version',
  method: 'PATCH',
  paths: ['/admin/terraform-versions/:version_id'],
  subject: engineVersionById,
  needs: policy['engine-version:administer'],
  body: documentBody(engineVersions),
  answer: { status: 200, document: engineVersions, reads: engineVersionById },
  errors: ['version-taken', 'engine-version-in-use'],
  check: ({ body: { attributes }, faults }) => void faults.push(...versionFaults(attributes.version)),
  handle: async ({ sql, subject, body: { attributes } }) => {
    const isRenamed = attributes.version !== undefined && attributes.version !== subject.version;
    const isWithdrawn = attributes.enabled === false && subject.enabled;
    if (isRenamed || isWithdrawn) await requireUnused(sql, subject);
    const changes = { version: subject.version, ...columns(engineVersions, attributes) };
    await sql`update engine_versions set ${row(sql, changes)} where engine_versions.id = ${subject.id}`;
  },
});
