import { beforeAll, describe, expect, test } from 'vitest';
import { useApp } from '../../../test/app.ts';
import {
  bodyOf,
  invite,
  member,
  organization,
  type Person,
  person,
  randomName,
  serviceTokenOf,
  type TestOrganization,
  team,
} from '../../../test/builders/records.ts';
import { limits } from '../../core/limits.ts';
import { avatarUrl } from './avatar.ts';

const app = useApp();
let acme: TestOrganization;
let other: TestOrganization;
let administrator: Person;
let acmeToken: string;
let otherToken: string;
let ownersToken: string;
beforeAll(async () => {
  acme = await organization(app);
  other = await organization(app);
  administrator = await person(app, { isAdmin: true });
  acmeToken = await serviceTokenOf(app, acme);
  otherToken = await serviceTokenOf(app, other);
  ownersToken = await serviceTokenOf(app, acme, acme.ownersTeamId);
});

const account = (attributes: object) => bodyOf('users', attributes);
const newAccount = (given: object = {}) => {
  const username = randomName('someone');
  return account({ username, email: `${username}@example.com`, ...given });
};
const missing = async () => (await app.get('users/user-0', acme.owner.token)).text;

describe('account/details', () => {
  test('§1 a person sees the own account, with its e-mail address', async () => {
    const { status, data } = await app.get('account/details', acme.owner.token);
    expect(status).toBe(200);
    expect(data).toMatchObject({
      id: acme.owner.id,
      type: 'users',
      attributes: {
        username: acme.owner.username,
        email: acme.owner.email,
        'is-service-account': false,
        'is-admin': false,
        'two-factor': { enabled: false, verified: false },
        permissions: { 'can-create-organizations': false, 'can-manage-user-tokens': true },
      },
      relationships: {
        'authentication-tokens': { links: { related: `/api/v2/users/${acme.owner.id}/authentication-tokens` } },
        'authenticated-resource': { data: null },
      },
    });
    expect(data.attributes['avatar-url']).toMatch(/^data:image\/svg\+xml;base64,[A-Za-z0-9+/=]+$/);
    const admin = await app.get('account/details', administrator.token);
    expect(admin.data.attributes).toMatchObject({
      'is-admin': true,
      permissions: { 'can-create-organizations': true },
    });
  });

  test('§2.1 the token of a team is a service account of that team, without an e-mail address', async () => {
    const teamId = await team(app, acme);
    const { data } = await app.get('account/details', await serviceTokenOf(app, acme, teamId));
    expect(data.attributes).toMatchObject({
      username: expect.stringMatching(/^api-team/),
      email: null,
      'is-service-account': true,
      permissions: { 'can-create-organizations': false, 'can-manage-user-tokens': false },
    });
    expect(data.relationships['authenticated-resource'].data).toEqual({ type: 'teams', id: teamId });
  });

  test('§2.1 the token of an organization is a service account of that organization', async () => {
    const { data } = await app.get('account/details', acmeToken);
    expect(data.attributes['is-service-account']).toBe(true);
    expect(data.relationships['authenticated-resource']).toEqual({
      data: { type: 'organizations', id: acme.name },
      links: { related: `/api/v2/organizations/${acme.name}` },
    });
  });

  test('§1 it is one statement, authentication included', async () => {
    expect(await app.statementsOf(() => app.get('account/details', acmeToken))).toHaveLength(1);
    expect(await app.statementsOf(() => app.get(`organizations/${acme.name}`, acmeToken))).toHaveLength(1);
  });

  test('§5 no token, no account: 401', async () => {
    expect((await app.get('account/details', null)).status).toBe(401);
  });
});

describe('show', () => {
  test('§5 oneself, members of the same organization and its service accounts; their e-mail addresses never', async () => {
    const someone = await member(app, acme);
    const own = await app.get(`users/${someone.id}`, someone.token);
    expect(own.data.attributes.email).toBe(someone.email);
    expect((await app.get('account/details', someone.token)).data).toEqual(own.data);
    const colleague = await app.get(`users/${acme.owner.id}`, someone.token);
    expect(colleague.status).toBe(200);
    expect(colleague.data.attributes).toMatchObject({ username: acme.owner.username, email: null });
    expect(colleague.text).not.toContain(acme.owner.email);
    const secret = await team(app, acme, { visibility: 'secret' });
    const service = await app.get('account/details', await serviceTokenOf(app, acme, secret));
    const shown = await app.get(`users/${service.data.id}`, someone.token);
    expect(shown.status).toBe(200);
    expect(shown.data.relationships['authenticated-resource'].data).toBeNull();
    expect(shown.text).not.toContain(secret);
  });

  test('§5 everybody else, and the accounts of other organizations, are missing', async () => {
    const text = await missing();
    const service = await app.get('account/details', otherToken);
    for (const id of [other.owner.id, service.data.id, administrator.id]) {
      expect((await app.get(`users/${id}`, acme.owner.token)).text).toBe(text);
    }
    expect((await app.get(`users/${acme.owner.id}`, otherToken)).text).toBe(text);
  });

  test('§5 a site administrator sees every account, but nobody who is only invited somewhere', async () => {
    const shown = await app.get(`users/${acme.owner.id}`, administrator.token);
    expect(shown.data.attributes.email).toBeNull();
    const invited = await app.post(
      `organizations/${acme.name}/organization-memberships`,
      acme.owner.token,
      bodyOf('organization-memberships', { email: `${randomName('guest')}@example.com` }),
    );
    const id = invited.data.relationships.user.data.id;
    for (const path of [`users/${id}`, `admin/users/${id}`]) {
      expect((await app.get(path, administrator.token)).text).toBe(await missing());
    }
    const listed = await app.get(`admin/users?q=${invited.data.attributes.email}`, administrator.token);
    expect(listed.data).toEqual([]);
  });
});

