import { beforeAll, describe, expect, test } from 'vitest';
import { type Answer, type Document, openApp, useApp } from '../../../test/app.ts';
import {
  bodyOf,
  member,
  organization,
  serviceTokenOf,
  type TestOrganization,
  team,
} from '../../../test/builders/records.ts';

const app = useApp();
let acme: TestOrganization;
beforeAll(async () => {
  acme = await organization(app);
});

const single = (teamId: string) => `teams/${teamId}/authentication-token`;
const create = (teamId: string, token = acme.owner.token, attributes: object = {}) =>
  app.post(single(teamId), token, bodyOf('authentication-tokens', attributes));
const describeOne = (teamId: string, description: unknown, attributes: object = {}, token = acme.owner.token) =>
  app.post(
    `teams/${teamId}/authentication-tokens`,
    token,
    bodyOf('authentication-tokens', { description, ...attributes }),
  );

describe('the token without a description', () => {
  test('§5.6 is made with 201, shown without its text, and gone after a delete', async () => {
    const id = await team(app, acme);
    expect((await app.get(single(id), acme.owner.token)).status).toBe(404);
    expect((await app.delete(single(id), acme.owner.token)).status).toBe(404);
    const made = await create(id, acme.owner.token, { description: 'not stored here' });
    expect(made.status).toBe(201);
    expect(made.data.attributes.description).toBeNull();
    expect(made.data.relationships.team.data).toEqual({ type: 'teams', id });
    expect(made.data.relationships['created-by'].data).toEqual({ type: 'users', id: acme.owner.id });
    const shown = await app.get(single(id), acme.owner.token);
    expect(shown.data).toEqual({ ...made.data, attributes: { ...made.data.attributes, token: null } });
    expect((await app.get(`authentication-tokens/${made.data.id}`, acme.owner.token)).data).toEqual(shown.data);
    expect((await app.delete(single(id), acme.owner.token)).status).toBe(204);
    expect((await app.get(single(id), acme.owner.token)).status).toBe(404);
  });

  test('§5.6 made again replaces the one before; described ones stay', async () => {
    const id = await team(app, acme);
    const described = await describeOne(id, 'kept');
    const first = await create(id);
    const second = await create(id);
    expect(second.data.id).not.toBe(first.data.id);
    expect((await app.get(`authentication-tokens/${first.data.id}`, acme.owner.token)).status).toBe(404);
    expect((await app.get(`teams/${id}`, first.data.attributes.token)).status).toBe(401);
    for (const one of [described, second]) {
      expect((await app.get(`teams/${id}`, one.data.attributes.token)).status).toBe(200);
    }
  });

  test('§5.6 where it is replaced or deleted, no other token of anybody goes', async () => {
    const [id, other] = [await team(app, acme), await team(app, acme)];
    const tokens = [
      (await create(other)).data.attributes.token,
      (await describeOne(id, 'kept')).data.attributes.token,
      await serviceTokenOf(app, acme),
      (await member(app, acme)).token,
    ];
    const good = async () =>
      (await Promise.all(tokens.map(token => app.get('organizations', token)))).map(({ status }) => status);
    await create(id);
    await create(id);
    expect(await good()).toEqual([200, 200, 200, 200]);
    expect((await app.delete(single(id), acme.owner.token)).status).toBe(204);
    expect(await good()).toEqual([200, 200, 200, 200]);
  });

  test('§5.6 ten made at once leave one', async () => {
    const id = await team(app, acme);
    const made = await Promise.all(Array.from({ length: 10 }, () => create(id)));
    expect(made.map(({ status }) => status)).toEqual(Array(10).fill(201));
    const answers = await Promise.all(made.map(({ data }) => app.get(`teams/${id}`, data.attributes.token)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(9);
  });

  test('§2.1 the first token makes the account of the team, which later ones share and no document shows', async () => {
    const id = await team(app, acme);
    await create(id);
    await describeOne(id, 'another');
    const accounts = await app.store.read`
      select users.username, users.is_service_account, count(tokens.id) as tokens
      from users join tokens on tokens.user_id = users.id
      where users.service_of_id = ${id} group by users.id`;
    expect(accounts).toHaveLength(1);
    expect(accounts[0]).toMatchObject({ is_service_account: true, tokens: 2 });
    expect(accounts[0]!['username']).toMatch(/^api-team_\d+$/);
    expect((await app.get(`teams/${id}`, acme.owner.token)).data.attributes['users-count']).toBe(0);
  });
});

describe('tokens with a description', () => {
  test('§5.6 stand beside each other; the same description again → 422 with the known text', async () => {
    const [id, other] = [await team(app, acme), await team(app, acme)];
    for (const description of ['one', 'two', '']) {
      const made = await describeOne(id, description);
      expect(made.status).toBe(201);
      expect(made.data.attributes.description).toBe(description);
    }
    const again = await describeOne(id, 'one');
    expect(again.status).toBe(422);
    expect(again.document.errors[0]).toMatchObject({
      title: 'invalid attributes',
      detail: 'Validation failed: Description has already been taken',
    });
    expect((await describeOne(other, 'one')).status).toBe(201);
  });

  test('§5.6 need a description, and a date to come → 422 for both at once', async () => {
    const id = await team(app, acme);
    const answer = await describeOne(id, undefined, { 'expired-at': '2020-01-01T00:00:00Z' });
    expect(answer.status).toBe(422);
    expect(answer.pointers).toEqual(['/data/attributes/description', '/data/attributes/expired-at']);
    expect((await describeOne(id, null)).pointers).toEqual(['/data/attributes/description']);
  });

  test('§5.6 are revoked by their id', async () => {
    const id = await team(app, acme);
    const made = await describeOne(id, 'short');
    expect((await app.delete(`authentication-tokens/${made.data.id}`, acme.owner.token)).status).toBe(204);
    expect((await app.get(`teams/${id}`, made.data.attributes.token)).status).toBe(401);
    expect((await app.delete(`authentication-tokens/${made.data.id}`, acme.owner.token)).status).toBe(404);
  });

  test("§5.6 are listed with the team's other token, at the address that the team's document names", async () => {
    const id = await team(app, acme);
    const made = [await create(id), await describeOne(id, 'one'), await describeOne(id, 'two')];
    await describeOne(await team(app, acme), 'elsewhere');
    const { data: document } = await app.get(`teams/${id}`, acme.owner.token);
    const { related } = document.relationships['authentication-tokens'].links;
    const listed = await app.get(related, acme.owner.token);
    expect(listed.status).toBe(200);
    expect(listed.data.map((one: Document) => one.id)).toEqual(made.map(({ data }) => data.id));
    expect(listed.data.every((one: Document) => one.attributes.token === null)).toBe(true);
    const page = await app.get(`${related}?page[size]=1&page[number]=3`, acme.owner.token);
    expect(page.data).toEqual([listed.data[2]]);
  });

  test('§5.6 made by a token of the owners team or of the organization say so', async () => {
    const id = await team(app, acme);
    const byTeam = await describeOne(id, 'a', {}, await serviceTokenOf(app, acme, acme.ownersTeamId));
    expect(byTeam.data.relationships['created-by'].data).toEqual({ type: 'teams', id: acme.ownersTeamId });
    const byOrganization = await describeOne(id, 'b', {}, await serviceTokenOf(app, acme));
    expect(byOrganization.data.relationships['created-by'].data).toEqual({ type: 'organizations', id: acme.name });
  });
});

describe('who may', () => {
  const attempts = (id: string, token: string): Promise<Answer[]> =>
    Promise.all([
      create(id, token),
      describeOne(id, `by ${token}`, {}, token),
      app.get(single(id), token),
      app.get(`teams/${id}/authentication-tokens`, token),
      app.delete(single(id), token),
    ]);

  test('§2.1 members of the team may while allow-member-token-management says so', async () => {
    const open = await team(app, acme);
    const someone = await member(app, acme, open);
    const made = await describeOne(open, 'by a member', {}, someone.token);
    expect(made.status).toBe(201);
    expect((await create(open, someone.token)).status).toBe(201);
    expect((await app.get(single(open), someone.token)).status).toBe(200);
    await app.patch(`teams/${open}`, acme.owner.token, bodyOf('teams', { 'allow-team-token-management': false }));
    for (const answer of await attempts(open, someone.token)) expect(answer.status).toBe(404);
    expect((await app.get(`authentication-tokens/${made.data.id}`, someone.token)).status).toBe(404);
    expect((await app.delete(`authentication-tokens/${made.data.id}`, someone.token)).status).toBe(404);
    expect((await app.get(single(open), acme.owner.token)).status).toBe(200);
  });

  test("§5.5 members of other teams, the team's own token and strangers may not: 404", async () => {
    const id = await team(app, acme, { visibility: 'organization' });
    const managers = await team(app, acme, { access: { 'manage-membership': true, 'manage-teams': true } });
    const { data } = await describeOne(id, 'target');
    const callers = [
      (await member(app, acme)).token,
      (await member(app, acme, managers)).token,
      await serviceTokenOf(app, acme, id, { description: 'own' }),
      (await organization(app)).owner.token,
    ];
    for (const token of callers) {
      for (const answer of await attempts(id, token)) expect(answer.status).toBe(404);
      expect((await app.get(`authentication-tokens/${data.id}`, token)).status).toBe(404);
      expect((await app.delete(`authentication-tokens/${data.id}`, token)).status).toBe(404);
    }
  });

  test('§5.2 tokens of the owners team are for owners alone', async () => {
    const managers = await team(app, acme, { access: { 'manage-membership': true, 'manage-teams': true } });
    const someone = await member(app, acme, managers);
    for (const answer of await attempts(acme.ownersTeamId, someone.token)) expect(answer.status).toBe(404);
    const made = await create(acme.ownersTeamId);
    expect(made.status).toBe(201);
    expect((await app.get(`organizations/${acme.name}/teams`, made.data.attributes.token)).status).toBe(200);
  });

  test('§9.2 releases before 202408-1 leave the tokens of teams to owners', async () => {
    const old = await openApp({ TERRANE_RELEASE: '202407-1' });
    try {
      const of = await organization(old);
      const id = await team(old, of);
      const someone = await member(old, of, id);
      const body = bodyOf('authentication-tokens', {});
      expect((await old.post(single(id), someone.token, body)).status).toBe(404);
      const made = await old.post(single(id), of.owner.token, body);
      expect(made.status).toBe(201);
      for (const path of [single(id), `authentication-tokens/${made.data.id}`]) {
        expect((await old.get(path, someone.token)).status).toBe(404);
        expect((await old.delete(path, someone.token)).status).toBe(404);
      }
      const list = `organizations/${of.name}/team-tokens`;
      expect((await old.get(list, someone.token)).data).toEqual([]);
      expect((await old.get(list, of.owner.token)).data).toHaveLength(1);
    } finally {
      await old.close();
    }
  });
});

describe('the list of an organization', () => {
  let of: TestOrganization;
  let alpha: string;
  const list = (query = '', token = of.owner.token) => app.get(`organizations/${of.name}/team-tokens${query}`, token);
  const descriptions = (answer: Answer) => answer.data.map((one: Document) => one.attributes.description);

  beforeAll(async () => {
    of = await organization(app);
    alpha = await team(app, of, { name: 'alpha' });
    const beta = await team(app, of, { name: 'beta_%' });
    const { token } = of.owner;
    await describeOne(alpha, 'soon', { 'expired-at': '2100-01-01T00:00:00Z' }, token);
    await describeOne(beta, 'never', { 'expired-at': null }, token);
    await describeOne(alpha, 'late', { 'expired-at': '2110-01-01T00:00:00Z' }, await serviceTokenOf(app, of));
    await app.store.read`update tokens set last_used_at = '2026-01-01T00:00:00Z' where tokens.description = 'late'`;
    await app.store.read`update tokens set last_used_at = '2026-02-01T00:00:00Z' where tokens.description = 'never'`;
  });

  test.each([
    ['', ['soon', 'late', 'never']],
    ['?sort=expired-at', ['soon', 'late', 'never']],
    ['?sort=-expired-at', ['never', 'late', 'soon']],
    ['?sort=last-used-at', ['late', 'never', 'soon']],
    ['?sort=-last-used-at', ['soon', 'never', 'late']],
  ])('§5.6 %s → %j', async (query, expected) => {
    const answer = await list(query);
    expect(answer.status).toBe(200);
    expect(descriptions(answer)).toEqual(expected);
    expect(answer.document.meta.pagination['total-count']).toBe(3);
  });

  test('§5.6 is sorted by team and by creator, both ways', async () => {
    const teamsOf = (answer: Answer) => answer.data.map((one: Document) => one.relationships.team.data.id === alpha);
    expect(teamsOf(await list('?sort=team-name'))).toEqual([true, true, false]);
    expect(teamsOf(await list('?sort=-team-name'))).toEqual([false, true, true]);
    const creators = (answer: Answer) =>
      answer.data.map((one: Document) => one.relationships['created-by'].data.type === 'organizations');
    const ascending = creators(await list('?sort=created-by'));
    expect(creators(await list('?sort=-created-by'))).toEqual([...ascending].reverse());
  });

  test('§5.6 q finds by the name of the team, with wildcards as they are', async () => {
    expect(descriptions(await list('?q=ALPH')).sort()).toEqual(['late', 'soon']);
    expect(descriptions(await list('?q=%25'))).toEqual(['never']);
    expect(descriptions(await list('?q=_'))).toEqual(['never']);
  });

  test('§1 an unknown sort → 400 at the parameter', async () => {
    const answer = await list('?sort=name');
    expect(answer.status).toBe(400);
    expect(answer.pointers).toEqual(['sort']);
  });

  test('§1 pages hold every token once', async () => {
    const pages = await Promise.all([1, 2, 3].map(number => list(`?page[size]=1&page[number]=${number}`)));
    expect(pages.flatMap(descriptions)).toEqual(['soon', 'late', 'never']);
  });

  test('§5.5 holds only tokens of teams whose tokens the caller manages, and never their text', async () => {
    const someone = await member(app, of, alpha);
    const answer = await list('', someone.token);
    expect(descriptions(answer)).toEqual(['soon', 'late']);
    expect(answer.document.meta.pagination['total-count']).toBe(2);
    expect(answer.data.every((one: Document) => one.attributes.token === null)).toBe(true);
    expect((await list('', (await member(app, of)).token)).data).toEqual([]);
    expect((await list('', acme.owner.token)).status).toBe(404);
  });
});
