/** §5.5: a request is decided by what its caller may do then, not by what they might do when its first byte came. */
import { expect, test } from 'vitest';
import { mediaType, useApp } from '../app.ts';
import { bodyOf, join, organization, person, team } from '../builders/records.ts';
import { workspace, workspaceAccess } from '../builders/workspace.ts';
import { useListening } from '../running/sockets.ts';

const app = useApp();
const server = useListening(app);

/** Sends all of a request but its last byte, lets `change` happen, and sends that. */
async function acrossAChange(
  [method, path]: [string, string],
  token: string,
  body: object,
  change: () => Promise<unknown>,
): Promise<number | undefined> {
  const text = JSON.stringify(body);
  const begun = await server.begin(
    `${method} /api/v2/${path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${token}\r\n` +
      `content-type: ${mediaType}\r\ncontent-length: ${Buffer.byteLength(text)}\r\nconnection: close\r\n\r\n${text.slice(0, -1)}`,
  );
  await change();
  begun.write(text.slice(-1));
  return (await begun.answer)?.status;
}

const tokensOf = async (userId: string) => {
  const rows = await app.store.read`select id from tokens where created_by_id = ${userId}`;
  return rows.length;
};

test('§5.5 a revoked token makes no other one with a request that it had begun → 401', async () => {
  const someone = await person(app);
  const revoke = () => app.store.read`delete from tokens where user_id = ${someone.id}`;
  const body = bodyOf('authentication-tokens', { description: 'kept' });
  const path = `users/${someone.id}/authentication-tokens`;
  expect(await acrossAChange(['POST', path], someone.token, body, revoke)).toBe(401);
  expect(await tokensOf(someone.id)).toBe(0);
  // The same request of somebody who stays: what was refused is refused for its caller, not for its form.
  const other = await person(app);
  const own = `users/${other.id}/authentication-tokens`;
  expect(await acrossAChange(['POST', own], other.token, body, async () => {})).toBe(201);
});

test('§5.5 an owner who is removed makes no token of the organization with a request begun before → 404', async () => {
  const acme = await organization(app);
  const leaver = await person(app);
  const membershipId = await join(app, acme, leaver, acme.ownersTeamId);
  const remove = () => app.delete(`organization-memberships/${membershipId}`, acme.owner.token);
  const path = `organizations/${acme.name}/authentication-token`;
  expect(await acrossAChange(['POST', path], leaver.token, bodyOf('authentication-tokens', {}), remove)).toBe(404);
  expect(await tokensOf(leaver.id)).toBe(1);
});

test('§5.5 a deleted account changes nothing with requests begun before → refused', async () => {
  const acme = await organization(app);
  const administrator = await person(app, { isAdmin: true });
  const teamId = await team(app, acme);
  const id = await workspace(app, acme);
  await workspaceAccess(app, teamId, id, 'write');
  const requests = [
    ['PATCH', `workspaces/${id}`, bodyOf('workspaces', { description: 'changed' })],
    ['POST', `workspaces/${id}/vars`, bodyOf('vars', { key: 'changed', category: 'terraform' })],
    ['POST', `workspaces/${id}/actions/lock`, { reason: 'changed' }],
  ] as const;
  for (const [method, path, body] of requests) {
    const leaver = await person(app);
    await join(app, acme, leaver, teamId);
    const remove = async () =>
      expect((await app.delete(`admin/users/${leaver.id}`, administrator.token)).status).toBe(204);
    // Whichever is noticed first: that nobody is there any more, or that nothing is theirs.
    expect([401, 404]).toContain(await acrossAChange([method, path], leaver.token, body, remove));
  }
  const { data } = await app.get(`workspaces/${id}`, acme.owner.token);
  expect([data.attributes.description, data.attributes.locked]).toEqual([null, false]);
  expect((await app.get(`workspaces/${id}/vars`, acme.owner.token)).data).toEqual([]);
});
