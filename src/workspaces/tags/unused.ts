/** §4.6 rule 1: a tag that no workspace carries any longer disappears. */
import type { Sql } from '../../core/store/store.ts';

/**
 * Deletes those of the tags that are on no workspace. Call it after the tags came off. The rows are locked before they
 * are judged: whoever adds one at this moment holds it (`heldTags`), and is either seen here or makes the tag anew.
 */
export async function removeUnusedTags(sql: Sql, tagIds: readonly string[]): Promise<void> {
  if (tagIds.length === 0) return;
  const ids = tagIds as string[];
  await sql`select from tags where tags.id = any(${ids}) order by tags.id for update`;
  await sql`
    delete from tags
    where tags.id = any(${ids})
      and not exists (select from workspace_tags where workspace_tags.tag_id = tags.id)`;
}
