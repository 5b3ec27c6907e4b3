/** §3 An upload whose answer was lost on its way is sent again. */
import { beforeAll, expect, test } from 'vitest';
import { useApp } from '../../../test/app.ts';
import { organization, type TestOrganization } from '../../../test/builders/records.ts';
import { stateClient, stateOf, transfer } from '../../../test/builders/state.ts';
import { workspace } from '../../../test/builders/workspace.ts';

const app = useApp();
let acme: TestOrganization;
beforeAll(async () => {
  acme = await organization(app);
});

const documented = Buffer.from('{"format_version":"1.0","values":{}}');
const blobCount = async () => (await app.store.read`select count(*) as blobs from blobs`)[0]!['blobs'];
const show = async (path: string) => (await app.get(path, acme.owner.token)).data;

/** A workspace that the owner has locked, with a version announced for the state, and both forms of that with their addresses. */
async function announced(state: Buffer) {
  const id = await workspace(app, acme);
  const client = stateClient(app, id, acme.owner.token);
  await client.lock();
  const { data: version } = await client.announce(state);
  const raw: string = version.attributes['hosted-state-upload-url'];
  const json: string = version.attributes['hosted-json-state-upload-url'];
  const forms: [string, Buffer][] = [
    [raw, state],
    [json, documented],
  ];
  const sendBoth = async () => {
    const statuses = [];
    for (const [address, bytes] of forms) statuses.push((await transfer(app, 'PUT', address, bytes)).status);
    return statuses;
  };
  return { id, ...client, version, raw, json, sendBoth };
}

test('§3 the same bytes again → 200, before and after the lock is gone, and nothing changes', async () => {
  const { id, version, unlock, sendBoth } = await announced(stateOf({ resources: 2 }));
  const all = async () => {
    const { 'latest-change-at': changedAt, 'resource-count': resources } = (await show(`workspaces/${id}`)).attributes;
    return { blobs: await blobCount(), version: await show(`state-versions/${version.id}`), changedAt, resources };
  };
  const withoutAddresses = ({ version: { attributes, ...shown }, ...rest }: Awaited<ReturnType<typeof all>>) => {
    const { 'hosted-state-download-url': _raw, 'hosted-json-state-download-url': _json, ...kept } = attributes;
    return { ...rest, shown, kept };
  };
  expect(await sendBoth()).toEqual([200, 200]);
  const uploaded = withoutAddresses(await all());
  expect(await sendBoth()).toEqual([200, 200]);
  expect(withoutAddresses(await all())).toEqual(uploaded);
  await unlock();
  const unlocked = withoutAddresses(await all());
  expect(await sendBoth()).toEqual([200, 200]);
  expect(withoutAddresses(await all())).toEqual(unlocked);
  expect([uploaded.kept.intermediate, unlocked.kept.intermediate, unlocked.resources]).toEqual([true, false, 2]);
});

test('§3 ten times at once: each is told that it came, and it is kept once', async () => {
  const state = stateOf({ resources: 1 });
  const { raw, json } = await announced(state);
  const before = await blobCount();
  const ten = (address: string, bytes: Buffer) =>
    Promise.all(Array.from({ length: 10 }, () => transfer(app, 'PUT', address, bytes)));
  const answers = [...(await ten(raw, state)), ...(await ten(json, documented))];
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
  expect(await blobCount()).toBe(before + 2);
});

test('§3 of content that was hidden meanwhile → 410', async () => {
  const { version, unlock, lock, push, sendBoth } = await announced(stateOf());
  await sendBoth();
  await unlock();
  await lock();
  await push(stateOf({ serial: 2 }), { serial: 2 });
  const path = `state-versions/${version.id}/actions/soft_delete_backing_data`;
  expect((await app.post(path, acme.owner.token)).status).toBe(204);
  expect(await sendBoth()).toEqual([410, 410]);
});
