/** §6: what happened in an organization, for its owners. */
import { beforeAll, describe, expect, test } from 'vitest';
import { type Document, useApp } from '../../../test/app.ts';
import {
  bodyOf,
  member,
  organization,
  person,
  serviceTokenOf,
  type TestOrganization,
  team,
} from '../../../test/builders/records.ts';
import { workspace } from '../../../test/builders/workspace.ts';

const app = useApp({ TERRANE_PUBLIC_URL: 'https://terrane.example' });
let acme: TestOrganization;
let owner: string;
beforeAll(async () => {
  acme = await organization(app);
  owner = acme.owner.token;
});

const path = () => `organizations/${acme.name}/audit-events`;
const list = async (query: Record<string, string>, token = owner) =>
  app.get(`${path()}?${new URLSearchParams(query)}`, token);
const idsOf = (data: Document[]): string[] => data.map(({ id }) => id);
const rename = (id: string, name: string, token = owner) => app.patch(`teams/${id}`, token, bodyOf('teams', { name }));

describe('the list', () => {
  test('§6 says who did what to which record, when, from where and in which request, and what changed', async () => {
    const id = await team(app, acme, { name: 'before' });
    const answer = await rename(id, 'after');
    const { data } = await list({ 'filter[resource][id]': id });
    expect(data).toEqual([
      {
        id: expect.stringMatching(/^ae-/),
        type: 'audit-events',
        attributes: {
          'occurred-at': expect.stringMatching(/Z$/),
          action: 'teams.update',
          'actor-type': 'user',
          'actor-id': acme.owner.id,
          'actor-name': acme.owner.username,
          'token-id': expect.stringMatching(/^at-/),
          'resource-type': 'teams',
          'resource-id': id,
          'resource-name': 'after',
          changes: { name: ['before', 'after'] },
          'request-id': answer.headers['x-request-id'],
          'remote-address': '127.0.0.1',
        },
        relationships: {
          organization: {
            data: { type: 'organizations', id: acme.name },
            links: { related: `/api/v2/organizations/${acme.name}` },
          },
        },
      },
    ]);
  });

  test('§6 newest first, page after page, and what happens meanwhile moves no page', async () => {
    const id = await team(app, acme);
    for (let number = 0; number < 5; number += 1) await rename(id, `name-${number}`);
    const all = idsOf((await list({ 'filter[resource][id]': id })).data);
    expect(all).toHaveLength(5);
    const first = await list({ 'filter[resource][id]': id, 'page[size]': '2' });
    expect(idsOf(first.data)).toEqual(all.slice(0, 2));
    await rename(id, 'meanwhile');
    const { self, next } = first.document.links;
    expect([self, next].map(link => link.split('?')[0])).toEqual([
      `https://terrane.example/api/v2/${path()}`,
      `https://terrane.example/api/v2/${path()}`,
    ]);
    const follow = (link: string) => app.get(link.replace('https://terrane.example', ''), owner);
    const second = await follow(next);
    expect(idsOf(second.data)).toEqual(all.slice(2, 4));
    const third = await follow(second.document.links.next);
    expect([idsOf(third.data), third.document.links.next]).toEqual([all.slice(4), undefined]);
  });

  test('§6 filtered by actor, action, type of record and time', async () => {
    const home = await organization(app);
    const second = await member(app, home, home.ownersTeamId);
    const events = async (query: Record<string, string>) => {
      const found = await app.get(
        `organizations/${home.name}/audit-events?${new URLSearchParams(query)}`,
        home.owner.token,
      );
      return found.data.map((one: Document) => one.attributes.action);
    };
    const id = await team(app, home);
    await rename(id, 'one', home.owner.token);
    const ws = await workspace(app, home);
    await app.post(`workspaces/${ws}/actions/lock`, second.token, {});
    expect(await events({})).toEqual(['workspaces.lock', 'teams.update']);
    expect(await events({ 'filter[actor]': second.id })).toEqual(['workspaces.lock']);
    expect(await events({ 'filter[actor]': home.owner.username })).toEqual(['teams.update']);
    expect(await events({ 'filter[action]': 'teams.update' })).toEqual(['teams.update']);
    expect(await events({ 'filter[resource][type]': 'workspaces' })).toEqual(['workspaces.lock']);
    expect(await events({ 'filter[resource][id]': id })).toEqual(['teams.update']);
    await app.store.read`
      update audit_events set occurred_at = '2020-05-01T00:00:00Z' where audit_events.resource_id = ${id}`;
    expect(await events({ 'filter[since]': '2021-01-01' })).toEqual(['workspaces.lock']);
    expect(await events({ 'filter[until]': '2021-01-01T00:00:00.000Z' })).toEqual(['teams.update']);
    expect(await events({ 'filter[since]': '2020-05-01T00:00:00Z', 'filter[until]': '2020-05-01T00:00:00Z' })).toEqual(
      [],
    );
  });

  test('§6 a cursor that is no event of the organization, and a time that is none → 400', async () => {
    const rival = await organization(app);
    const foreign = await team(app, rival);
    await rename(foreign, 'x', rival.owner.token);
    const [event] = await app.store.read`
      select audit_events.id from audit_events where audit_events.resource_id = ${foreign}`;
    const refused = [
      await list({ 'page[after]': 'ae-none' }),
      await list({ 'page[after]': event!['id'] }),
      await list({ 'filter[since]': 'yesterday' }),
      await list({ 'filter[until]': '2020-13-45' }),
      await list({ 'page[size]': '0' }),
    ];
    expect(refused.map(({ status, pointers }) => [status, pointers[0]])).toEqual([
      [400, 'page[after]'],
      [400, 'page[after]'],
      [400, 'filter[since]'],
      [400, 'filter[until]'],
      [400, 'page[size]'],
    ]);
  });
});

