/** §5.6: how long the tokens that reach an organization may live, when they are made and whenever they are used. */
import { beforeEach, describe, expect, test } from 'vitest';
import { type Document, useApp } from '../../../test/app.ts';
import {
  bodyOf,
  member,
  organization,
  person,
  randomName,
  serviceTokenOf,
  type TestOrganization,
  team,
} from '../../../test/builders/records.ts';

const app = useApp();
let acme: TestOrganization;
beforeEach(async () => {
  acme = await organization(app);
});

const hour_ms = 3_600_000;
const usual_ms = 63_113_904_000;
const path = () => `organizations/${acme.name}/token-ttl-policies`;
const lives = ({ data }: { data: Document }) =>
  Object.fromEntries(data.map(({ attributes }: Document) => [attributes['token-type'], attributes['max-ttl-ms']]));
const policies = (...given: [string, unknown][]) =>
  bodyOf('organization-token-ttl-policies', {
    'token-ttl-policies': given.map(([type, life]) => ({ 'token-type': type, 'max-ttl-ms': life })),
  });
const set = (...given: [string, unknown][]) => app.patch(path(), acme.owner.token, policies(...given));
const enable = (isEnabled = true) =>
  app.patch(`organizations/${acme.name}`, acme.owner.token, bodyOf('organizations', { 'max-ttl-enabled': isEnabled }));
/** As if the tokens of a kind had been made that many hours ago. */
const age = (kind: string, hours: number) => app.store.read`
  update tokens set created_at = now() - ${hours} * interval '1 hour'
  where tokens.kind = ${kind} and (tokens.organization_id = ${acme.key} or exists (
    select from teams where teams.id = tokens.team_id and teams.organization_id = ${acme.key}
  ))`;

describe('the policies', () => {
  test('§5.6 are four, two years each until they are set; an update leaves the others as they are', async () => {
    const before = await app.get(path(), acme.owner.token);
    expect(lives(before)).toEqual({ organization: usual_ms, team: usual_ms, user: usual_ms, audit_trails: usual_ms });
    const changed = await set(['team', hour_ms], ['user', 2 * hour_ms]);
    expect([changed.status, changed.problems]).toEqual([200, []]);
    const expected = { organization: usual_ms, team: hour_ms, user: 2 * hour_ms, audit_trails: usual_ms };
    expect(lives(changed)).toEqual(expected);
    const after = await app.get(path(), acme.owner.token);
    expect(after.data).toEqual(changed.data);
    expect(after.data.map(({ id }: Document) => id)).toEqual(before.data.map(({ id }: Document) => id));
    expect(after.document.meta.pagination['total-count']).toBe(4);
  });

  test.each([
    ['an unknown kind', [['agent', hour_ms]], '/data/attributes/token-ttl-policies/0/token-type'],
    ['no life', [['team', 0]], '/data/attributes/token-ttl-policies/0/max-ttl-ms'],
    ['a text', [['team', '1h']], '/data/attributes/token-ttl-policies/0/max-ttl-ms'],
    ['more than a hundred years', [['team', 1e15]], '/data/attributes/token-ttl-policies/0/max-ttl-ms'],
    ['nothing', [], '/data/attributes/token-ttl-policies'],
    [
      'a kind twice',
      [
        ['team', hour_ms],
        ['team', 2 * hour_ms],
      ],
      '/data/attributes/token-ttl-policies/1/token-type',
    ],
  ] as [string, [string, unknown][], string][])(
    '§7 %s → 422 at its place, and nothing changes',
    async (_name, given, at) => {
      const answer = await set(...given);
      expect([answer.status, answer.pointers]).toEqual([422, [at]]);
      expect(new Set(Object.values(lives(await app.get(path(), acme.owner.token))))).toEqual(new Set([usual_ms]));
    },
  );

  test('§5.5 members and strangers may neither read nor set them: 404', async () => {
    for (const { token } of [await member(app, acme), await person(app)]) {
      expect((await app.get(path(), token)).status).toBe(404);
      expect((await app.patch(path(), token, policies(['team', hour_ms]))).status).toBe(404);
    }
  });
});

