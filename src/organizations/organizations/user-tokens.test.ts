/** §5: an organization that takes no users' tokens. Its members are told why; to everybody else it stays missing. */
import { beforeAll, describe, expect, test } from 'vitest';
import { useApp } from '../../../test/app.ts';
import {
  bodyOf,
  member,
  organization,
  type Person,
  person,
  serviceTokenOf,
  type TestOrganization,
  team,
} from '../../../test/builders/records.ts';
import { workspace, workspaceAccess } from '../../../test/builders/workspace.ts';

describe.each(['documented', 'vendor'])('under the profile %s', profile => {
  const app = useApp({ TERRANE_PROFILE: profile });
  let acme: TestOrganization;
  let reader: Person;
  let id: string;
  let hidden: string;
  beforeAll(async () => {
    acme = await organization(app);
    const readers = await team(app, acme);
    reader = await member(app, acme, readers);
    [id, hidden] = [await workspace(app, acme), await workspace(app, acme)];
    await workspaceAccess(app, readers, id, 'read');
    await app.store.read`
      update organizations set user_tokens_enabled = false, revision = default where organizations.id = ${acme.key}`;
  });

  const bytesOf = ({ status, text }: { status: number; text: string }) => [status, text];
  const unauthorized = async () => bytesOf(await app.get('organizations', 'no-token'));
  const missing = async () => bytesOf(await app.get('organizations/nothing-there', reader.token));

  test('§5 what a member could see by an address is 401, in the words of a missing token', async () => {
    for (const path of [`organizations/${acme.name}`, `organizations/${acme.name}/workspaces`, `workspaces/${id}`]) {
      expect(bytesOf(await app.get(path, reader.token))).toEqual(await unauthorized());
    }
    const renamed = bodyOf('workspaces', { name: 'renamed' });
    for (const path of [`workspaces/${id}`, `workspaces/${hidden}`]) {
      expect(bytesOf(await app.patch(path, acme.owner.token, renamed))).toEqual(await unauthorized());
    }
    const [row] = await app.store.read`select workspaces.name from workspaces where workspaces.id = ${id}`;
    expect(row!['name']).not.toBe('renamed');
    expect(bytesOf(await app.delete(`organizations/${acme.name}`, acme.owner.token))).toEqual(await unauthorized());
  });

  test('§5.5 what a member could not see, or not do, stays missing', async () => {
    expect(bytesOf(await app.get(`workspaces/${hidden}`, reader.token))).toEqual(await missing());
    expect(bytesOf(await app.patch(`workspaces/${id}`, reader.token, bodyOf('workspaces', {})))).toEqual(
      await missing(),
    );
    expect(bytesOf(await app.get(`organizations/${acme.name}/audit-events`, reader.token))).toEqual(await missing());
  });

  test('§5.5 nobody else learns that it exists: strangers, owners elsewhere, invited people, site administrators', async () => {
    const invited = await person(app);
    await app.store.read`
      insert into organization_memberships (id, organization_id, user_id, status, email)
      values ('ou-invited', ${acme.key}, ${invited.id}, 'invited', ${invited.email})`;
    const others = [invited, (await organization(app)).owner, await person(app), await person(app, { isAdmin: true })];
    for (const { token } of others) {
      for (const path of [`organizations/${acme.name}`, `workspaces/${id}`, `projects/${acme.projectId}`]) {
        expect(bytesOf(await app.get(path, token))).toEqual(await missing());
      }
    }
  });

  test('§5 lists leave it out, and the own account and other organizations are open', async () => {
    const rival = await organization(app, { owner: reader });
    const { data, status } = await app.get('organizations', reader.token);
    expect([status, data.map((one: { id: string }) => one.id)]).toEqual([200, [rival.name]]);
    expect((await app.get('account/details', reader.token)).status).toBe(200);
    const theirs = await workspace(app, rival);
    expect((await app.get(`workspaces/${theirs}`, reader.token)).status).toBe(200);
    expect((await app.get(`workspaces/${id}`, reader.token)).status).toBe(401);
  });

  test('§5 a team and the organization come in by their own tokens, and open it again', async () => {
    const token = await serviceTokenOf(app, acme, acme.ownersTeamId);
    for (const one of [token, await serviceTokenOf(app, acme)]) {
      expect((await app.get(`organizations/${acme.name}`, one)).status).toBe(200);
    }
    const open = (isOpen: boolean) =>
      app.patch(`organizations/${acme.name}`, token, bodyOf('organizations', { 'user-tokens-enabled': isOpen }));
    expect((await open(true)).status).toBe(200);
    expect((await app.get(`workspaces/${id}`, reader.token)).status).toBe(200);
    expect((await open(false)).status).toBe(200);
    expect((await app.get(`workspaces/${id}`, reader.token)).status).toBe(401);
  });
});
