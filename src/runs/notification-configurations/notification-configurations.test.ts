/** §1 Notification configurations as clients make them; the contract is silent on them, docs/choices.md is not. */

import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Document, useApp } from '../../../test/app.ts';
import { type Receiver, reachable, receiver } from '../../../test/builders/receiver.ts';
import { bodyOf, member, organization, type TestOrganization } from '../../../test/builders/records.ts';
import { workspace } from '../../../test/builders/workspace.ts';
import { limits } from '../../core/limits.ts';

const app = useApp(reachable);
let acme: TestOrganization;
let hook: Receiver;
let workspaceId: string;
beforeAll(async () => {
  acme = await organization(app);
  hook = await receiver();
});
afterAll(() => hook.close());
beforeEach(async () => {
  workspaceId = await workspace(app, acme);
  hook.received.length = 0;
  hook.answer(200);
});

const kind = 'notification-configurations';
const given = (attributes: object = {}) => ({
  'destination-type': 'generic',
  enabled: false,
  name: 'operations',
  url: hook.url,
  token: 'a shared secret',
  triggers: ['run:created'],
  ...attributes,
});
const listPath = () => `workspaces/${workspaceId}/${kind}`;
const create = (attributes: object = {}, relationships = {}) =>
  app.post(listPath(), acme.owner.token, bodyOf(kind, given(attributes), relationships));
const update = (id: string, attributes: object, relationships = {}) =>
  app.patch(`${kind}/${id}`, acme.owner.token, bodyOf(kind, attributes, relationships));
const show = async (id: string): Promise<Document> => (await app.get(`${kind}/${id}`, acme.owner.token)).data;
const users = (...ids: string[]) => ({ users: { data: ids.map(id => ({ type: 'users', id })) } });

describe('a notification configuration', () => {
  test('is shown as it was made, without its token, alike in lists → 201', async () => {
    const made = await create();
    expect(made.status).toBe(201);
    expect(made.data.attributes).toMatchObject({
      'destination-type': 'generic',
      enabled: false,
      name: 'operations',
      url: hook.url,
      triggers: ['run:created'],
      'delivery-responses': [],
      'email-addresses': [],
    });
    expect(made.text).not.toContain('a shared secret');
    expect(made.data.relationships.subscribable.data).toEqual({ type: 'workspaces', id: workspaceId });
    const { data, document } = await app.get(listPath(), acme.owner.token);
    expect([data, document.meta]).toEqual([[made.data], undefined]);
    expect(await show(made.data.id)).toEqual(made.data);
    const beyond = await app.get(`${listPath()}?page[number]=999&page[size]=100`, acme.owner.token);
    expect([beyond.data, beyond.document.meta.pagination['total-count']]).toEqual([[], 1]);
  });

  test('address, token and answers are sealed in the database', async () => {
    const { data } = await create({ enabled: true });
    const [found] = await app.store.read`
      select to_jsonb(notification_configurations)::text as row from notification_configurations
      where notification_configurations.id = ${data.id}`;
    for (const secret of [hook.url, 'a shared secret', 'taken']) {
      expect(found!['row']).not.toContain(secret);
      expect(found!['row']).not.toContain(Buffer.from(secret).toString('hex'));
    }
    const events = await app.get(`organizations/${acme.name}/audit-events`, acme.owner.token);
    expect(events.text).not.toContain(hook.url);
  });

  const wrong: [string, object, string][] = [
    ['of an unknown destination', { 'destination-type': 'pager' }, '/data/attributes/destination-type'],
    ['of an unknown trigger', { triggers: ['run:stopped'] }, '/data/attributes/triggers/0'],
    ['without an address', { url: null }, '/data/attributes/url'],
    ['of another scheme', { url: 'ftp://example.com' }, '/data/attributes/url'],
    ['with a password in its address', { url: 'https://me:secret@example.com' }, '/data/attributes/url'],
    ['of mail with an address of the web', { 'destination-type': 'email' }, '/data/attributes/url'],
    ['of the web with addresses of mail', { 'email-addresses': ['a@b.example'] }, '/data/attributes/email-addresses'],
    ['without a name', { name: ' ' }, '/data/attributes/name'],
  ];
  test.each(wrong)('%s → 422, nobody is asked', async (_what, attributes, pointer) => {
    const { status, pointers } = await create({ enabled: true, ...attributes });
    expect([status, pointers, hook.received]).toEqual([422, [pointer], []]);
  });

  test('of a stranger who gets letters, or of another workspace than its address → 422', async () => {
    const stranger = await member(app, await organization(app));
    const mail = { 'destination-type': 'email', url: null, token: null };
    const named = await create(mail, users(stranger.id));
    expect([named.status, named.pointers]).toEqual([422, ['/data/relationships/users']]);
    const subscribable = { data: { type: 'workspaces', id: await workspace(app, acme) } };
    const elsewhere = await create({}, { subscribable });
    expect([elsewhere.status, elsewhere.pointers]).toEqual([422, ['/data/relationships/subscribable']]);
  });

  test('has so many addresses of mail and no more', async () => {
    const most = limits.notificationReceivers_items.value;
    const addresses = Array.from({ length: most + 1 }, (_, at) => `a${at}@example.com`);
    const mail = { 'destination-type': 'email', url: null, token: null };
    const refused = await create({ ...mail, 'email-addresses': addresses });
    expect([refused.status, refused.pointers]).toEqual([422, ['/data/attributes/email-addresses']]);
    expect((await create({ ...mail, 'email-addresses': addresses.slice(1) })).status).toBe(201);
  });

  test('keeps the beginning of what its receiver says', async () => {
    const most = limits.notificationAnswer_characters.value;
    const headers = Array.from({ length: limits.notificationAnswerHeaders_items.value + 5 }, (_, at) => [
      `x-${at}`,
      'y',
    ]);
    hook.answer(200, 'z'.repeat(most + 1), Object.fromEntries(headers));
    const { data } = await create({ enabled: true });
    const [response] = (await show(data.id)).attributes['delivery-responses'];
    expect(response.body).toBe('z'.repeat(most));
    expect(Object.keys(response.headers)).toHaveLength(limits.notificationAnswerHeaders_items.value);
    hook.answer(200);
  });

  test('has members who get letters, until they are no members', async () => {
    const someone = await member(app, acme);
    const { data } = await create({ 'destination-type': 'email', url: null, token: null }, users(someone.id));
    expect(data.relationships.users.data).toEqual([{ type: 'users', id: someone.id }]);
    await app.store.read`delete from organization_memberships where organization_memberships.user_id = ${someone.id}`;
    expect((await show(data.id)).relationships.users.data).toEqual([]);
  });

  test('the twenty-first of a workspace → 422, also of many at once', async () => {
    const most = limits.notificationConfigurations_items.value;
    const answers = await Promise.all(Array.from({ length: most + 4 }, () => create()));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array(most).fill(201), ...Array(4).fill(422)]);
  });
});

