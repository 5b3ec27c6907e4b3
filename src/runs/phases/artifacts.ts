/** What a run leaves to its readers: kept sealed as all content is, under a name. */
import { blobStore } from '../../core/blobs/blob-store.ts';
import type { Config } from '../../core/config.ts';
import type { Sql } from '../../core/store/store.ts';

/** In the transaction of whatever the file is written for. One of the same name goes. */
export async function keepArtifact(
  sql: Sql,
  config: Config,
  runId: string,
  name: string,
  blobId: string,
): Promise<void> {
  const blobs = blobStore(config);
  await blobs.keep(sql, blobId);
  const before = await sql<{ blob_id: string }[]>`
    select run_artifacts.blob_id from run_artifacts
    where run_artifacts.run_id = ${runId} and run_artifacts.name = ${name}`;
  await sql`
    insert into run_artifacts (run_id, name, blob_id) values (${runId}, ${name}, ${blobId})
    on conflict (run_id, name) do update set blob_id = excluded.blob_id, created_at = now()`;
  await blobs.remove(
    sql,
    before.map(({ blob_id }) => blob_id),
  );
}

/** The blob of what the run has left under this name; null where it has left nothing. */
export async function artifactOf(sql: Sql, runId: string, name: string): Promise<string | null> {
  const [found] = await sql<{ blob_id: string }[]>`
    select run_artifacts.blob_id from run_artifacts
    where run_artifacts.run_id = ${runId} and run_artifacts.name = ${name}`;
  return found?.blob_id ?? null;
}
