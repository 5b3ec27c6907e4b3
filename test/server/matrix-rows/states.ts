/** Rows of the access matrix for state versions, their outputs and what they manage (§2.2, §3). */
import { createHash } from 'node:crypto';
import { bodyOf } from '../../builders/records.ts';
import { transfer, versionBody } from '../../builders/state.ts';
import type { Caller } from '../../cast/world.ts';
import type { Asked, Fresh, Row, Rows } from './fresh.ts';

const state = Buffer.from(
  JSON.stringify({
    version: 4,
    terraform_version: '1.9.0',
    serial: 1,
    lineage: 'a lineage',
    outputs: { region: { value: 'eu', type: 'string' } },
    resources: [],
  }),
);
const stateBody = bodyOf('state-versions', {
  serial: 1,
  lineage: 'a lineage',
  md5: createHash('md5').update(state).digest('hex'),
  state: state.toString('base64'),
});

const lockedBy = ({ holder: { type, id } }: Caller) => ({
  locked: true,
  locked_reason: '',
  locked_by_type: type,
  locked_by_id: id,
});

/** A workspace that holds one state, with the version's id and its output's. */
async function withState({ world: { app, callers }, workspace }: Fresh): Promise<Asked & { versionId: string }> {
  const { id, params } = await workspace(lockedBy(callers.owner));
  const made = await app.post(`workspaces/${id}/state-versions`, callers.owner.token, stateBody);
  if (made.status !== 201) throw new Error(`The state was refused: ${made.text}`);
  const versionId: string = made.data.id;
  const [output] = await app.store.read`
    select state_version_outputs.id from state_version_outputs
    where state_version_outputs.state_version_id = ${versionId}`;
  return { versionId, params: { ...params, state_version_id: versionId, output_id: output!['id'] } };
}

/** A version whose content is still to come. */
async function announced({ world: { app, callers }, workspace }: Fresh): Promise<Asked & { versionId: string }> {
  const { id, params } = await workspace(lockedBy(callers.owner));
  const body = versionBody(state, {}, false);
  const made = await app.post(`workspaces/${id}/state-versions`, callers.owner.token, body);
  return { versionId: made.data.id, params: { ...params, state_version_id: made.data.id }, raw: state };
}

/** One that has come in both forms. */
async function uploaded(fresh: Fresh): Promise<Asked> {
  const { versionId, params } = await announced(fresh);
  const { app, callers } = fresh.world;
  const { data } = await app.get(`state-versions/${versionId}`, callers.owner.token);
  await transfer(app, 'PUT', data.attributes['hosted-state-upload-url'], state);
  await transfer(app, 'PUT', data.attributes['hosted-json-state-upload-url'], Buffer.from('{}'));
  return { params };
}

export const stateRows: Rows = {
  'state-versions.create': async ({ workspace }, caller) => ({
    ...(await workspace(lockedBy(caller))),
    body: stateBody,
  }),
  'state-versions.roll-back': async (fresh, caller) => {
    const { params, versionId } = await withState(fresh);
    const { type, id } = caller.holder;
    await fresh.world.app.store.read`
      update workspaces set locked_by_type = ${type}, locked_by_id = ${id}, revision = default
      where workspaces.id = ${params['workspace_id']!}`;
    const version = { data: { type: 'state-versions', id: versionId } };
    return { params, body: bodyOf('state-versions', {}, { 'rollback-state-version': version }) };
  },
  'state-versions.show': withState as Row,
  'state-versions.show-current': withState as Row,
  'state-versions.list': ({ world: { acme }, workspace }) => listed(acme.name, workspace),
  'state-version-outputs.show': withState as Row,
  'state-version-outputs.list': withState as Row,
  'state-version-outputs.list-current': withState as Row,
  'state-versions.soft-delete-backing-data': withState as Row,
  'state-versions.restore-backing-data': withState as Row,
  'state-versions.permanently-delete-backing-data': withState as Row,
  'state-versions.upload': announced,
  'state-versions.upload-json': announced,
  'state-versions.download': uploaded,
  'state-versions.download-json': uploaded,
  'resources.list': ({ workspace }) => workspace(),
};

async function listed(organization: string, workspace: Fresh['workspace']): Promise<Asked> {
  const { params } = await workspace();
  const query = `filter[organization][name]=${organization}&filter[workspace][name]=${params['workspace_name']}`;
  return { params, query };
}
