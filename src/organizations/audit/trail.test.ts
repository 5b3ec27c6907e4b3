/** §6: the audit trail that log collectors poll, and the token that reads nothing else. */

import { beforeAll, describe, expect, test } from 'vitest';
import { type Document, useApp } from '../../../test/app.ts';
import {
  bodyOf,
  member,
  organization,
  serviceTokenOf,
  type TestOrganization,
  team,
} from '../../../test/builders/records.ts';
import { agentPool } from '../../../test/builders/workspace.ts';
import { limits } from '../../core/limits.ts';

const app = useApp();
let acme: TestOrganization;
let owner: string;
beforeAll(async () => {
  acme = await organization(app);
  owner = acme.owner.token;
});

const path = 'organization/audit-trail';
const tokenPath = () => `organizations/${acme.name}/authentication-token`;
const create = (query = '?token=audit-trails') =>
  app.post(`${tokenPath()}${query}`, owner, bodyOf('authentication-tokens', {}));

describe('the trail', () => {
  test('§6 has an event for every change, in the form that collectors read', async () => {
    const id = await agentPool(app, acme);
    const answer = await app.patch(`agent-pools/${id}`, owner, bodyOf('agent-pools', { name: 'renamed' }));
    const trail = await app.get(path, owner);
    expect(trail.status).toBe(200);
    expect(trail.document.data[0]).toEqual({
      id: expect.stringMatching(/^ae-/),
      version: '0',
      type: 'Resource',
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
      auth: {
        accessor_id: acme.owner.id,
        description: acme.owner.username,
        type: 'Client',
        impersonator_id: null,
        organization_id: acme.key,
      },
      request: { id: answer.headers['x-request-id'] },
      resource: { id, type: 'agent_pool', action: 'update', meta: { name: [expect.any(String), 'renamed'] } },
    });
    expect(trail.document.pagination).toMatchObject({ current_page: 1, prev_page: null, next_page: null });
  });

  test('§6 in pages of up to 1000, since a time, newest first', async () => {
    const home = await organization(app);
    await app.store.read`
      insert into audit_events (
        id, occurred_at, organization_id, action, actor_type, actor_id, resource_type, resource_id, changes, request_id
      )
      select 'ae-trail' || number, timestamptz '2020-01-01' + number * interval '1 second', ${home.key}, 'teams.create',
        'user', 'user-1', 'teams', 'team-1', '{}', 'req-1'
      from generate_series(1, 1005) as number`;
    const read = async (query: string) => (await app.get(`${path}?${query}`, home.owner.token)).document;
    const ids = ({ data }: Document) => data.map(({ id }: { id: string }) => id);
    const whole = await read('');
    expect([whole.data.length, whole.pagination]).toEqual([
      1000,
      { current_page: 1, prev_page: null, next_page: 2, total_pages: 2, total_count: 1005 },
    ]);
    expect(ids(whole)[0]).toBe('ae-trail1005');
    const second = await read('page[number]=2');
    expect([ids(second), second.pagination.prev_page]).toEqual([[5, 4, 3, 2, 1].map(n => `ae-trail${n}`), 1]);
    expect((await read('page[size]=5000')).data).toHaveLength(1000);
    expect(ids(await read('page[size]=2&since=2020-01-01T00:16:43.000Z'))).toEqual(['ae-trail1005', 'ae-trail1004']);
    expect((await read('since=2020-01-01T00:16:43.000Z')).pagination.total_count).toBe(2);
    const malformed = await app.get(`${path}?since=now`, home.owner.token);
    expect([malformed.status, malformed.pointers]).toEqual([400, ['since']]);
  });

  test('§6 counts and shows the newest 100,000 at most, whatever page is asked for', async () => {
    const home = await organization(app);
    await app.store.read`
      insert into audit_events (
        id, occurred_at, organization_id, action, actor_type, actor_id, resource_type, resource_id, changes, request_id
      )
      select 'ae-many' || number, timestamptz '2020-01-01' + number * interval '1 second', ${home.key}, 'teams.create',
        'user', 'user-1', 'teams', 'team-1', '{}', 'req-1'
      from generate_series(1, 100010) as number`;
    const read = async (query: string) => (await app.get(`${path}?${query}`, home.owner.token)).document;
    const last = await read('page[number]=100');
    expect([last.data.at(-1).id, last.pagination]).toEqual([
      'ae-many11',
      {
        current_page: 100,
        prev_page: 99,
        next_page: null,
        total_pages: 100,
        total_count: limits.auditTrail_items.value,
      },
    ]);
    expect((await read('page[number]=2147483647')).data).toEqual([]);
  });

  test('§5 for owners, the organization and its audit token; 404 for all others, and never of other organizations', async () => {
    const someone = await member(app, acme, await team(app, acme));
    expect((await app.get(path, someone.token)).status).toBe(404);
    const token = await serviceTokenOf(app, acme);
    const trail = await app.get(path, token);
    const organizations = trail.document.data.map((one: Document) => one.auth.organization_id);
    expect([...new Set(organizations)]).toEqual([acme.key]);
  });
});