describe('administration', () => {
  test('§1 an account is created with 201, and shown and listed to administrators with its address', async () => {
    const created = await app.post('admin/users', administrator.token, newAccount({ 'is-admin': true, nonsense: 1 }));
    expect(created.problems).toEqual([]);
    expect(created.status).toBe(201);
    const { id, attributes } = created.data;
    expect(id).toMatch(/^user-[A-Za-z0-9]{16}$/);
    expect(attributes).toMatchObject({ email: `${attributes.username}@example.com`, 'is-admin': true });
    expect((await app.get(`admin/users/${id}`, administrator.token)).data).toEqual(created.data);
    const listed = await app.get(`admin/users?q=${attributes.username.toUpperCase()}`, administrator.token);
    expect(listed.data).toEqual([created.data]);
    const page = await app.get('admin/users?page[size]=1', administrator.token);
    expect(page.data).toHaveLength(1);
    expect(page.document.meta.pagination['total-pages']).toBeGreaterThan(2);
    expect((await app.get('admin/users?q=%25', administrator.token)).data).toEqual([]);
  });

  test('§7 a malformed body → 422 with every fault', async () => {
    const post = (attributes: object) => app.post('admin/users', administrator.token, account(attributes));
    const empty = await post({});
    expect(empty.problems).toEqual(["Username can't be blank", "Email can't be blank"]);
    const wrong = await post({ username: 'a b', email: 'nobody', 'is-admin': 'yes' });
    expect(wrong.pointers.toSorted()).toEqual([
      '/data/attributes/email',
      '/data/attributes/is-admin',
      '/data/attributes/username',
    ]);
    for (const username of ['api-team_x', 'user-0123456789abcdef', 'a'.repeat(65), 'ä', '']) {
      expect((await post({ username, email: 'fine@example.com' })).pointers).toEqual(['/data/attributes/username']);
    }
  });

  test('§7 a username and an address that are taken → 422, both at once, whatever the capitals of the address', async () => {
    const { username, email } = acme.owner;
    const answer = await app.post(
      'admin/users',
      administrator.token,
      account({ username, email: email.toUpperCase() }),
    );
    expect(answer.status).toBe(422);
    expect(answer.problems).toEqual(['Username has already been taken', 'Email has already been taken']);
    expect(answer.pointers).toEqual(['/data/attributes/username', '/data/attributes/email']);
  });

  test('§7 many creations of one account at once: one 201, the others 422', async () => {
    const body = newAccount();
    const create = () => app.post('admin/users', administrator.token, body);
    const answers = await Promise.all([create(), create(), create(), create()]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 422, 422, 422]);
  });

  test('§1 a deleted account is gone, with its tokens and memberships', async () => {
    const someone = await member(app, acme);
    expect((await app.delete(`admin/users/${someone.id}`, administrator.token)).status).toBe(204);
    expect((await app.get('account/details', someone.token)).status).toBe(401);
    expect((await app.get(`admin/users/${someone.id}`, administrator.token)).text).toBe(await missing());
    const left = await app.get(
      `organizations/${acme.name}/organization-memberships?q=${someone.username}`,
      acme.owner.token,
    );
    expect(left.data).toEqual([]);
  });

  test('§5 nobody deletes the own account, and no organization loses its last owner: 403', async () => {
    const own = await app.delete(`admin/users/${administrator.id}`, administrator.token);
    expect([own.status, own.problems]).toEqual([403, ['Site administrators cannot remove their own account.']]);
    const last = await app.delete(`admin/users/${acme.owner.id}`, administrator.token);
    expect([last.status, last.problems]).toEqual([403, ['The owners team must keep at least one member.']]);
    expect((await app.get('account/details', acme.owner.token)).status).toBe(200);
  });

  test('§5 administrators who delete each other at once: one stays', async () => {
    const pair = [await person(app, { isAdmin: true }), await person(app, { isAdmin: true })] as const;
    await app.store.read`update users set is_admin = false where users.id = ${administrator.id}`;
    await app.store.read`
      update users set is_admin = false where users.is_admin and users.id <> all(${pair.map(({ id }) => id)})`;
    try {
      const answers = await Promise.all([
        app.delete(`admin/users/${pair[0].id}`, pair[1].token),
        app.delete(`admin/users/${pair[1].id}`, pair[0].token),
      ]);
      expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
      const left = await app.store.read`select users.id from users where users.is_admin`;
      expect(left).toHaveLength(1);
    } finally {
      await app.store.read`update users set is_admin = true where users.id = ${administrator.id}`;
    }
  });

  test('§5 service accounts are not administered', async () => {
    const service = await app.get('account/details', acmeToken);
    const path = `admin/users/${service.data.id}`;
    expect((await app.get(path, administrator.token)).text).toBe(await missing());
    expect((await app.delete(path, administrator.token)).text).toBe(await missing());
    expect((await app.get('admin/users?q=api-org', administrator.token)).data).toEqual([]);
  });

  test('§5 nor are service accounts and placeholders of the own organization, which one sees', async () => {
    const own = await organization(app, { owner: administrator });
    const service = await app.get('account/details', await serviceTokenOf(app, own));
    const { userId } = await invite(app, own);
    for (const id of [service.data.id, userId]) {
      expect((await app.get(`users/${id}`, administrator.token)).status).toBe(200);
      expect((await app.get(`admin/users/${id}`, administrator.token)).status).toBe(404);
      expect((await app.delete(`admin/users/${id}`, administrator.token)).status).toBe(404);
    }
  });

  test('§5 it is 404 for everybody else, also for oneself', async () => {
    const text = await missing();
    for (const token of [acme.owner.token, ownersToken]) {
      expect((await app.get('admin/users', token)).text).toBe(text);
      expect((await app.post('admin/users', token, newAccount())).text).toBe(text);
      expect((await app.get(`admin/users/${acme.owner.id}`, token)).text).toBe(text);
      expect((await app.delete(`admin/users/${acme.owner.id}`, token)).text).toBe(text);
    }
  });
});

