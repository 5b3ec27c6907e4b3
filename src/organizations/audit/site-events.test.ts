/** §6: what happened outside of every organization, for site administrators. */
import { beforeAll, describe, expect, test } from 'vitest';
import { type Document, useApp } from '../../../test/app.ts';
import { bodyOf, organization, type Person, person, serviceTokenOf, team } from '../../../test/builders/records.ts';

const app = useApp({ TERRANE_PUBLIC_URL: 'https://terrane.example' });
let administrator: Person;
beforeAll(async () => {
  administrator = await person(app, { isAdmin: true });
});

const path = 'admin/audit-events';
const list = (query: Record<string, string> = {}, token = administrator.token) =>
  app.get(`${path}?${new URLSearchParams(query)}`, token);
const actionsIn = ({ data }: Document): string[] => data.map((one: Document) => one.attributes.action);

describe('the list', () => {
  test('§6 has accounts, their tokens and the settings, each naming who, what and what changed', async () => {
    const someone = await person(app);
    const settings = bodyOf('general-settings', { 'limit-user-organization-creation': false });
    const answer = await app.patch('admin/general-settings', administrator.token, settings);
    await app.patch('account/update', someone.token, bodyOf('users', { username: `${someone.username}-2` }));
    const made = await app.post(
      `users/${someone.id}/authentication-tokens`,
      someone.token,
      bodyOf('authentication-tokens', { description: 'mine' }),
    );
    const found = await list();
    expect(actionsIn(found)).toEqual([
      'authentication-tokens.create-for-user',
      'users.update-own',
      'general-settings.update',
    ]);
    expect(found.text).not.toContain(made.data.attributes.token);
    expect(found.data[2]).toEqual({
      id: expect.stringMatching(/^ae-/),
      type: 'audit-events',
      attributes: {
        'occurred-at': expect.stringMatching(/Z$/),
        action: 'general-settings.update',
        'actor-type': 'user',
        'actor-id': administrator.id,
        'actor-name': administrator.username,
        'token-id': expect.stringMatching(/^at-/),
        'resource-type': 'general-settings',
        'resource-id': 'general-settings',
        'resource-name': null,
        changes: { limit_user_organization_creation: [true, false] },
        'request-id': answer.headers['x-request-id'],
        'remote-address': '127.0.0.1',
      },
      relationships: { organization: { data: null } },
    });
  });

  test('§6 has the end of an organization, and nothing else of one', async () => {
    const acme = await organization(app);
    const id = await team(app, acme);
    await app.patch(`teams/${id}`, acme.owner.token, bodyOf('teams', { name: 'renamed' }));
    const before = await list();
    expect(before.text).not.toContain(acme.name);
    expect((await app.delete(`organizations/${acme.name}`, acme.owner.token)).status).toBe(204);
    const after = await list();
    expect(after.data.slice(1)).toEqual(before.data);
    expect(after.data[0].attributes).toMatchObject({
      action: 'organizations.delete',
      'actor-id': acme.owner.id,
      'resource-type': 'organizations',
      'resource-name': acme.name,
    });
    // Who founds one of the same name reads nothing of the former.
    const next = await organization(app, { name: acme.name });
    const own = await app.get(`organizations/${next.name}/audit-events`, next.owner.token);
    expect(actionsIn(own)).not.toContain('organizations.delete');
  });

  test('§6 is filtered and turned over as the list of an organization is', async () => {
    const { id, token } = await person(app);
    const rename = (name: string) => app.patch('account/update', token, bodyOf('users', { username: name }));
    for (let number = 0; number < 5; number += 1) await rename(`${id}-${number}`.slice(5));
    const whole = await list({ 'filter[resource][id]': id });
    expect(actionsIn(whole)).toEqual(Array(5).fill('users.update-own'));
    const first = await list({ 'filter[actor]': id, 'filter[action]': 'users.update-own', 'page[size]': '2' });
    await rename(`${id}-meanwhile`.slice(5));
    const { self, next } = first.document.links;
    for (const link of [self, next]) expect(link.split('?')[0]).toBe(`https://terrane.example/api/v2/${path}`);
    const second = await app.get(next.replace('https://terrane.example', ''), administrator.token);
    expect([...first.data, ...second.data]).toEqual(whole.data.slice(0, 4));
    expect((await list({ 'filter[resource][id]': id, 'filter[until]': '2020-01-01' })).data).toEqual([]);
  });

  test('§6 a cursor that is an event of an organization → 400', async () => {
    const acme = await organization(app);
    const id = await team(app, acme);
    await app.patch(`teams/${id}`, acme.owner.token, bodyOf('teams', { name: 'renamed' }));
    const own = await app.get(`organizations/${acme.name}/audit-events`, acme.owner.token);
    const refused = await list({ 'page[after]': own.data[0].id });
    expect([refused.status, refused.pointers]).toEqual([400, ['page[after]']]);
  });
});

test('§5 for site administrators alone, and the address looks missing to everybody else', async () => {
  const acme = await organization(app);
  const missing = await app.get('admin/nothing', acme.owner.token);
  for (const token of [acme.owner.token, await serviceTokenOf(app, acme), (await person(app)).token]) {
    const { status, text } = await list({}, token);
    expect([status, text]).toEqual([404, missing.text]);
  }
});
