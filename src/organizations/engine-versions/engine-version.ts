/** Engine version: the document, the SELECT and the finder of site administrators. Clients know the type by another name. */
import { Type } from 'typebox';
import { engineVersionPowers } from '../../access/policy.ts';
import type { Actor } from '../../core/access/actor.ts';
import type { Finder, Subject } from '../../core/jsonapi/endpoint.ts';
import { boolean, column, computed, integer, nullable, type Row, text, timestamp } from '../../core/jsonapi/fields.ts';
import { type RowOf, resource } from '../../core/jsonapi/resource.ts';
import { type Fragment, held, type Sql } from '../../core/store/store.ts';

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
  usage: computed(integer, row => row['workspace_count']),
  'created-at': column(timestamp),
};

export const engineVersions = resource({
  type: 'terraform-versions',
  attributes,
  relationships: {},
  links: row => ({ self: `/api/v2/admin/terraform-versions/${row.id}` }),
});

export interface EngineVersion extends RowOf<typeof attributes>, Subject {
  id: string;
  workspace_count: number;
}

/** Newest first: by the three numbers, a release before its pre-releases. */
export const newestFirst = (sql: Sql): Fragment => sql`
  string_to_array(split_part(engine_versions.version, '-', 1), '.')::integer[] desc,
  position('-' in engine_versions.version) > 0, engine_versions.version desc, engine_versions.id`;

/** The versions of a condition; only site administrators have powers on them. */
export async function readEngineVersions(
  sql: Sql,
  actor: Actor,
  condition: Fragment,
  rest?: Fragment,
): Promise<EngineVersion[]> {
  const rows = await sql<Row[]>`
    select engine_versions.* from engine_versions where ${condition} ${rest ?? sql``}`;
  const counts = await sql<{ version: string; total: number }[]>`
    select workspaces.engine_version as version, count(*) as total from workspaces
    where workspaces.engine_version = any(${rows.map(row => row['version'] as string)})
    group by workspaces.engine_version`;
  const usage = new Map(counts.map(({ version, total }) => [version, total]));
  const powers = actor.isSiteAdmin ? engineVersionPowers.all : 0;
  return rows.map(
    row => ({ ...row, workspace_count: usage.get(row['version']) ?? 0, powers }) as unknown as EngineVersion,
  );
}

export const engineVersionById: Finder<EngineVersion> = {
  find: async (sql, actor, params, lock) => {
    if (!actor.isSiteAdmin) return undefined;
    const condition = sql`engine_versions.id = ${params['version_id']!}`;
    const [found] = await readEngineVersions(sql, actor, condition, held(sql, lock, 'engine_versions'));
    return found;
  },
};