test('§1 every account has a picture of its own, the same every time', () => {
  expect(avatarUrl('user-a')).toBe(avatarUrl('user-a'));
  expect(avatarUrl('user-a')).not.toBe(avatarUrl('user-b'));
  const picture = Buffer.from(avatarUrl('user-a').split(',')[1]!, 'base64').toString();
  expect(picture).toMatch(
    /^<svg xmlns="[^"]+" viewBox="0 0 5 5"><path stroke="hsl\(\d+,55%,45%\)" d="[^"]+"\/><\/svg>$/,
  );
});

describe('names that accounts had', () => {
  const rename = (someone: Person, username: string) =>
    app.patch('account/update', someone.token, account({ username }));

  test('§1 stay with the account for a while: nobody else gets one, and who had it may take it back', async () => {
    const [ada, eve] = [await person(app), await person(app)];
    const renamed = randomName('renamed');
    expect((await rename(ada, renamed)).status).toBe(200);
    const refused = await rename(eve, ada.username);
    expect([refused.status, refused.pointers]).toEqual([422, ['/data/attributes/username']]);
    expect((await app.get('account/details', eve.token)).data.attributes.username).toBe(eve.username);
    const made = await app.post('admin/users', administrator.token, newAccount({ username: ada.username }));
    expect([made.status, made.pointers]).toEqual([422, ['/data/attributes/username']]);
    expect((await rename(ada, ada.username)).status).toBe(200);
    expect((await rename(eve, renamed)).status).toBe(422);
  });

  test('§1 outlive the account, and are free again in time', async () => {
    const [gone, eve] = [await person(app), await person(app)];
    expect((await app.delete(`admin/users/${gone.id}`, administrator.token)).status).toBe(204);
    expect((await rename(eve, gone.username)).status).toBe(422);
    const [kept] = await app.store.read`
      select kept_usernames.kept_until between now() + ${limits.keptUsername_days.value - 1} * interval '1 day'
        and now() + ${limits.keptUsername_days.value} * interval '1 day' as is_long from kept_usernames
      where kept_usernames.username = ${gone.username}`;
    expect(kept!['is_long']).toBe(true);
    await app.store.read`
      update kept_usernames set kept_until = now() - interval '1 second'
      where kept_usernames.username = ${gone.username}`;
    expect((await rename(eve, gone.username)).data.attributes.username).toBe(gone.username);
  });

  test('§1 taken while their account lets go of them are refused', async () => {
    for (let round = 0; round < 5; round += 1) {
      const [ada, eve] = [await person(app), await person(app)];
      await Promise.all([rename(ada, randomName('renamed')), rename(eve, ada.username)]);
      expect((await app.get('account/details', eve.token)).data.attributes.username).toBe(eve.username);
    }
  });
});
