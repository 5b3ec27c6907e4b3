/** Create a configuration version: its content is uploaded afterwards, to the address in the answer. */

import { policy } from '../../access/policy.ts';
import { workspacePowers } from '../../access/workspace-levels.ts';
import { type Body, documentBody } from '../../core/jsonapi/body.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { columns, defaults } from '../../core/jsonapi/resource.ts';
import { newId } from '../../core/store/ids.ts';
import { row } from '../../core/store/store.ts';
import { workspaceById } from '../../workspaces/workspaces/rows.ts';
import { sourceOf } from '../queue/sources.ts';
import { configurationVersions, newConfigurationVersionById } from './configuration-version.ts';

const described = documentBody(configurationVersions, { typeIsOptional: true });

/** Everything has a default, so a body need not be sent at all. */
const body: typeof described = {
  ...described,
  parse: (json, deployment) => described.parse(json === undefined ? { data: {} } : json, deployment),
} satisfies Body;

export const createConfigurationVersion = endpoint({
  operation: 'configuration-versions.create',
  section: '§2.2',
  summary: 'Create a configuration version of a workspace',
  method: 'POST',
  paths: ['/workspaces/:workspace_id/configuration-versions'],
  subject: workspaceById,
  needs: policy['configuration-version:create'],
  body,
  answer: { status: 201, document: configurationVersions, reads: newConfigurationVersionById },
  handle: async ({ sql, actor, subject, body: { attributes }, commandLine }) => {
    const id = newId('cv');
    await sql`
      insert into configuration_versions ${row(sql, {
        ...defaults(configurationVersions),
        ...columns(configurationVersions, attributes),
        id,
        workspace_id: subject.id,
        position: sql`(
          select coalesce(max(configuration_versions.position), 0) + 1 from configuration_versions
          where configuration_versions.workspace_id = ${subject.id}
        )`,
        source: sourceOf(commandLine),
        created_by_id: actor.userId,
        creator_may_apply: workspacePowers.has(subject.powers, 'apply'),
      })}`;
    // A speculative one is current only while there is no other: it could not be applied.
    if (!attributes.provisional) {
      await sql`
        update workspaces set current_configuration_version_id = ${id}, revision = default
        where workspaces.id = ${subject.id} and (${!attributes.speculative} or not exists (
          select from configuration_versions
          where configuration_versions.id = workspaces.current_configuration_version_id
            and not configuration_versions.speculative
        ))`;
    }
    return id;
  },
});