describe('making a token', () => {
  const create = (address: string, attributes: object = {}) =>
    app.post(address, acme.owner.token, bodyOf('authentication-tokens', attributes));

  test('§5.6 while the organization asks for it, a date past the longest life is 422, and none means the longest', async () => {
    await set(['team', hour_ms], ['organization', hour_ms], ['audit_trails', hour_ms]);
    const teamId = await team(app, acme);
    const addresses = [
      `organizations/${acme.name}/authentication-token`,
      `organizations/${acme.name}/authentication-token?token=audit-trails`,
      `teams/${teamId}/authentication-token`,
      `teams/${teamId}/authentication-tokens`,
    ];
    const later = new Date(Date.now() + 2 * hour_ms).toISOString();
    for (const address of addresses) {
      expect((await create(address, { description: randomName('t'), 'expired-at': later })).status).toBe(201);
    }
    expect((await enable()).data.attributes['max-ttl-enabled']).toBe(true);
    for (const address of addresses) {
      for (const expiry of [later, null]) {
        const refused = await create(address, { description: randomName('t'), 'expired-at': expiry });
        expect([refused.status, refused.pointers]).toEqual([422, ['/data/attributes/expired-at']]);
      }
      const made = await create(address, { description: randomName('t') });
      const { 'created-at': created, 'expired-at': expired } = made.data.attributes;
      expect(Math.abs(Date.parse(expired) - Date.parse(created) - hour_ms)).toBeLessThan(60_000);
    }
    await enable(false);
    expect((await create(addresses[0]!, { 'expired-at': later })).status).toBe(201);
  });
});

describe('using a token', () => {
  test('§5.6 a token of a team or the organization that is older is 401 everywhere, and lives again when the limit goes', async () => {
    await set(['team', hour_ms], ['organization', hour_ms], ['audit_trails', hour_ms]);
    const teamId = await team(app, acme);
    const kinds: [string, () => Promise<string>, string][] = [
      ['team', () => serviceTokenOf(app, acme, teamId), `teams/${teamId}`],
      ['organization', () => serviceTokenOf(app, acme), `organizations/${acme.name}`],
      [
        'audit-trails',
        () => serviceTokenOf(app, acme, undefined, { kind: 'audit-trails' }),
        'organization/audit-trail',
      ],
    ];
    for (const [kind, make, address] of kinds) {
      const token = await make();
      await age(kind, 2);
      expect((await app.get(address, token)).status).toBe(200);
      await enable();
      expect((await app.get(address, token)).status).toBe(401);
      await age(kind, 0.5);
      expect((await app.get(address, token)).status).toBe(200);
      await enable(false);
    }
  });

  test('§5.6 an older token of a user is 401 in that organization, and good everywhere else', async () => {
    await set(['user', hour_ms]);
    const someone = await member(app, acme);
    const rival = await organization(app, { owner: someone });
    await app.store.read`
      update tokens set created_at = now() - interval '2 hours' where tokens.user_id = ${someone.id}`;
    const address = `organizations/${acme.name}`;
    expect((await app.get(address, someone.token)).status).toBe(200);
    await enable();
    expect((await app.get(address, someone.token)).status).toBe(401);
    expect((await app.get(`organizations/${rival.name}`, someone.token)).status).toBe(200);
    expect((await app.get('account/details', someone.token)).status).toBe(200);
    const listed = await app.get('organizations', someone.token);
    expect(listed.data.map(({ id }: Document) => id)).toEqual([rival.name]);
    const fresh = await app.post(`users/${someone.id}/authentication-tokens`, someone.token, { data: {} });
    expect((await app.get(address, fresh.data.attributes.token)).status).toBe(200);
  });
});
