/** Reserved tag key (§2.3, §8): a key that an organization keeps an eye on, and may keep workspaces from overriding. */
import { Type } from 'typebox';
import { organizationPowersOf } from '../../access/organization-access.ts';
import { policy, reservedTagKeyPowers } from '../../access/policy.ts';
import type { Actor } from '../../core/access/actor.ts';
import type { Finder, Subject } from '../../core/jsonapi/endpoint.ts';
import { boolean, column, type Row, reference, text, timestamp } from '../../core/jsonapi/fields.ts';
import { type RowOf, resource } from '../../core/jsonapi/resource.ts';
import { type Fragment, held, type Sql } from '../../core/store/store.ts';
import { keyLengthLimit, reservedPrefixes } from '../tags/binding-rules.ts';

/** What a binding's key may be (§8): another one could never be used. */
const keyForm = Type.String({
  pattern: `^(?!${reservedPrefixes.join('|')})[A-Za-z0-9_.=+@:-]{1,${keyLengthLimit}}$`,
  'x-rule': 'is invalid',
});

const attributes = {
  key: column(text, { write: keyForm }),
  'disable-overrides': column(boolean, { write: true, default: false }),
  'created-at': column(timestamp),
  'updated-at': column(timestamp),
  /** The names under which older clients read the two times. */
  created_at: column(timestamp),
  updated_at: column(timestamp),
};

export const reservedTagKeys = resource({
  type: 'reserved-tag-keys',
  attributes,
  relationships: {
    organization: reference(
      'organizations',
      'organization_name',
      row => `/api/v2/organizations/${row['organization_name']}`,
    ),
  },
  load: (sql, actor, ids) => readReservedTagKeys(sql, actor, sql`reserved_tag_keys.id = any(${ids as string[]})`),
});

export interface ReservedTagKey extends RowOf<typeof attributes>, Subject {
  id: string;
  organization_id: string;
}

/** The keys of a condition, in the organizations that the actor belongs to. */
export async function readReservedTagKeys(
  sql: Sql,
  actor: Actor,
  condition: Fragment,
  rest?: Fragment,
): Promise<ReservedTagKey[]> {
  const rows = await sql<Row[]>`
    select reserved_tag_keys.*, organizations.name as organization_name
    from reserved_tag_keys
    join organizations on organizations.id = reserved_tag_keys.organization_id
    where ${condition} and reserved_tag_keys.organization_id = any(${[...actor.standings.keys()]})
    ${rest ?? sql``}`;
  return rows.map(row => ({ ...row, powers: powersOn(actor, row['organization_id']) }) as unknown as ReservedTagKey);
}

function powersOn(actor: Actor, organizationId: string): number {
  const { bit } = reservedTagKeyPowers;
  const powers = organizationPowersOf(actor, organizationId);
  const may = (action: 'organization:list-reserved-tag-keys' | 'organization:manage-reserved-tag-keys') =>
    (powers & policy[action].anyOf) !== 0;
  return (
    (may('organization:list-reserved-tag-keys') ? bit.read : 0) |
    (may('organization:manage-reserved-tag-keys') ? bit.manage : 0)
  );
}

export const reservedTagKeyById: Finder<ReservedTagKey> = {
  find: async (sql, actor, params, lock) => {
    const condition = sql`reserved_tag_keys.id = ${params['reserved_tag_key_id']!}`;
    const [found] = await readReservedTagKeys(sql, actor, condition, held(sql, lock, 'reserved_tag_keys'));
    return found;
  },
};

export const reservedTagKeyPaths = [
  '/reserved-tag-keys/:reserved_tag_key_id',
  '/reserved-tags/:reserved_tag_key_id',
] as const;
