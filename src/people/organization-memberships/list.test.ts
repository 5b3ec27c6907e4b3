import { beforeAll, describe, expect, test } from 'vitest';
import { useApp } from '../../../test/app.ts';
import {
  bodyOf,
  join,
  member,
  organization,
  type Person,
  person,
  randomName,
  serviceTokenOf,
  type TestOrganization,
  team,
} from '../../../test/builders/records.ts';

const app = useApp();
let acme: TestOrganization;
let other: TestOrganization;
let administrator: Person;
let acmeToken: string;
beforeAll(async () => {
  acme = await organization(app);
  other = await organization(app);
  administrator = await person(app, { isAdmin: true });
  acmeToken = await serviceTokenOf(app, acme);
});

const path = (of: TestOrganization) => `organizations/${of.name}/organization-memberships`;
const teamLinks = (...ids: string[]) => ({ teams: { data: ids.map(id => ({ type: 'teams', id })) } });
const invitation = (email: string, ...teamIds: string[]) =>
  bodyOf('organization-memberships', { email }, teamIds.length > 0 ? teamLinks(...teamIds) : undefined);
const newEmail = () => `${randomName('guest')}@example.com`;
const missing = async () => (await app.get('organization-memberships/ou-0', acme.owner.token)).text;

async function membershipOf(of: TestOrganization, someone: Person): Promise<string> {
  const [found] = await app.store.read`
    select organization_memberships.id from organization_memberships
    where organization_memberships.user_id = ${someone.id} and organization_memberships.organization_id = ${of.key}`;
  return found?.['id'];
}

describe('list', () => {
  test('§1 searched, filtered and counted by status; a page past the end is empty', async () => {
    const one = await organization(app);
    const [first, second] = [newEmail(), newEmail()];
    await app.post(path(one), one.owner.token, invitation(first));
    await app.post(path(one), one.owner.token, invitation(second));
    const list = async (query: string) => app.get(`${path(one)}?${query}`, one.owner.token);
    const all = await list('');
    expect(all.data).toHaveLength(3);
    expect(all.document.meta['status-counts']).toEqual({ total: 3, active: 1, invited: 2 });
    expect(all.document.meta.pagination['total-count']).toBe(3);
    const invited = await list('filter%5Bstatus%5D=invited&page%5Bsize%5D=1');
    expect(invited.data).toHaveLength(1);
    expect(invited.document.meta.pagination['total-count']).toBe(2);
    expect(invited.document.meta['status-counts']).toEqual({ total: 3, active: 1, invited: 2 });
    const past = await list('page[number]=999&page[size]=100');
    expect(past.data).toEqual([]);
    expect(past.document.meta.pagination).toMatchObject({ 'current-page': 999, 'total-count': 3 });
    const emails = async (query: string) => {
      const { data } = await list(query);
      return data.map(({ attributes }: { attributes: { email: string } }) => attributes.email).toSorted();
    };
    expect(await emails(`filter[email]=${first.toUpperCase()},${second}`)).toEqual([first, second].toSorted());
    expect(await emails(`filter[email]=${first}&filter[email]=${second}`)).toHaveLength(2);
    expect(await emails('filter[email]=guest')).toEqual([]);
    expect(await emails(`q=${one.owner.username.toUpperCase()}`)).toEqual([one.owner.email]);
    expect(await emails('q=guest')).toHaveLength(2);
    expect(await emails('q=%25')).toEqual([]);
    expect(await emails('filter[status]=inactive')).toEqual([]);
    const wrong = await list('filter[status]=sleeping');
    expect([wrong.status, wrong.pointers]).toEqual([400, ['filter[status]']]);
  });

  test('§1 an include that is not known → 400 with the words `include parameter`', async () => {
    const answer = await app.get(`${path(acme)}?include=users`, acme.owner.token);
    expect(answer.status).toBe(400);
    expect(answer.document.errors[0].title).toBe('invalid include parameter');
    expect(answer.problems[0]).toContain('include parameter');
    expect(answer.pointers).toEqual(['include']);
    const both = await app.get(`${path(acme)}?include=user,teams,organization`, acme.owner.token);
    const types = new Set(both.document.included.map(({ type }: { type: string }) => type));
    expect(types).toEqual(new Set(['users', 'teams', 'organizations']));
  });

  test('§1 a page with two includes is five statements, authentication included, whatever its size', async () => {
    const teamId = await team(app, acme);
    for (let count = 0; count < 5; count += 1) await member(app, acme, teamId);
    const statements = await app.statementsOf(() =>
      app.get(`${path(acme)}?include=user,teams&page[size]=100`, acme.owner.token),
    );
    expect(statements).toHaveLength(5);
  });

  test('§5.3 a secret team is named neither in a membership nor beside it to those who cannot see it', async () => {
    const secret = await team(app, acme, { visibility: 'secret' });
    const insider = await member(app, acme, secret);
    const outsider = await member(app, acme);
    const id = await membershipOf(acme, insider);
    const seen = await app.get(`organization-memberships/${id}?include=teams`, insider.token);
    expect(seen.document.included).toEqual([expect.objectContaining({ type: 'teams', id: secret })]);
    const unseen = await app.get(`organization-memberships/${id}?include=teams`, outsider.token);
    expect(unseen.data.relationships.teams.data).toEqual([]);
    expect(unseen.text).not.toContain(secret);
  });

  test('§5 no membership of another organization is read, listed or removed', async () => {
    const id = await membershipOf(acme, acme.owner);
    const text = await missing();
    for (const { token } of [other.owner, administrator, await person(app)]) {
      expect((await app.get(`organization-memberships/${id}`, token)).text).toBe(text);
      expect((await app.delete(`organization-memberships/${id}`, token)).text).toBe(text);
      expect((await app.get(path(acme), token)).text).toBe(text);
    }
    const listed = await app.get(`${path(other)}?page[size]=100`, other.owner.token);
    expect(listed.text).not.toContain(acme.owner.id);
  });

  test("§1 the caller's own memberships, in all organizations, and of nobody else", async () => {
    const someone = await member(app, acme);
    await join(app, other, someone);
    const own = await app.get('organization-memberships?include=organization', someone.token);
    expect(own.data.map((one: { relationships: never }) => one['relationships']['organization']['data']['id'])).toEqual(
      [acme.name, other.name].toSorted((a, b) => (a < b ? -1 : 1)),
    );
    expect(own.document.included).toHaveLength(2);
    const page = await app.get('organization-memberships?page[number]=2&page[size]=1', someone.token);
    expect(page.data).toEqual([own.data[1]]);
    expect((await app.get('organization-memberships', acmeToken)).data).toEqual([]);
  });

  test('§2.1 teams include their users and their memberships, the invited ones too', async () => {
    const teamId = await team(app, acme);
    const someone = await member(app, acme, teamId);
    const invited = await app.post(path(acme), acme.owner.token, invitation(newEmail(), teamId));
    const users = await app.get(`teams/${teamId}?include=users`, acme.owner.token);
    expect(users.document.included.map(({ id }: { id: string }) => id)).toEqual([someone.id]);
    expect(users.document.included[0].attributes.email).toBeNull();
    const memberships = await app.get(`teams/${teamId}?include=organization-memberships`, acme.owner.token);
    expect(memberships.document.included.map(({ id }: { id: string }) => id).toSorted()).toEqual(
      [await membershipOf(acme, someone), invited.data.id].toSorted(),
    );
    expect(memberships.document.included[0].type).toBe('organization-memberships');
  });
});
