/** Rows of the access matrix for configuration versions and runs, and for what hangs on a run. */
import { newId } from '../../../src/core/store/ids.ts';
import { row } from '../../../src/core/store/store.ts';
import { bodyOf } from '../../builders/records.ts';
import { configurationVersion, leave, move, run } from '../../builders/run.ts';
import { transfer } from '../../builders/state.ts';
import { runTrigger, workspace as unseenWorkspace } from '../../builders/workspace.ts';
import type { Asked, Fresh, Row, Rows } from './fresh.ts';

/** A configuration version that is not the workspace's current one. */
async function version({ world: { app, acme }, workspace }: Fresh, status = 'uploaded'): Promise<Asked> {
  const { id } = await workspace();
  const versionId = await configurationVersion(app, acme, id, { status });
  await configurationVersion(app, acme, id);
  return { params: { configuration_version_id: versionId } };
}

const versionIs =
  (status: string): Row =>
  fresh =>
    version(fresh, status);
const ofRepository: Row = async fresh => {
  const asked = await version(fresh);
  const sql = fresh.world.app.store.read;
  await sql`
    update configuration_versions set ${row(sql, {
      ingress_attributes_id: newId('ia'),
      ingress_attributes: sql.json({ branch: 'main' }),
    })}
    where configuration_versions.id = ${asked.params['configuration_version_id']!}`;
  return asked;
};

export const configurationVersionRows: Rows = {
  'configuration-versions.list': ({ workspace }) => workspace(),
  'configuration-versions.create': async ({ workspace }) => ({
    ...(await workspace()),
    body: bodyOf('configuration-versions', {}),
  }),
  'configuration-versions.show': fresh => version(fresh),
  'configuration-versions.show-of-run': fresh => queued(fresh),
  'configuration-versions.show-ingress-attributes': ofRepository,
  'configuration-versions.download': fresh => version(fresh),
  'configuration-versions.download-of-run': fresh => queued(fresh),
  'configuration-versions.upload': announced,
  'configuration-versions.fetch': fetched,
  'configuration-versions.archive': fresh => version(fresh),
  'configuration-versions.soft-delete-backing-data': fresh => version(fresh),
  'configuration-versions.restore-backing-data': versionIs('backing_data_soft_deleted'),
  'configuration-versions.permanently-delete-backing-data': versionIs('backing_data_soft_deleted'),
};

/** A version whose content is still to come. */
async function announced({ world: { app, callers }, workspace }: Fresh): Promise<Asked & { address: string }> {
  const { id } = await workspace();
  const body = bodyOf('configuration-versions', { 'auto-queue-runs': false });
  const { data } = await app.post(`workspaces/${id}/configuration-versions`, callers.owner.token, body);
  const params = { configuration_version_id: data.id };
  return { params, raw: Buffer.from('an archive'), address: data.attributes['upload-url'] };
}

async function fetched(fresh: Fresh): Promise<Asked> {
  const { params, raw, address } = await announced(fresh);
  await transfer(fresh.world.app, 'PUT', address, raw!);
  return { params };
}

interface RunAsked extends Asked {
  id: string;
  workspaceId: string;
}

async function queued({ world: { app, acme }, workspace }: Fresh, settings: object = {}): Promise<RunAsked> {
  const { id: workspaceId } = await workspace();
  const id = await run(app, acme, workspaceId, settings);
  return { id, workspaceId, params: { run_id: id } };
}

const planned: Row = async fresh => {
  const asked = await queued(fresh);
  await move(fresh.world.app, asked.id, 'planning', 'planned');
  return asked;
};

/** Behind another one that waits for its plan. */
const pending: Row = async fresh => {
  const { workspaceId } = await queued(fresh);
  const { app, acme } = fresh.world;
  return { params: { run_id: await run(app, acme, workspaceId) } };
};

const canceled: Row = async fresh => {
  const asked = await queued(fresh);
  const sql = fresh.world.app.store.read;
  await move(fresh.world.app, asked.id, 'planning');
  await sql`
    update runs set canceled_at = now(), force_cancel_available_at = now() - interval '1 second' where runs.id = ${asked.id}`;
  return asked;
};

const created =
  (attributes: object): Row =>
  async fresh => {
    const { world, workspace } = fresh;
    const { id } = await workspace();
    await configurationVersion(world.app, world.acme, id);
    return { params: {}, body: bodyOf('runs', attributes, { workspace: { data: { type: 'workspaces', id } } }) };
  };

export const runRows: Rows = {
  'runs.create': {
    'to be applied by hand': created({}),
    'to apply itself': created({ 'auto-apply': true }),
    'to destroy': created({ 'is-destroy': true }),
  },
  'runs.list': ({ workspace }) => workspace(),
  'runs.list-organization': ({ organization }) => organization(),
  'runs.queue': ({ organization }) => organization(),
  'organization-capacity.show': ({ organization }) => organization(),
  'runs.show': fresh => queued(fresh),
  'runs.apply': planned,
  'runs.discard': planned,
  'runs.cancel': { 'one that may apply': fresh => queued(fresh), 'one that only plans': onlyPlans },
  'runs.force-cancel': canceled,
  'runs.force-execute': pending,
};

function onlyPlans(fresh: Fresh) {
  return queued(fresh, { plan_only: true });
}

/** A part of a run, by its own id and by the run's. */
const part =
  (parameter: string, column: 'plan_id' | 'apply_id'): Row =>
  async fresh => {
    const { id, params } = await queued(fresh);
    const sql = fresh.world.app.store.read;
    const [found] = await sql`select runs.plan_id, runs.apply_id from runs where runs.id = ${id}`;
    return { params: { ...params, [parameter]: found![column] } };
  };

