/** Reserved tag key (§2.3, §8): a key that an organization keeps an eye on, and may keep workspaces from overriding. */

import { Type } from 'typebox';
import { reservedTagKeyAccess } from '../../access/owned.ts';
import { addressed, boolean, column, text, timestamp } from '../../core/jsonapi/fields.ts';
import { records, type Subject } from '../../core/jsonapi/records.ts';
import { type RowOf, resource } from '../../core/jsonapi/resource.ts';
import { keyLengthLimit, reservedPrefixes } from '../tags/binding-rules.ts';

interface ReservedTagKeyRow extends Subject<'reserved-tag-key'> {
  organization_id: string;
}

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
    organization: addressed('organizations', 'organization_name'),
  },
  load: (sql, actor, ids) => reservedTagKeyRecords.load(sql, actor, ids),
});

export interface ReservedTagKey extends RowOf<typeof attributes>, ReservedTagKeyRow {}

export const reservedTagKeyRecords = records<ReservedTagKey>({
  table: 'reserved_tag_keys',
  columns: sql => sql`
    reserved_tag_keys.*, organizations.name as organization_name`,
  from: sql => sql`
    reserved_tag_keys
    join organizations on organizations.id = reserved_tag_keys.organization_id`,
  isVisible: (sql, actor) =>
    sql`reserved_tag_keys.organization_id = any(${reservedTagKeyAccess.organizationsOf(actor)})`,
  powers: (row, actor) => reservedTagKeyAccess.powersIn(actor, row.organization_id),
});

export const reservedTagKeyById = reservedTagKeyRecords.byId('reserved_tag_key_id');

export const reservedTagKeyPaths = [
  '/reserved-tag-keys/:reserved_tag_key_id',
  '/reserved-tags/:reserved_tag_key_id',
] as const;
