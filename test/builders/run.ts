/** Configuration versions and runs for tests, made straight in the database. */

import { blobStore } from '../../src/core/blobs/blob-store.ts';
import { newId } from '../../src/core/store/ids.ts';
import { row } from '../../src/core/store/store.ts';
import { keepArtifact } from '../../src/runs/phases/artifacts.ts';
import { insertRun, type Origin, type RunSettings } from '../../src/runs/queue/insert.ts';
import { moveRun, type QueuedRun } from '../../src/runs/queue/move.ts';
import type { RunStatus } from '../../src/runs/queue/statuses.ts';
import type { TestApp } from '../app.ts';
import type { TestOrganization } from './records.ts';

/** An uploaded configuration version without content, made the workspace's current one; returns its id. */
export async function configurationVersion(
  app: TestApp,
  of: TestOrganization,
  workspaceId: string,
  given: Record<string, unknown> = {},
): Promise<string> {
  const sql = app.store.read;
  const id = newId('cv');
  await sql`
    insert into configuration_versions ${row(sql, {
      id,
      workspace_id: workspaceId,
      position: sql`(
        select coalesce(max(configuration_versions.position), 0) + 1 from configuration_versions
        where configuration_versions.workspace_id = ${workspaceId}
      )`,
      status: 'uploaded',
      source: 'tfe-api',
      created_by_id: of.owner.id,
      ...given,
    })}`;
  await sql`
    update workspaces set current_configuration_version_id = ${id}, revision = default where workspaces.id = ${workspaceId}`;
  return id;
}

/** A run of the workspace, of a configuration version of its own; returns its id. */
export async function run(
  app: TestApp,
  of: TestOrganization,
  workspaceId: string,
  given: Partial<RunSettings> = {},
  from: Partial<Origin> = {},
): Promise<string> {
  const version = await configurationVersion(app, of, workspaceId);
  const origin = {
    organization_id: of.key,
    workspace_id: workspaceId,
    configuration_version_id: version,
    created_by_id: of.owner.id,
    source: 'tfe-api',
    terraform_version: '1.9.0',
    execution_mode: 'remote' as const,
    agent_pool_id: null,
    ...from,
  };
  const settings = { message: 'A run', plan_only: false, save_plan: false, auto_apply: false, variables: [], ...given };
  return inWorkspace(app, workspaceId, sql => insertRun(sql, app.config, origin, settings));
}

/** Moves a run through statuses, one after the other, as what executes it would. */
export async function move(app: TestApp, runId: string, ...statuses: RunStatus[]): Promise<void> {
  const [found] = await app.store.read<QueuedRun[]>`
    select runs.id, runs.workspace_id, runs.plan_id, runs.apply_id from runs where runs.id = ${runId}`;
  for (const status of statuses) await inWorkspace(app, found!.workspace_id, sql => moveRun(sql, found!, status));
}

/** As if an agent had left an empty document under the name. */
export async function leave(app: TestApp, runId: string, workspaceId: string, name: string): Promise<void> {
  const content = (async function* () {
    yield Buffer.from('{}');
  })();
  const blob = await blobStore(app.config).write(app.store.read, workspaceId, content);
  await keepArtifact(app.store.read, app.config, runId, name, blob.id);
}

async function inWorkspace<T>(app: TestApp, workspaceId: string, work: (sql: TestApp['store']['read']) => Promise<T>) {
  return app.store.transaction(async sql => {
    await sql`select from workspaces where workspaces.id = ${workspaceId} for update`;
    return work(sql);
  });
}