const comment: Row = async fresh => {
  const { id } = await queued(fresh);
  const { app, acme } = fresh.world;
  const members = { id: newId('wsc'), run_id: id, body: 'Looks good', created_by_id: acme.owner.id };
  await app.store.read`insert into comments ${row(app.store.read, members)}`;
  return { params: { comment_id: members.id } };
};

const event: Row = async fresh => {
  const { id } = await queued(fresh);
  const sql = fresh.world.app.store.read;
  const [found] = await sql`select run_events.id from run_events where run_events.run_id = ${id} limit 1`;
  return { params: { run_event_id: found!['id'] } };
};

/** The result of an assessment, with its files. */
const assessment: Row = async fresh => {
  const { app } = fresh.world;
  const run = await queued(fresh, { plan_only: true, is_assessment: true });
  await leave(app, run.id, run.workspaceId, 'json');
  await leave(app, run.id, run.workspaceId, 'schemas');
  await move(app, run.id, 'planning', 'assessed');
  const [found] = await app.store.read`
    select assessment_results.id from assessment_results where assessment_results.run_id = ${run.id}`;
  return { params: { assessment_result_id: found!['id'] } };
};

/** Of a phase that has left something under the name. */
const leaving =
  (parameter: 'plan_id' | 'apply_id', name: string): Row =>
  async fresh => {
    const { id, workspaceId } = await queued(fresh);
    const sql = fresh.world.app.store.read;
    await leave(fresh.world.app, id, workspaceId, name);
    const [found] = await sql`select runs.plan_id, runs.apply_id from runs where runs.id = ${id}`;
    return { params: { [parameter]: found![parameter] } };
  };

const erroredState = leaving('apply_id', 'errored-state');

/** An apply under way, whose job was given the address. */
const applying =
  (isGivenToJob: boolean): Row =>
  async fresh => {
    const { app } = fresh.world;
    const { id } = await queued(fresh);
    await move(app, id, 'planning', 'planned', 'confirmed', 'apply_queued', 'applying');
    const [found] = await app.store.read`
      select runs.apply_id, jobs.id as job_id from runs
      join jobs on jobs.run_id = runs.id and jobs.phase = 'apply'
      where runs.id = ${id}`;
    const asked = { params: { apply_id: found!['apply_id'] }, raw: Buffer.from('{}') };
    return isGivenToJob ? { ...asked, givenTo: found!['job_id'] } : asked;
  };

export const runPartRows: Rows = {
  'plans.show': part('plan_id', 'plan_id'),
  'plans.show-json-output': part('plan_id', 'plan_id'),
  'plans.show-json-output-redacted': part('plan_id', 'plan_id'),
  'applies.show': part('apply_id', 'apply_id'),
  'applies.show-errored-state': erroredState,
  'plans.read-log': part('plan_id', 'plan_id'),
  'plans.read-json': leaving('plan_id', 'json'),
  'plans.read-redacted': leaving('plan_id', 'redacted'),
  'applies.read-log': part('apply_id', 'apply_id'),
  'applies.read-errored-state': erroredState,
  'applies.write-errored-state': { 'given to its job': applying(true), 'given to the caller': applying(false) },
  'workspaces.assess': ({ workspace }) => workspace(),
  'assessment-results.show': assessment,
  'assessment-results.read-json-output': assessment,
  'assessment-results.read-json-schema': assessment,
  'assessment-results.read-log-output': assessment,
  'run-events.list': fresh => queued(fresh),
  'run-events.show': event,
  'comments.list': fresh => queued(fresh),
  'comments.create': async fresh => ({ ...(await queued(fresh)), body: bodyOf('comments', { body: 'Looks good' }) }),
  'comments.show': comment,
};

/** A workspace of the standing teams as the target, and a source that they may read, too, or one that none may. */
async function triggering(fresh: Fresh, isSourceOpen: boolean): Promise<Asked & { id: string; sourceId: string }> {
  const { world, workspace } = fresh;
  const { id, params } = await workspace();
  const sourceId = isSourceOpen ? (await workspace()).id : await unseenWorkspace(world.app, world.acme);
  return { id, sourceId, params: isSourceOpen ? params : { ...params, source_id: sourceId } };
}

const newTrigger =
  (isSourceOpen: boolean): Row =>
  async fresh => {
    const { params, sourceId } = await triggering(fresh, isSourceOpen);
    const sourceable = { data: { type: 'workspaces', id: sourceId } };
    return { params, body: bodyOf('run-triggers', {}, { sourceable }) };
  };

const trigger =
  (isSourceOpen: boolean): Row =>
  async fresh => {
    const { id, sourceId } = await triggering(fresh, isSourceOpen);
    return { params: { run_trigger_id: await runTrigger(fresh.world.app, id, sourceId) } };
  };

export const runTriggerRows: Rows = {
  'run-triggers.list': async ({ workspace }) => ({
    ...(await workspace()),
    query: 'filter[run-trigger][type]=inbound',
  }),
  'run-triggers.create': { 'of a source open to all': newTrigger(true), 'of a source open to few': newTrigger(false) },
  'run-triggers.show': { 'of a source open to all': trigger(true), 'of a source open to few': trigger(false) },
  'run-triggers.delete': { 'of a source open to all': trigger(true), 'of a source open to few': trigger(false) },
};
