/** Add an engine version that workspaces may then be set to (§4.2). */
import { policy } from '../../access/policy.ts';
import { documentBody } from '../../core/jsonapi/body.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { columns, defaults } from '../../core/jsonapi/resource.ts';
import { newId } from '../../core/store/ids.ts';
import { row } from '../../core/store/store.ts';
import { site } from '../site/site.ts';
import { engineVersionById, engineVersions } from './engine-version.ts';
import { versionFaults } from './version-faults.ts';

export const createEngineVersion = endpoint({
  operation: 'engine-versions.create',
  section: '§4.2',
  summary: 'Add an engine version',
  method: 'POST',
  paths: ['/admin/terraform-versions'],
  subject: site,
  needs: policy['site:administer'],
  holds: null,
  body: documentBody(engineVersions, { required: ['version'] }),
  answer: { status: 201, document: engineVersions, reads: engineVersionById },
  errors: ['version-taken'],
  check: ({ body: { attributes }, faults }) => void faults.push(...versionFaults(attributes.version)),
  handle: async ({ sql, body: { attributes } }) => {
    const id = newId('tool');
    await sql`
      insert into engine_versions ${row(sql, {
        ...defaults(engineVersions),
        ...columns(engineVersions, attributes),
        id,
      })}`;
    return id;
  },
});
