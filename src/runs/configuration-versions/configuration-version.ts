/** §2.2 `current-configuration-version`: the document, its SELECT and finder, and what it says of a repository. */

import { Type } from 'typebox';
import { workspacePowers } from '../../access/workspace-levels.ts';
import { grantColumns, grantedPowers } from '../../access/workspaces.ts';
import type { Actor } from '../../core/access/actor.ts';
import type { Finder, Subject } from '../../core/jsonapi/endpoint.ts';
import {
  boolean,
  column,
  computed,
  type Deployment,
  nullable,
  type Row,
  reference,
  text,
  texts,
  word,
} from '../../core/jsonapi/fields.ts';
import { type RowOf, resource } from '../../core/jsonapi/resource.ts';
import { type Fragment, held, type Sql } from '../../core/store/store.ts';
import { heldWorkspace } from '../../workspaces/workspaces/workspace.ts';

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
  /** Whoever holds it may upload, so it is shown once: to the one who created the version. */
  'upload-url': computed(nullable(text), (row: Row, { sign }: Deployment) =>
    row['is_new'] ? sign('PUT', contentPath(row.id)) : null,
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
    workspace: reference('workspaces', 'workspace_id', row => `/api/v2/workspaces/${row['workspace_id']}`),
  },
  links: row => ({
    self: `/api/v2/configuration-versions/${row.id}`,
    ...(row['status'] === 'uploaded' && { download: `/api/v2/configuration-versions/${row.id}/download` }),
  }),
  load: (sql, actor, ids) =>
    visibleConfigurationVersions(sql, actor, sql`configuration_versions.id = any(${ids as string[]})`),
});

export const includePaths = ['ingress_attributes', 'workspace'] as const;

/** `powers` are those on its workspace. */
export interface ConfigurationVersion extends RowOf<typeof attributes>, Subject {
  id: string;
  organization_id: string;
  workspace_id: string;
  position: number;
  status: (typeof statuses)[number];
  ingress_attributes_id: string | null;
  blob_id: string | null;
  created_by_id: string;
}

const columns = (sql: Sql): Fragment => sql`
  configuration_versions.*, workspaces.organization_id, workspaces.project_id
  from configuration_versions
  join workspaces on workspaces.id = configuration_versions.workspace_id`;

/** Without any check of who asks. */
export async function readConfigurationVersions(sql: Sql, condition: Fragment): Promise<ConfigurationVersion[]> {
  return (await sql<Row[]>`select ${columns(sql)} where ${condition}`) as unknown as ConfigurationVersion[];
}

/** The versions of a condition that the actor may read, as they are read everywhere: one statement. */
export async function visibleConfigurationVersions(
  sql: Sql,
  actor: Actor,
  condition: Fragment,
  rest?: Fragment,
): Promise<ConfigurationVersion[]> {
  const rows = await sql<Row[]>`
    select ${grantColumns(sql, actor)}, ${columns(sql)}
    where ${condition}
    ${rest ?? sql``}`;
  const all = rows.map(row => ({ ...row, powers: grantedPowers(row, actor) }));
  return (all as unknown as ConfigurationVersion[]).filter(({ powers }) => workspacePowers.has(powers, 'read'));
}

/** A write holds the row of the workspace, then the version's: runs of other workspaces may be made of it. */
export const configurationVersionById: Finder<ConfigurationVersion> = {
  find: async (sql, actor, params, lock) => {
    const id = params['configuration_version_id']!;
    if (lock !== null) {
      const of = sql`workspaces.id = (
        select configuration_versions.workspace_id from configuration_versions where configuration_versions.id = ${id}
      )`;
      if (!(await heldWorkspace(sql, actor, of, lock))) return undefined;
    }
    const [version] = await visibleConfigurationVersions(
      sql,
      actor,
      sql`configuration_versions.id = ${id}`,
      held(sql, lock, 'configuration_versions'),
    );
    return version;
  },
};

/** That of a run: what `/runs/:run_id/configuration-version` names. */
export const configurationVersionOfRun: Finder<ConfigurationVersion> = {
  find: async (sql, actor, params) => {
    const [version] = await visibleConfigurationVersions(
      sql,
      actor,
      sql`configuration_versions.id = (
        select runs.configuration_version_id from runs where runs.id = ${params['run_id']!}
      )`,
    );
    return version;
  },
};
