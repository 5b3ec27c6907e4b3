/** List and show configuration versions, and where their content is fetched. */

import { policy } from '../../access/policy.ts';
import { addressee } from '../../core/access/actor.ts';
import { ApiError } from '../../core/errors.ts';
import { type Context, endpoint } from '../../core/jsonapi/endpoint.ts';
import { workspaceById } from '../../workspaces/workspaces/rows.ts';
import {
  type ConfigurationVersion,
  configurationVersionById,
  configurationVersionOfRun,
  configurationVersionRecords,
  configurationVersions,
  contentPath,
  includePaths,
} from './configuration-version.ts';

export const listConfigurationVersions = endpoint({
  operation: 'configuration-versions.list',
  section: '§2.2',
  summary: 'List the configuration versions of a workspace, newest first',
  method: 'GET',
  paths: ['/workspaces/:workspace_id/configuration-versions'],
  subject: workspaceById,
  needs: policy['configuration-version:list'],
  include: includePaths,
  answer: { status: 200, collection: configurationVersions, pages: 'always' },
  handle: context => {
    const { sql, subject } = context;
    const condition = sql`configuration_versions.workspace_id = ${subject.id}`;
    const newestFirst = sql`configuration_versions.position desc, configuration_versions.id`;
    return configurationVersionRecords.page(context, condition, newestFirst);
  },
});

const show = {
  section: '§2.2',
  isForTasks: true,
  method: 'GET',
  needs: policy['configuration-version:read'],
  include: includePaths,
  answer: { status: 200, document: configurationVersions },
  handle: ({ subject }: { subject: ConfigurationVersion }) => subject,
} as const;

export const showConfigurationVersion = endpoint({
  ...show,
  operation: 'configuration-versions.show',
  summary: 'Show a configuration version',
  paths: ['/configuration-versions/:configuration_version_id'],
  subject: configurationVersionById,
});

export const showConfigurationVersionOfRun = endpoint({
  ...show,
  operation: 'configuration-versions.show-of-run',
  summary: 'Show the configuration version of a run',
  paths: ['/runs/:run_id/configuration-version'],
  subject: configurationVersionOfRun,
});

const download = {
  section: '§2.2',
  isForTasks: true,
  method: 'GET',
  needs: policy['configuration-version:read'],
  answer: { status: 302, redirect: true },
  handle: ({ actor, subject, deployment }: Context<ConfigurationVersion>) => {
    if (subject.status !== 'uploaded') throw new ApiError('not-found');
    return deployment.sign('GET', contentPath(subject.id), addressee(actor));
  },
} as const;

export const downloadConfigurationVersion = endpoint({
  ...download,
  operation: 'configuration-versions.download',
  summary: 'Download what was uploaded: redirects to the content',
  paths: ['/configuration-versions/:configuration_version_id/download'],
  subject: configurationVersionById,
});

export const downloadConfigurationVersionOfRun = endpoint({
  ...download,
  operation: 'configuration-versions.download-of-run',
  summary: 'Download what a run is made of: redirects to the content',
  paths: ['/runs/:run_id/configuration-version/download'],
  subject: configurationVersionOfRun,
});
