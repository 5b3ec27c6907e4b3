/** §2.2 `current-configuration-version`: the document, its SELECT and finder, and what it says of a repository. */

import { Type } from 'typebox';
import { type Granted, grantColumns, grantedPowers, workspaceIsReadable } from '../../access/workspaces.ts';
import { addressee } from '../../core/access/actor.ts';
import {
  addressed,
  boolean,
  column,
  computed,
  type Deployment,
  nullable,
  reference,
  text,
  texts,
  word,
} from '../../core/jsonapi/fields.ts';
import { type Finder, records, type Subject } from '../../core/jsonapi/records.ts';
import { type RowOf, resource } from '../../core/jsonapi/resource.ts';
import type { Fragment, Sql } from '../../core/store/store.ts';
import { holdWorkspace } from '../../workspaces/workspaces/rows.ts';

interface ConfigurationVersionRow extends Subject<'workspace'>, Granted {
  ingress_attributes: Record<string, never> | null;
  /** Whether it is the answer that made it, and to whom that goes. */
  is_new?: boolean;
  shown_to?: string;
  organization_id: string;
  workspace_id: string;
  position: number;
  status: (typeof statuses)[number];
  ingress_attributes_id: string | null;
  blob_id: string | null;
  created_by_id: string;
  creator_may_apply: boolean;
}

export const statuses = [
  'pending',
  'fetching',
  'uploaded',
  'archived',
  'errored',
  'backing_data_soft_deleted',
  'backing_data_permanently_deleted',
] as const;

const statusTimestamps = Type.Unsafe<Record<string, string>>({
  type: 'object',
  additionalProperties: { type: 'string', format: 'date-time' },
});

export const contentPath = (id: string) => `/_blobs/configuration-versions/${id}/content` as const;

const attributes = {
  'auto-queue-runs': column(boolean, { write: true, default: true }),
  'changed-files': column(texts),
  error: column(nullable(text)),
  'error-message': column(nullable(text)),
  provisional: column(boolean, { write: true, default: false }),
  source: column(text),
  speculative: column(boolean, { write: true, default: false }),
  status: column(word(...statuses)),
  'status-timestamps': column(statusTimestamps),
  /** Shown once: to whoever created the version, in whose name what is sent there comes. */
  'upload-url': computed(nullable(text), (row: ConfigurationVersionRow, { sign }: Deployment) =>
    row.is_new ? sign('PUT', contentPath(row.id), row.shown_to!) : null,
  ),
};

export const configurationVersions = resource({
  type: 'configuration-versions',
  attributes,
  relationships: {
    'ingress-attributes': reference(
      'ingress-attributes',
      'ingress_attributes_id',
      row => `/api/v2/configuration-versions/${row.id}/ingress-attributes`,
    ),
    workspace: addressed('workspaces', 'workspace_id'),
  },
  links: (row: ConfigurationVersionRow) => ({
    self: `/api/v2/configuration-versions/${row.id}`,
    ...(row.status === 'uploaded' && { download: `/api/v2/configuration-versions/${row.id}/download` }),
  }),
  load: (sql, actor, ids) => configurationVersionRecords.load(sql, actor, ids),
});

export const includePaths = ['ingress_attributes', 'workspace'] as const;

/** `powers` are those on its workspace. */
export interface ConfigurationVersion extends RowOf<typeof attributes>, ConfigurationVersionRow {}

const allColumns = (sql: Sql): Fragment => sql`
  configuration_versions.*, workspaces.organization_id, workspaces.project_id`;
const allTables = (sql: Sql): Fragment => sql`
  configuration_versions
  join workspaces on workspaces.id = configuration_versions.workspace_id`;

export const configurationVersionRecords = records<ConfigurationVersion>({
  table: 'configuration_versions',
  columns: (sql, actor) => sql`${allColumns(sql)}, ${grantColumns(sql, actor)}`,
  from: allTables,
  isVisible: workspaceIsReadable,
  powers: grantedPowers,
});

const byId = configurationVersionRecords.byId('configuration_version_id');

/** A write holds the row of the workspace, then the version's: runs of other workspaces may be made of it. */
export const configurationVersionById: Finder<ConfigurationVersion> = {
  parameter: 'configuration_version_id',
  find: async (look, params) => {
    const { sql } = look;
    const workspace = sql`workspaces.id = (
      select configuration_versions.workspace_id from configuration_versions
      where configuration_versions.id = ${params['configuration_version_id']!}
    )`;
    return (await holdWorkspace(look, workspace)) ? byId.find(look, params) : undefined;
  },
};

/** As its maker is shown it, once: with the address for its content. */
export const newConfigurationVersionById: Finder<ConfigurationVersion> = {
  parameter: 'configuration_version_id',
  find: async (look, params) => {
    const found = await byId.find(look, params);
    return found && { ...found, is_new: true, shown_to: addressee(look.actor) };
  },
};

/** That of a run: what `/runs/:run_id/configuration-version` names. */
export const configurationVersionOfRun: Finder<ConfigurationVersion> = {
  parameter: 'configuration_version_id',
  find: async ({ sql, actor }, params) => {
    const [version] = await configurationVersionRecords.read(
      sql,
      actor,
      sql`configuration_versions.id = (
        select runs.configuration_version_id from runs where runs.id = ${params['run_id']!}
      )`,
    );
    return version;
  },
};
