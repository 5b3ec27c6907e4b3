/** §9 Self-hosted only: hide the content of a configuration version, bring it back, or delete it for good. */
import { policy } from '../../access/policy.ts';
import { ApiError } from '../../core/errors.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import type { Sql } from '../../core/store/store.ts';
import { isCurrent, removeContent } from './archive.ts';
import { type ConfigurationVersion, configurationVersionById } from './configuration-version.ts';

const transitions = {
  soft_delete: { from: 'uploaded', to: 'backing_data_soft_deleted', summary: 'Hide the content' },
  restore: { from: 'backing_data_soft_deleted', to: 'uploaded', summary: 'Bring hidden content back' },
  permanently_delete: {
    from: 'backing_data_soft_deleted',
    to: 'backing_data_permanently_deleted',
    summary: 'Delete hidden content for good',
  },
} as const;

export const configurationBackingDataEndpoints = (Object.keys(transitions) as (keyof typeof transitions)[]).map(name =>
  endpoint({
    operation: `configuration-versions.${name.replaceAll('_', '-')}-backing-data`,
    section: '§9',
    summary: `${transitions[name].summary} of a configuration version`,
    method: 'POST',
    paths: [`/configuration-versions/:configuration_version_id/actions/${name}_backing_data`],
    subject: configurationVersionById,
    needs: policy['configuration-version:manage-backing-data'],
    answer: { status: 204 },
    errors: ['transition-not-allowed'],
    when: ({ edition }) => edition === 'self-hosted',
    handle: async ({ sql, subject, config, note }) => {
      const { from, to } = transitions[name];
      const reason = await reasonAgainst(sql, subject, from);
      if (reason) throw new ApiError('transition-not-allowed', { reason: `transition not allowed: ${reason}` });
      await sql`update configuration_versions set status = ${to} where configuration_versions.id = ${subject.id}`;
      if (name === 'permanently_delete') await removeContent(sql, config, subject);
      note({ status: [from, to] });
    },
  }),
);

async function reasonAgainst(sql: Sql, version: ConfigurationVersion, from: string): Promise<string | null> {
  if (version.status !== from) return `the configuration version is ${version.status}, not ${from}`;
  return (await isCurrent(sql, version)) ? 'it is the current configuration of the workspace' : null;
}
