/** §5.6: tokens that agents sign in with. */
import { beforeAll, expect, test } from 'vitest';
import { useApp } from '../../../test/app.ts';
import { bodyOf, member, organization, type TestOrganization, team } from '../../../test/builders/records.ts';
import { agentPool } from '../../../test/builders/workspace.ts';

const app = useApp();
let acme: TestOrganization;
let owner: string;
let pool: string;
beforeAll(async () => {
  acme = await organization(app);
  owner = acme.owner.token;
  pool = await agentPool(app, acme);
});

const path = (id = pool) => `agent-pools/${id}/authentication-tokens`;
const create = (attributes: object = { description: 'an agent' }, token = owner) =>
  app.post(path(), token, bodyOf('authentication-tokens', attributes));

test('§5.6 201 with the text once; listed, shown and revoked by its id', async () => {
  const made = await create();
  expect([made.status, made.problems]).toEqual([201, []]);
  expect(made.data.attributes).toMatchObject({
    description: 'an agent',
    token: expect.stringMatching(/^terrane_/),
    'expired-at': null,
    'last-used-at': null,
  });
  expect(made.data.relationships['created-by'].data).toEqual({ type: 'users', id: acme.owner.id });
  const without = { ...made.data, attributes: { ...made.data.attributes, token: null } };
  expect((await app.get(`authentication-tokens/${made.data.id}`, owner)).data).toEqual(without);
  const list = await app.get(path(), owner);
  expect([list.data, list.document.meta]).toEqual([[without], undefined]);
  expect((await app.get(`${path()}?page[size]=1`, owner)).document.meta.pagination['total-count']).toBe(1);
  expect((await app.delete(`authentication-tokens/${made.data.id}`, owner)).status).toBe(204);
  expect((await app.get(path(), owner)).data).toEqual([]);
});

test('§5.6 the type that clients send, agent-tokens, is taken; answers bear the one that they read', async () => {
  const made = await app.post(path(), owner, bodyOf('agent-tokens', { description: 'by a client' }));
  expect([made.status, made.data?.type]).toEqual([201, 'authentication-tokens']);
  expect((await app.post(path(), owner, bodyOf('agents', { description: 'x' }))).pointers).toEqual(['/data/type']);
});

test.each([{}, { description: '' }, { description: null }])(
  '§7 a description is needed: %j → 422',
  async attributes => {
    const refused = await create(attributes);
    expect([refused.status, refused.pointers]).toEqual([422, ['/data/attributes/description']]);
  },
);

test('§5.1 it opens nothing: 401 everywhere', async () => {
  const { token } = (await create()).data.attributes;
  for (const address of ['account/details', `organizations/${acme.name}`, `agent-pools/${pool}`, path()]) {
    expect([address, (await app.get(address, token)).status]).toEqual([address, 401]);
  }
});

test('§5.6 it stands beside the tokens of the organization, and goes with its pool', async () => {
  const whole = await app.post(
    `organizations/${acme.name}/authentication-token`,
    owner,
    bodyOf('authentication-tokens', {}),
  );
  const short = await agentPool(app, acme);
  const made = await app.post(path(short), owner, bodyOf('authentication-tokens', { description: 'a' }));
  expect((await app.get(`organizations/${acme.name}/authentication-token`, owner)).data.id).toBe(whole.data.id);
  expect((await app.delete(`agent-pools/${short}`, owner)).status).toBe(204);
  expect((await app.get(`authentication-tokens/${made.data.id}`, owner)).status).toBe(404);
});

test('§5 for owners and managers of pools; members of the organization see the agents alone', async () => {
  const made = await create();
  const manager = await member(app, acme, await team(app, acme, { access: { 'manage-agent-pools': true } }));
  const someone = await member(app, acme);
  const outsider = (await organization(app)).owner;
  const attempts = async (token: string) => [
    (await app.get(path(), token)).status,
    (await create({ description: 'b' }, token)).status,
    (await app.get(`authentication-tokens/${made.data.id}`, token)).status,
    (await app.get(`agent-pools/${pool}/agents`, token)).status,
  ];
  expect(await attempts(manager.token)).toEqual([200, 201, 200, 200]);
  expect(await attempts(someone.token)).toEqual([404, 404, 404, 200]);
  expect(await attempts(outsider.token)).toEqual([404, 404, 404, 404]);
  expect((await app.get(path(), manager.token)).data.length).toBeGreaterThan(1);
  expect((await app.get(`agent-pools/${pool}/agents`, owner)).document).toMatchObject({
    data: [],
    meta: { pagination: { 'total-count': 0 } },
  });
});
