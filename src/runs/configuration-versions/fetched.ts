/** What becomes of a configuration version when somebody has tried to fetch its content. The row of its workspace is held. */

import type { IngressReport } from '../../../agent/protocol.ts';
import { blobStore } from '../../core/blobs/blob-store.ts';
import type { Config } from '../../core/config.ts';
import type { Sql } from '../../core/store/store.ts';
import { keepReadme } from '../../workspaces/readmes/workspace-readme.ts';
import { noteCommitStatus } from '../queue/announce.ts';
import { beginRun, runningWorkspace } from '../queue/of-workspace.ts';
import { stamp } from '../queue/phases.ts';
import type { IngressAttributes } from './ingress-attributes.ts';

type Fetched = Extract<IngressReport, { outcome: 'finished' }>;

/** Content that came twice counts as it came last. */
export async function takeContent(sql: Sql, config: Config, versionId: string, blobId: string): Promise<void> {
  const [before] = await sql<{ blob_id: string | null }[]>`
    select configuration_versions.blob_id from configuration_versions where configuration_versions.id = ${versionId}`;
  await sql`update configuration_versions set blob_id = ${blobId} where configuration_versions.id = ${versionId}`;
  if (before?.blob_id) await blobStore(config).remove(sql, [before.blob_id]);
}

interface FetchedVersion {
  workspace_id: string;
  speculative: boolean;
  created_by_id: string;
  run_message: string | null;
}

/** Its content is there: the version is the workspace's current one, and the run that waited for it begins. */
export async function finishFetch(sql: Sql, config: Config, id: string, found: Fetched): Promise<void> {
  await writeCommit(sql, id, found);
  await endJob(sql, id, 'finished');
  const [version] = await sql<FetchedVersion[]>`
    update configuration_versions
    set status = 'uploaded',
      status_timestamps = configuration_versions.status_timestamps || jsonb_build_object('uploaded-at', ${stamp(sql)})
    from configuration_fetches
    where configuration_versions.id = ${id} and configuration_fetches.configuration_version_id = ${id}
    returning configuration_versions.workspace_id, configuration_versions.speculative,
      configuration_versions.created_by_id, configuration_fetches.run_message`;
  await sql`delete from configuration_fetches where configuration_fetches.configuration_version_id = ${id}`;
  const { workspace_id, speculative } = version!;
  if (!speculative && (await makeCurrent(sql, id, workspace_id))) await keepReadme(sql, workspace_id, found.readme);
  if (version!.run_message !== null) await queueRun(sql, config, id, version!, version!.run_message);
}

/** What was known already stays as it was told: whoever fetches does not know who pushed. */
async function writeCommit(sql: Sql, id: string, { sha, message, branch, on_default_branch }: Fetched): Promise<void> {
  const found: Partial<IngressAttributes> = {
    branch,
    'commit-message': message,
    'on-default-branch': on_default_branch,
  };
  await sql`
    update configuration_versions
    set ingress_attributes = ${sql.json(found)} || jsonb_strip_nulls(configuration_versions.ingress_attributes)
      || ${sql.json({ 'commit-sha': sha })}
    where configuration_versions.id = ${id}`;
}

/** Two of them may be done in another order than that in which they were asked for. */
async function makeCurrent(sql: Sql, id: string, workspaceId: string): Promise<boolean> {
  const made = await sql`
    update workspaces set current_configuration_version_id = fetched.id, revision = default
    from configuration_versions as fetched
    where workspaces.id = ${workspaceId} and fetched.id = ${id} and not exists (
      select from configuration_versions as newer
      where newer.id = workspaces.current_configuration_version_id and newer.position > fetched.position
        and not newer.speculative
    )`;
  return made.count === 1;
}

async function queueRun(
  sql: Sql,
  config: Config,
  id: string,
  { workspace_id, speculative, created_by_id }: FetchedVersion,
  message: string,
): Promise<void> {
  const workspace = await runningWorkspace(sql, workspace_id);
  if (!workspace) return;
  const begun = { source: 'tfe-configuration-version', created_by_id, configuration_version_id: id };
  const auto_apply = !speculative && workspace.auto_apply;
  await beginRun(sql, config, workspace, begun, { message, plan_only: speculative, auto_apply });
}

/** Nobody has it, or nobody can have it: people read why. What had come of it goes. */
export async function endFetch(
  sql: Sql,
  id: string,
  { error, reason }: { error: string; reason: string },
  outcome = 'errored',
): Promise<void> {
  await endJob(sql, id, outcome);
  await sql`
    delete from blobs where blobs.id = (
      select configuration_versions.blob_id from configuration_versions where configuration_versions.id = ${id}
    )`;
  await sql`
    update configuration_versions
    set status = 'errored', error = ${error}, error_message = ${reason}, blob_id = null,
      status_timestamps = configuration_versions.status_timestamps || jsonb_build_object('errored-at', ${stamp(sql)})
    where configuration_versions.id = ${id}`;
  await sql`delete from configuration_fetches where configuration_fetches.configuration_version_id = ${id}`;
  await noteCommitStatus(sql, sql`${id}`);
}

async function endJob(sql: Sql, id: string, outcome: string): Promise<void> {
  await sql`
    update jobs set status = 'over', outcome = ${outcome}, finished_at = clock_timestamp()
    where jobs.configuration_version_id = ${id}`;
}
