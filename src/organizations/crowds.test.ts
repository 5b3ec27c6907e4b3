/** How many teams and members an organization may have, and on how many teams one member may be. */
import { beforeEach, describe, expect, test } from 'vitest';
import { useApp } from '../../test/app.ts';
import {
  bodyOf,
  join,
  member,
  organization,
  person,
  randomName,
  type TestOrganization,
  team,
} from '../../test/builders/records.ts';
import { limits } from '../core/limits.ts';

const app = useApp();
let acme: TestOrganization;
beforeEach(async () => {
  acme = await organization(app);
});

const fillTeams = (count: number) => app.store.read`
  insert into teams (id, organization_id, name)
  select 'team-' || ${acme.key} || numbers.number, ${acme.key}, 'filled-' || numbers.number
  from generate_series(1, ${count}::integer) as numbers (number)`;
const countOf = async (what: 'teams' | 'organization_memberships') => {
  const [counted] = await app.store.read`
    select count(*) as total from ${app.store.read(what)} as records where records.organization_id = ${acme.key}`;
  return Number(counted!['total']);
};

describe('teams', () => {
  const create = () =>
    app.post(`organizations/${acme.name}/teams`, acme.owner.token, bodyOf('teams', { name: randomName('team') }));

  test('§8 of ten that are made at once, only those are made that the organization has room for', async () => {
    // Its owners team counts, too.
    await fillTeams(limits.organizationTeams_items.value - 4);
    const answers = await Promise.all(Array.from({ length: 10 }, create));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, ...Array(7).fill(422)]);
    expect(answers.find(({ status }) => status === 422)!.problems[0]).toContain('at most 5000 teams');
    expect(await countOf('teams')).toBe(limits.organizationTeams_items.value);
  });
});

describe('members', () => {
  const invite = (teams: string[] = []) =>
    app.post(
      `organizations/${acme.name}/organization-memberships`,
      acme.owner.token,
      bodyOf(
        'organization-memberships',
        { email: `${randomName('guest')}@example.com`.toLowerCase() },
        { teams: { data: teams.map(id => ({ type: 'teams', id })) } },
      ),
    );

  test('§8 an organization that is full takes no more, and nothing is left of who was invited', async () => {
    await app.store.read`
      with made as (
        insert into users (id, email)
        select 'user-' || ${acme.key} || numbers.number, ${acme.key} || numbers.number || '@example.com'
        from generate_series(2, ${limits.organizationMembers_items.value - 1}::integer) as numbers (number)
        returning users.id, users.email
      )
      insert into organization_memberships (id, organization_id, user_id, status, email)
      select 'ou-' || made.id, ${acme.key}, made.id, 'invited', made.email from made`;
    expect((await invite()).status).toBe(201);
    const refused = await invite();
    expect([refused.status, refused.problems[0]]).toEqual([422, expect.stringContaining('at most 20000 members')]);
    expect(await countOf('organization_memberships')).toBe(limits.organizationMembers_items.value);
  });

  test('§8 nobody is invited to, or put on, more teams than a request can carry; the others stay off too', async () => {
    const most = limits.membershipTeams_items.value;
    await fillTeams(most + 1);
    const ids = Array.from({ length: most + 1 }, (_, position) => `team-${acme.key}${position + 1}`);
    const refused = await invite(ids);
    expect([refused.status, refused.pointers]).toEqual([422, ['/data/relationships/teams']]);
    const [crowded, other] = [await person(app), await member(app, acme)];
    await join(app, acme, crowded, ...ids.slice(1));
    const last = ids[0]!;
    const added = await app.post(`teams/${last}/relationships/users`, acme.owner.token, {
      data: [crowded, other].map(({ username }) => ({ type: 'users', id: username })),
    });
    expect([added.status, added.problems[0]]).toEqual([
      400,
      `${crowded.username}: Nobody may be on more than ${most} teams of an organization`,
    ]);
    expect((await app.get(`teams/${last}`, acme.owner.token)).data.attributes['users-count']).toBe(0);
  });

  test('§8 of two teams that take the same member at once, one finds it full', async () => {
    const most = limits.membershipTeams_items.value;
    await fillTeams(most - 1);
    const ids = Array.from({ length: most - 1 }, (_, position) => `team-${acme.key}${position + 1}`);
    const busy = await person(app);
    await join(app, acme, busy, ...ids);
    const rivals = [await team(app, acme), await team(app, acme), await team(app, acme)];
    const answers = await Promise.all(
      rivals.map(id =>
        app.post(`teams/${id}/relationships/users`, acme.owner.token, { data: [{ type: 'users', id: busy.id }] }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 400, 400]);
  });
});
