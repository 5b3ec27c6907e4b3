/** Archive a configuration version: its content goes, the record stays. 409 for one that is still needed. */
import { policy } from '../../access/policy.ts';
import { blobStore } from '../../core/blobs/blob-store.ts';
import type { Config } from '../../core/config.ts';
import { ApiError } from '../../core/errors.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import type { Sql } from '../../core/store/store.ts';
import { stamp } from '../queue/phases.ts';
import { type ConfigurationVersion, configurationVersionById } from './configuration-version.ts';

export const archiveConfigurationVersion = endpoint({
  operation: 'configuration-versions.archive',
  section: '§2.2',
  summary: 'Delete the content of a configuration version that no run needs any more',
  method: 'POST',
  paths: ['/configuration-versions/:configuration_version_id/actions/archive'],
  subject: configurationVersionById,
  needs: policy['configuration-version:archive'],
  answer: { status: 202 },
  errors: ['configuration-version-transition'],
  handle: async ({ sql, subject, config, note }) => {
    const reason = await whyNot(sql, subject);
    if (reason) throw new ApiError('configuration-version-transition', { reason });
    await sql`
      update configuration_versions
      set status = 'archived',
        status_timestamps = status_timestamps || jsonb_build_object('archived-at', ${stamp(sql)})
      where configuration_versions.id = ${subject.id}`;
    await removeContent(sql, config, subject);
    note({ status: [subject.status, 'archived'] });
  },
});

/** Clients match the words about the current one. */
async function whyNot(sql: Sql, version: ConfigurationVersion): Promise<string | null> {
  if (version.status !== 'uploaded') return `it is ${version.status}`;
  if (await isCurrent(sql, version)) return 'it is current';
  const [needed] = await sql`
    select from runs where runs.configuration_version_id = ${version.id} and runs.finished_at is null limit 1`;
  return needed ? 'a run of it has not finished' : null;
}

export async function isCurrent(sql: Sql, version: ConfigurationVersion): Promise<boolean> {
  const [found] = await sql`
    select from workspaces
    where workspaces.id = ${version.workspace_id} and workspaces.current_configuration_version_id = ${version.id}`;
  return found !== undefined;
}

export async function removeContent(sql: Sql, config: Config, version: ConfigurationVersion): Promise<void> {
  await sql`update configuration_versions set blob_id = null where configuration_versions.id = ${version.id}`;
  if (version.blob_id !== null) await blobStore(config).remove(sql, [version.blob_id]);
}
