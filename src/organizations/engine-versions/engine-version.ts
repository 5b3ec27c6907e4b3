/** Engine version: the document, the SELECT and the finder of site administrators. Clients know the type by another name. */
import { Type } from 'typebox';
import { engineVersionPowers } from '../../access/policy.ts';
import { ApiError } from '../../core/errors.ts';
import { boolean, column, computed, integer, nullable, text, timestamp } from '../../core/jsonapi/fields.ts';
import { records, type Subject } from '../../core/jsonapi/records.ts';
import { type RowOf, resource } from '../../core/jsonapi/resource.ts';
import type { Fragment, Sql } from '../../core/store/store.ts';

interface EngineVersionRow extends Subject<'engine-version'> {
  workspace_count: number;
}

const versionForm = Type.String({
  pattern: '^\\d{1,5}\\.\\d{1,5}\\.\\d{1,5}(-[0-9A-Za-z.-]+)?$',
  maxLength: 64,
  'x-rule': 'must be three numbers, and perhaps the name of a pre-release, such as 1.5.7 or 1.14.0-rc1',
});

const address = nullable(Type.String({ maxLength: 2048 }));
const digest = nullable(
  Type.String({ pattern: '^([0-9a-fA-F]{64})?$', 'x-rule': 'must be a SHA-256 digest in 64 hexadecimal digits' }),
);
const reason = nullable(Type.String({ maxLength: 1024 }));

const attributes = {
  version: column(text, { write: versionForm }),
  url: column(nullable(text), { write: address, default: null }),
  sha: column(nullable(text), { write: digest, default: null }),
  official: column(boolean, { write: true, default: false }),
  enabled: column(boolean, { write: true, default: true }),
  beta: column(boolean, { write: true, default: false }),
  deprecated: column(boolean, { write: true, default: false }),
  'deprecated-reason': column(nullable(text), { write: reason, default: null }),
  /** Workspaces that are set to exactly this version. */
  usage: computed(integer, (row: EngineVersionRow) => row.workspace_count),
  'created-at': column(timestamp),
};

export const engineVersions = resource({
  type: 'terraform-versions',
  attributes,
  relationships: {},
  links: row => ({ self: `/api/v2/admin/terraform-versions/${row.id}` }),
});

export interface EngineVersion extends RowOf<typeof attributes>, EngineVersionRow {}

/** Newest first: by the three numbers, a release before its pre-releases. */
export const newestFirst = (sql: Sql): Fragment => sql`
  string_to_array(split_part(engine_versions.version, '-', 1), '.')::integer[] desc,
  position('-' in engine_versions.version) > 0, engine_versions.version desc, engine_versions.id`;

/** Site administrators alone read the records; workspaces show everybody what they use. */
export const engineVersionRecords = records<EngineVersion>({
  table: 'engine_versions',
  columns: sql => sql`
    engine_versions.*,
    (
      select count(*) from workspaces where workspaces.engine_version = engine_versions.version
    ) as workspace_count`,
  from: sql => sql`engine_versions`,
  isVisible: (sql, actor) => sql`${actor.isSiteAdmin}::boolean`,
  powers: (_row, actor) => (actor.isSiteAdmin ? engineVersionPowers.all : engineVersionPowers.none),
});

export const engineVersionById = engineVersionRecords.byId('version_id');

/**
 * Throws while workspaces are set to the version. Asked after its row is held, in a statement of its own: it sees what was
 * committed while the row was waited for.
 */
export async function requireUnused(sql: Sql, { version }: EngineVersion): Promise<void> {
  const [used] = await sql<{ count: number }[]>`
    select count(*) as count from workspaces where workspaces.engine_version = ${version}`;
  if (used!.count > 0) throw new ApiError('engine-version-in-use', used);
}