describe('the audit token', () => {
  test('§5.6 stands beside the organization token, is replaced by the next one, shown and revoked', async () => {
    const whole = await create('');
    const first = await create();
    const second = await create();
    expect([whole.status, first.status, second.status]).toEqual([201, 201, 201]);
    const reads = async (token: string) => (await app.get(path, token)).status;
    expect(await reads(whole.data.attributes.token)).toBe(200);
    expect(await reads(first.data.attributes.token)).toBe(401);
    expect(await reads(second.data.attributes.token)).toBe(200);
    const shown = await app.get(`${tokenPath()}?token=audit-trails`, owner);
    expect([shown.data.id, shown.data.attributes.token]).toEqual([second.data.id, null]);
    expect((await app.get(tokenPath(), owner)).data.id).toBe(whole.data.id);
    expect((await app.delete(`${tokenPath()}?token=audit-trails`, owner)).status).toBe(204);
    expect(await reads(second.data.attributes.token)).toBe(401);
    expect((await app.get(tokenPath(), owner)).status).toBe(200);
    expect((await create('?token=other')).pointers).toEqual(['token']);
  });

  test('§5 opens the trail of its organization and nothing else', async () => {
    const { token } = (await create()).data.attributes;
    const closed = [
      `organizations/${acme.name}`,
      `organizations/${acme.name}/audit-events`,
      `organizations/${acme.name}/workspaces`,
      `organizations/${acme.name}/teams`,
      `teams/${acme.ownersTeamId}`,
      `projects/${acme.projectId}`,
      `users/${acme.owner.id}`,
    ];
    for (const address of closed) expect([address, (await app.get(address, token)).status]).toEqual([address, 404]);
    expect((await app.get('organizations', token)).data).toEqual([]);
    const named = bodyOf('organizations', { name: 'mine', email: 'a@example.com' });
    expect((await app.post('organizations', token, named)).status).toBe(404);
    expect((await app.post(tokenPath(), token, bodyOf('authentication-tokens', {}))).status).toBe(404);
  });
});

describe('under the profile of clients', () => {
  const vendor = useApp({ TERRANE_PROFILE: 'vendor' });
  test('§6 since a whole second leaves that second out: they send the time that they mean without its fraction', async () => {
    const home = await organization(vendor);
    const times = ['2020-01-01T00:00:01.900Z', '2020-01-01T00:00:02.000Z', '2020-01-01T00:00:02.100Z'];
    await vendor.store.read`
      insert into audit_events (
        id, occurred_at, organization_id, action, actor_type, actor_id, resource_type, resource_id, changes, request_id
      )
      select 'ae-' || at, at::timestamptz, ${home.key}, 'teams.create', 'user', 'user-1', 'teams', 'team-1', '{}', 'req-1'
      from unnest(${times}::text[]) as times (at)`;
    const since = async (time: string) =>
      (await vendor.get(`${path}?since=${time}`, home.owner.token)).document.data.map((one: Document) => one.timestamp);
    expect(await since('2020-01-01T00:00:01Z')).toEqual([times[2], times[1]]);
    expect(await since('2020-01-01T00:00:01.950Z')).toEqual([times[2], times[1]]);
    expect(await since('2020-01-01T00:00:02Z')).toEqual([]);
  });
});
