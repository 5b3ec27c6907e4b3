/** §2.2 `current-state-version`: the document of a state version, its SELECT and finder, and how one becomes current (§3). */

import { workspacePowers } from '../../access/workspace-levels.ts';
import { type Actor, addressee } from '../../core/access/actor.ts';
import {
  addressed,
  boolean,
  column,
  computed,
  type Deployment,
  integer,
  nullable,
  references,
  text,
  timestamp,
  word,
} from '../../core/jsonapi/fields.ts';
import type { Finder, Subject } from '../../core/jsonapi/records.ts';
import { type RowOf, resource } from '../../core/jsonapi/resource.ts';
import { limits } from '../../core/limits.ts';
import type { Fragment, Sql } from '../../core/store/store.ts';
import type { Workspace } from '../workspaces/attributes.ts';
import { heldWorkspace, visibleWorkspaces } from '../workspaces/rows.ts';
import { counts, groups } from './fields.ts';

interface StateVersionRow extends Subject<'workspace'> {
  format_version: number | null;
  engine_version: string | null;
  status: (typeof statuses)[number];
  organization_id: string;
  workspace_id: string;
  position: number;
  awaits_json: boolean;
  is_forced: boolean;
  md5: string;
  lineage: string | null;
  created_by_id: string;
  run_id: string | null;
  blob_id: string | null;
  json_blob_id: string | null;
  is_readable: boolean;
  resource_count: number;
  output_ids: string[];
  /** Whose the addresses of its content are. */
  shown_to: string;
}

export const statuses = [
  'pending',
  'finalized',
  'discarded',
  'backing_data_soft_deleted',
  'backing_data_permanently_deleted',
] as const;

const mayWrite = (row: StateVersionRow) => workspacePowers.has(row.powers, 'write-state');

export type ContentPart = 'state' | 'json-state';
export const contentPath = (id: string, part: ContentPart) => `/_blobs/state-versions/${id}/${part}` as const;

/** Where the content is fetched or sent: shown to those who may, and theirs. */
const content = (method: 'GET' | 'PUT', part: ContentPart, isOpen: (row: StateVersionRow) => boolean) =>
  computed(nullable(text), (row: StateVersionRow, { sign }: Deployment) =>
    isOpen(row) ? sign(method, contentPath(row.id, part), row.shown_to) : null,
  );

const attributes = {
  'created-at': column(timestamp),
  size: column(integer),
  status: column(word(...statuses)),
  intermediate: column(boolean),
  serial: column(integer),
  'state-version': computed(nullable(integer), (row: StateVersionRow) => row.format_version),
  'terraform-version': computed(nullable(text), (row: StateVersionRow) => row.engine_version),
  'hosted-state-download-url': content('GET', 'state', (row: StateVersionRow) => row.status === 'finalized'),
  'hosted-json-state-download-url': content(
    'GET',
    'json-state',
    (row: StateVersionRow) => row.status === 'finalized' && row.json_blob_id !== null,
  ),
  'hosted-state-upload-url': content(
    'PUT',
    'state',
    (row: StateVersionRow) => row.status === 'pending' && mayWrite(row),
  ),
  'hosted-json-state-upload-url': content(
    'PUT',
    'json-state',
    (row: StateVersionRow) => row.awaits_json && mayWrite(row),
  ),
  'resources-processed': column(boolean),
  modules: column(nullable(counts)),
  providers: column(nullable(counts)),
  resources: column(groups),
  'billable-rum-count': column(nullable(integer)),
  'vcs-commit-sha': computed(nullable(text), () => null),
  'vcs-commit-url': computed(nullable(text), () => null),
};

export const stateVersions = resource({
  type: 'state-versions',
  attributes,
  relationships: {
    run: addressed('runs', 'run_id'),
    'created-by': addressed('users', 'created_by_id'),
    workspace: addressed('workspaces', 'workspace_id'),
    outputs: references('state-version-outputs', 'output_ids', row => `/api/v2/state-versions/${row.id}/outputs`),
  },
  links: row => ({ self: `/api/v2/state-versions/${row.id}` }),
  load: async (sql, actor, ids) => {
    const wanted = ids as string[];
    const workspaces = await visibleWorkspaces(
      sql,
      actor,
      sql`workspaces.id in (select state_versions.workspace_id from state_versions where state_versions.id = any(${wanted}))`,
    );
    const versions = await readVersions(sql, sql`state_versions.id = any(${wanted})`);
    return versions.flatMap(version => {
      const workspace = workspaces.find(({ id }) => id === version.workspace_id);
      return workspace && workspacePowers.has(workspace.powers, 'read-state')
        ? [asSubject(version, workspace, actor)]
        : [];
    });
  },
});

/** The columns of a version that are read with its document; powers are those on its workspace. */
export interface StateVersion extends RowOf<typeof attributes>, StateVersionRow {}

/** A version as the actor is shown it, under the powers on its workspace. */
export function asSubject(version: StateVersion, workspace: Workspace, actor: Actor): StateVersion {
  const { organization_id, powers } = workspace;
  return { ...version, organization_id, powers, shown_to: addressee(actor) };
}

/** Versions of a condition without any check of who asks: pair each with its workspace by `asSubject`. */
export const readVersions = (sql: Sql, condition: Fragment, rest?: Fragment) => sql<StateVersion[]>`
    select state_versions.id, state_versions.workspace_id, state_versions.position, state_versions.status,
      state_versions.intermediate, state_versions.awaits_json, state_versions.is_forced, state_versions.serial, state_versions.md5,
      state_versions.lineage, state_versions.created_by_id, state_versions.run_id, state_versions.created_at,
      state_versions.blob_id, state_versions.json_blob_id, state_versions.size, state_versions.format_version,
      state_versions.engine_version, state_versions.is_readable, state_versions.resources_processed,
      state_versions.resource_count, state_versions.billable_rum_count, state_versions.modules,
      state_versions.providers, state_versions.resources,
      array(
        select state_version_outputs.id from state_version_outputs
        where state_version_outputs.state_version_id = state_versions.id
        order by state_version_outputs.id
        limit ${limits.relationshipOutputs_items.value}
      ) as output_ids
    from state_versions
    where ${condition}
    ${rest ?? sql``}`;

/** A write holds the row of the workspace, as every change of its state does; the version is read after that. */
export const stateVersionById: Finder<StateVersion> = {
  parameter: 'state_version_id',
  find: async (look, params) => {
    const { sql } = look;
    const id = params['state_version_id']!;
    const of = sql`workspaces.id = (select state_versions.workspace_id from state_versions where state_versions.id = ${id})`;
    const workspace = await heldWorkspace(look, of);
    if (!workspace) return undefined;
    const [version] = await readVersions(sql, sql`state_versions.id = ${id}`);
    return version && asSubject(version, workspace, look.actor);
  },
};

/** The version that the next one is compared with: the latest final one made under this lock, or the current one. */
export async function headOf(sql: Sql, workspaceId: string): Promise<StateVersion | undefined> {
  const [head] = await readVersions(
    sql,
    sql`state_versions.workspace_id = ${workspaceId} and state_versions.status = 'finalized' and (
      state_versions.intermediate or state_versions.id = (
        select workspaces.current_state_version_id from workspaces where workspaces.id = ${workspaceId}
      )
    )`,
    sql`order by state_versions.position desc limit 1`,
  );
  return head;
}