describe('one that is enabled', () => {
  test('tries its address with a signed message, and shows what was answered', async () => {
    hook.answer(202, 'with\0thanks', { 'x-receiver': 'ours' });
    const { status, data } = await create({ enabled: true });
    expect(status).toBe(201);
    const [sent] = hook.received;
    const digest = createHmac('sha512', 'a shared secret').update(sent!.text).digest('hex');
    expect(sent!.headers['x-tfe-notification-signature']).toBe(digest);
    expect(sent!.json).toMatchObject({
      payload_version: 1,
      notification_configuration_id: data.id,
      run_id: null,
      workspace_id: null,
      notifications: [{ trigger: 'verification', run_status: null }],
    });
    const [response] = data.attributes['delivery-responses'];
    expect(response).toMatchObject({ url: hook.url, code: '202', body: 'with\0thanks', successful: 'true' });
    expect(response.headers['x-receiver']).toEqual(['ours']);
  });

  test('is not saved, nor changed, where the address does not take it → 400', async () => {
    hook.answer(500);
    const refused = await create({ enabled: true });
    expect([refused.status, refused.problems[0]]).toEqual([400, expect.stringContaining('it answered 500')]);
    expect((await app.get(listPath(), acme.owner.token)).data).toEqual([]);
    const { data } = await create();
    const before = await show(data.id);
    for (const attributes of [{ enabled: true }, { enabled: true, name: 'others', url: `${hook.url}/2` }]) {
      expect((await update(data.id, attributes)).status).toBe(400);
    }
    expect(await show(data.id)).toEqual(before);
  });

  test('at an address of a private network is refused without a word to it', async () => {
    const { status, problems } = await create({ enabled: true, url: 'http://192.168.0.1/hook' });
    expect([status, problems[0]]).toEqual([400, expect.stringContaining('private network')]);
  });

  test('a redirect is no success, and is not followed', async () => {
    hook.answer(302, '', { location: hook.url });
    expect([(await create({ enabled: true })).status, hook.received.length]).toEqual([400, 1]);
  });

  test('another name or other triggers ask nobody; another token is tried', async () => {
    const { data } = await create({ enabled: true });
    await update(data.id, { name: 'others', triggers: [] });
    expect(hook.received).toHaveLength(1);
    await update(data.id, { token: '' });
    expect(hook.received[1]!.headers).not.toHaveProperty('x-tfe-notification-signature');
  });

  test('verify tries it again → 200; the last ten answers are shown', async () => {
    const { data } = await create({ enabled: true });
    const verify = () => app.post(`${kind}/${data.id}/actions/verify`, acme.owner.token);
    const most = limits.notificationResponses_items.value;
    for (let round = 0; round <= most; round += 1) expect((await verify()).status).toBe(200);
    expect((await show(data.id)).attributes['delivery-responses']).toHaveLength(most);
    hook.answer(404);
    expect((await verify()).status).toBe(400);
  });

  test('its destination type stays → 422', async () => {
    const { data } = await create();
    const { status, pointers } = await update(data.id, { 'destination-type': 'slack' });
    expect([status, pointers]).toEqual([422, ['/data/attributes/destination-type']]);
  });
});
