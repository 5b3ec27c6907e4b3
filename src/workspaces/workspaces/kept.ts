/**
 * The rows of workspaces as this process read them last. What changes a document changes a revision (migration 0011), so a
 * row with the stamp of now is what PostgreSQL would answer: reading and writing it out anew took half of a request.
 */
import { LRUCache } from 'lru-cache';
import type { Row } from '../../core/jsonapi/fields.ts';
import type { Sql } from '../../core/store/store.ts';

export interface KeptRow {
  stamp: string;
  row: Row;
  /** As it is shown, by the powers of who asks. */
  shown: Map<number, Row>;
}

export interface KeptRows {
  byId: LRUCache<string, KeptRow>;
  /** `organization/workspace` → id, for those who ask by name: no more than a guess. */
  ids: LRUCache<string, string>;
}

const keptOf = new WeakMap<Sql, KeptRows>();

/**
 * Rows that are read through `sql` are kept from now on: of a pool, never of a transaction.
 * @param limit of rows; with its document each takes about 27 kB
 */
export function keepRows(sql: Sql, limit: number): void {
  keptOf.set(sql, { byId: new LRUCache({ max: limit }), ids: new LRUCache({ max: limit }) });
}

export const keptBy = (sql: Sql): KeptRows | undefined => keptOf.get(sql);

/** The row of this id, where it is kept and its stamp is the same. */
export function keptRow({ byId }: KeptRows, { id, stamp }: Row): KeptRow | undefined {
  const found = byId.get(id);
  return found?.stamp === stamp ? found : undefined;
}

/** What one caller's teams may do is of no use to the next. */
export function keep({ byId, ids }: KeptRows, found: Row): KeptRow {
  const { workspace_powers: _byWorkspace, project_powers: _byProject, ...rest } = found;
  const row = rest as Row;
  const kept = { stamp: row['stamp'] as string, row, shown: new Map() };
  byId.set(row.id, kept);
  ids.set(`${row['organization_name']}/${row['name']}`, row.id);
  return kept;
}

/** Frozen, since all who have these powers are shown the same one; so its document is written once (`compile`). */
export function shownTo<Shown extends Row>(
  kept: KeptRow,
  powers: number,
  make: (row: Row, powers: number) => Shown,
): Shown {
  const shown = kept.shown.get(powers) ?? Object.freeze(make({ ...kept.row }, powers));
  kept.shown.set(powers, shown);
  return shown as Shown;
}