describe('what is recorded', () => {
  test('§6 the actor is a user, a team or the organization, as the token says', async () => {
    const id = await team(app, acme);
    const tokens = [owner, await serviceTokenOf(app, acme, acme.ownersTeamId), await serviceTokenOf(app, acme)];
    for (const token of tokens) await rename(id, `by-${token.slice(-6)}`, token);
    const { data } = await list({ 'filter[resource][id]': id });
    expect(data.map((one: Document) => one.attributes['actor-type'])).toEqual(['organization', 'team', 'user']);
  });

  test('§6 lists of records say what they gained and lost, under the record that has them', async () => {
    const id = await team(app, acme);
    const someone = await member(app, acme);
    const body = { data: [{ type: 'users', id: someone.id }] };
    await app.post(`teams/${id}/relationships/users`, owner, body);
    await app.delete(`teams/${id}/relationships/users`, owner, body);
    const { data } = await list({ 'filter[resource][id]': id });
    expect(data.map((one: Document) => [one.attributes['resource-type'], one.attributes.changes])).toEqual([
      ['teams', { removed: [someone.id] }],
      ['teams', { added: [someone.id] }],
    ]);
  });

  test('§6 what is deleted keeps its history, and a token that is revoked is named under its team', async () => {
    const id = await team(app, acme, { name: 'short-lived' });
    const token = await app.post(`teams/${id}/authentication-token`, owner, bodyOf('authentication-tokens', {}));
    await app.delete(`teams/${id}/authentication-token`, owner);
    await app.delete(`teams/${id}`, owner);
    const { data } = await list({ 'filter[resource][id]': id });
    expect(data.map((one: Document) => [one.attributes.action, one.attributes['resource-type']])).toEqual([
      ['teams.delete', 'teams'],
      ['authentication-tokens.delete-of-team', 'teams'],
    ]);
    expect(data[0].attributes['resource-name']).toBe('short-lived');
    expect(data[1].attributes.changes).toEqual({ revoked: [token.data.id] });
  });

  test('§6 records without a name are known by what people call them', async () => {
    const home = await organization(app);
    const { token } = home.owner;
    const id = await workspace(app, home, { name: 'network' });
    await app.post(`workspaces/${id}/vars`, token, bodyOf('vars', { key: 'region', category: 'env' }));
    const body = bodyOf('authentication-tokens', { description: 'for the robot' });
    await app.post(`teams/${await team(app, home)}/authentication-tokens`, token, body);
    const email = 'guest@example.com';
    await app.post(
      `organizations/${home.name}/organization-memberships`,
      token,
      bodyOf('organization-memberships', { email }),
    );
    const events = await app.get(`organizations/${home.name}/audit-events`, token);
    const names = events.data.map((one: Document) => one.attributes['resource-name']);
    expect(names).toEqual([email, 'for the robot', 'region']);
  });

  test('§6 secrets are in no event: of keys, variables, tokens and connections', async () => {
    const home = await organization(app);
    const { token } = home.owner;
    const under = `organizations/${home.name}`;
    const id = await workspace(app, home);
    const secret = { key: 'k', category: 'env', sensitive: true, value: 'hush-variable' };
    const made = await app.post(`workspaces/${id}/vars`, token, bodyOf('vars', secret));
    const connection = {
      'service-provider': 'github',
      'http-url': 'https://github.com',
      'api-url': 'https://api.github.com',
      secret: 'hush-secret',
      'oauth-token-string': 'hush-token',
    };
    const answers = [
      made,
      await app.patch(`workspaces/${id}/vars/${made.data.id}`, token, bodyOf('vars', { value: 'hush-again' })),
      await app.post(`${under}/ssh-keys`, token, bodyOf('ssh-keys', { name: 'a', value: 'hush-key' })),
      await app.post(`${under}/oauth-clients`, token, bodyOf('oauth-clients', connection)),
      await app.post(`${under}/authentication-token`, token, bodyOf('authentication-tokens', {})),
    ];
    expect(answers.map(({ status }) => status)).toEqual([201, 200, 201, 201, 201]);
    const events = await app.get(`${under}/audit-events`, token);
    expect(events.data).toHaveLength(5);
    expect(events.text).not.toMatch(/hush|sealed|"hash"/);
    expect(events.text).not.toContain(answers.at(-1)!.data.attributes.token);
  });
});

test('§5 the audit is for owners; everybody else gets the 404 of what is missing', async () => {
  const manager = await member(app, acme, await team(app, acme, { access: { 'manage-workspaces': true } }));
  const rival = await organization(app);
  const administrator = await person(app, { isAdmin: true });
  const missing = (await app.get('organizations/nowhere/audit-events', owner)).text;
  for (const { token } of [manager, rival.owner, administrator]) expect((await list({}, token)).text).toBe(missing);
});
