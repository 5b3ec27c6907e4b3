/** Addresses of content stand for whom they were given to: what that caller may not do any more, they do not do. */
import { beforeAll, expect, test } from 'vitest';
import { useApp } from '../app.ts';
import { member, organization, type Person, type TestOrganization, team } from '../builders/records.ts';
import { run } from '../builders/run.ts';
import { stateClient, stateOf, transfer } from '../builders/state.ts';
import { workspace, workspaceAccess } from '../builders/workspace.ts';

const app = useApp();
let acme: TestOrganization;
let workspaceId: string;
let teamId: string;
let reader: Person;
let versionId: string;

beforeAll(async () => {
  acme = await organization(app);
  workspaceId = await workspace(app, acme);
  teamId = await team(app, acme);
  await workspaceAccess(app, teamId, workspaceId, 'read');
  reader = await member(app, acme, teamId);
  const client = stateClient(app, workspaceId, acme.owner.token);
  await client.lock();
  versionId = (await client.push(stateOf())).data.id;
});

const stateAddress = async ({ token }: Person): Promise<string> =>
  (await app.get(`state-versions/${versionId}`, token)).data.attributes['hosted-state-download-url'];

test('§3 one that was changed in any part → 403, and so is that of another record, method, account or time', async () => {
  const address = new URL(await stateAddress(reader));
  const changed = (change: (url: URL) => void) => {
    const url = new URL(address);
    change(url);
    return url.href;
  };
  const forged = [
    changed(url => url.searchParams.set('to', acme.owner.id)),
    changed(url => url.searchParams.set('expires', String(Number(url.searchParams.get('expires')) + 3600))),
    changed(url => url.searchParams.set('signature', 'x'.repeat(43))),
    changed(url => {
      url.pathname = url.pathname.replace(versionId, 'sv-1111111111111111');
    }),
    changed(url => {
      url.pathname = url.pathname.replace('/state-versions/', '/configuration-versions/').replace('/state', '/content');
    }),
    changed(url => {
      url.search = '';
    }),
  ];
  for (const one of forged) expect([one, (await transfer(app, 'GET', one)).status]).toEqual([one, 403]);
  expect((await transfer(app, 'PUT', address.href, Buffer.from('{}'))).status).toBe(403);
  expect((await transfer(app, 'GET', address.href)).status).toBe(200);
});

test('§5.5 what its account may not read any more is missing, also at an address that it was given before', async () => {
  const id = await run(app, acme, workspaceId);
  const log: string = (await app.get(`runs/${id}/plan`, reader.token)).data.attributes['log-read-url'];
  const [state, ofOwner] = [await stateAddress(reader), await stateAddress(acme.owner)];
  const statuses = () =>
    Promise.all([state, log, ofOwner].map(async address => (await transfer(app, 'GET', address)).status));
  expect(await statuses()).toEqual([200, 200, 200]);
  const { read: sql } = app.store;
  await sql`delete from team_workspaces where team_workspaces.team_id = ${teamId}`;
  expect(await statuses()).toEqual([404, 404, 200]);
  await workspaceAccess(app, teamId, workspaceId, 'read');
  expect(await statuses()).toEqual([200, 200, 200]);
  await sql`delete from users where users.id = ${reader.id}`;
  expect(await statuses()).toEqual([403, 403, 200]);
});
