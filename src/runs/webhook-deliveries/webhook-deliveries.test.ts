/** §4.2 What hosts of code tell: who is believed, what counts once, how much is taken, and who is told what followed. */
import { createHmac } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { useApp } from '../../../test/app.ts';
import { deliver, samples } from '../../../test/builders/deliveries.ts';
import { member, organization, person, type TestOrganization, team } from '../../../test/builders/records.ts';
import { pushOf, sendSigned, type Webhook, webhook } from '../../../test/builders/webhook.ts';
import { oauthConnection, workspace } from '../../../test/builders/workspace.ts';
import { useLimits } from '../../../test/limits.ts';
import { forgeOf } from '../../connections/forges/forges.ts';
import { serviceProviders } from '../../connections/forges/providers.ts';
import { sweepDeliveries } from './take.ts';

const app = useApp();
let acme: TestOrganization;
let owner: string;
let hook: Webhook;
beforeAll(async () => {
  acme = await organization(app);
  owner = acme.owner.token;
  hook = await newHook();
});

const newHook = async (provider = 'git') =>
  webhook(app, acme, (await oauthConnection(app, acme, { service_provider: provider })).clientId);
const kept = async ({ clientId }: Webhook) =>
  (await app.store.read`select from webhook_deliveries where webhook_deliveries.oauth_client_id = ${clientId}`).length;
const list = async ({ clientId }: Webhook, token = owner) =>
  app.get(`oauth-clients/${clientId}/webhook-deliveries`, token);

describe('the secret of a connection', () => {
  test('§4.2 is shown by the answer that makes it, nowhere else, and the former one ends', async () => {
    const { clientId } = await oauthConnection(app, acme, { service_provider: 'git' });
    const before = await app.get(`oauth-clients/${clientId}`, owner);
    expect(before.data.attributes['has-webhook-secret']).toBe(false);
    const path = `oauth-clients/${clientId}/actions/rotate-webhook-secret`;
    const made = await app.post(path, owner);
    const url = before.data.attributes['webhook-url'];
    expect(url).toMatch(new RegExp(`^http.*/webhooks/vcs/${clientId}$`));
    expect([made.status, made.problems, made.data.type]).toEqual([200, [], 'webhook-secrets']);
    expect(made.data.attributes).toEqual({ secret: expect.stringMatching(/^[0-9a-f]{64}$/), 'webhook-url': url });
    const { secret } = made.data.attributes;
    expect((await sendSigned(app, clientId, secret, pushOf('a/b'))).status).toBe(202);
    const shown = await app.get(`oauth-clients/${clientId}`, owner);
    expect(shown.data.attributes['has-webhook-secret']).toBe(true);
    expect(shown.text).not.toContain(secret);
    const [event] = await app.store.read`
      select audit_events.changes::text as changes from audit_events
      where audit_events.resource_id = ${clientId} order by audit_events.occurred_at desc limit 1`;
    expect(event!['changes']).toContain('webhook-secret changed');
    expect(event!['changes']).not.toContain(secret);
    const renewed = (await app.post(path, owner)).data.attributes.secret;
    expect(renewed).not.toBe(secret);
    expect((await sendSigned(app, clientId, secret, pushOf('a/b'))).status).toBe(404);
    expect((await sendSigned(app, clientId, renewed, pushOf('a/b'))).status).toBe(202);
  });

  test('§5.5 whoever may not change the connection has it no secret made', async () => {
    const access = { 'manage-workspaces': true };
    const reader = await member(app, acme, await team(app, acme, { access }));
    const path = `oauth-clients/${hook.clientId}/actions/rotate-webhook-secret`;
    expect((await app.get(`oauth-clients/${hook.clientId}`, reader.token)).status).toBe(200);
    for (const { token } of [reader, await member(app, acme), await person(app)]) {
      expect((await app.post(path, token)).status).toBe(404);
    }
    expect((await hook.send(pushOf('a/b'))).status).toBe(202);
  });
});

describe('who is believed', () => {
  test('§4.2 a wrong signature, no signature, no secret and an unknown connection are one answer', async () => {
    const push = pushOf('a/b');
    const { clientId: mute } = await oauthConnection(app, acme, { service_provider: 'git' });
    const before = await kept(hook);
    const answers = [
      await sendSigned(app, hook.clientId, 'guessed', push),
      await hook.send(push, { 'terrane-signature': '' }),
      await sendSigned(app, mute, '', push),
      await sendSigned(app, 'oc-none', hook.secret, push),
      await sendSigned(app, mute, hook.secret, push),
    ];
    expect(answers.map(({ status, text }) => [status, text])).toEqual(answers.map(() => [404, answers[0]!.text]));
    expect(await kept(hook)).toBe(before);
  });

  test('§4.2 each forge by its own proof, under its own id, and by no other', async () => {
    for (const provider of serviceProviders) {
      const { clientId, secret } = await newHook(provider);
      const send = ({ headers, body }: ReturnType<typeof deliver>) =>
        app.call('POST', `/webhooks/vcs/${clientId}`, {
          raw: body.toString(),
          headers: { 'content-type': 'application/json', ...(headers as Record<string, string>) },
        });
      const { push } = samples[provider];
      expect([provider, (await send(deliver(provider, push, 'another'))).status]).toEqual([provider, 404]);
      const other = provider === 'git' ? 'github' : 'git';
      expect([provider, (await send(deliver(other, samples[other].push, secret))).status]).toEqual([provider, 404]);
      expect([provider, (await send(deliver(provider, push, secret))).status]).toEqual([provider, 202]);
      const [{ attributes }] = (await list({ clientId } as Webhook)).data;
      expect([provider, attributes['delivery-id'], attributes.events.length]).toEqual([
        provider,
        forgeOf(provider).deliveryId(deliver(provider, push, secret)),
        1,
      ]);
    }
  });

  test('§4.2 the signature is over the bytes: changed on the way, they are not believed', async () => {
    const sent = JSON.stringify(pushOf('a/b'));
    const answer = await app.call('POST', `/webhooks/vcs/${hook.clientId}`, {
      raw: sent.replace('main', 'evil'),
      headers: { 'content-type': 'application/json', 'terrane-signature': `sha256=${'0'.repeat(64)}` },
    });
    expect(answer.status).toBe(404);
  });

  test('§4.2 nobody is believed for the token of an owner', async () => {
    const headers = { authorization: `Bearer ${owner}`, 'terrane-signature': '' };
    expect((await hook.send(pushOf('a/b'), headers)).status).toBe(404);
  });

  test('§4.2 nothing at all: without a signature nobody is believed, with one it is not as documented', async () => {
    const signature = `sha256=${createHmac('sha256', hook.secret).digest('hex')}`;
    const send = async (headers: Record<string, string>) =>
      (await app.call('POST', `/webhooks/vcs/${hook.clientId}`, { headers })).status;
    expect([await send({}), await send({ 'terrane-signature': signature })]).toEqual([404, 422]);
  });

  test('§4.2 a body beyond the bound → 413, nothing kept', async () => {
    const before = await kept(hook);
    expect((await hook.send(pushOf('a/b', { filler: 'x'.repeat(1024 * 1024) }))).status).toBe(413);
    expect(await kept(hook)).toBe(before);
  });
});

describe('what counts', () => {
  test('§4.2 a delivery that comes again counts once: by its id, and by its content under another id', async () => {
    const own = await newHook();
    const push = pushOf('a/b');
    expect((await own.send(push, { 'terrane-delivery': '1' })).status).toBe(202);
    expect((await own.send(push, { 'terrane-delivery': '1' })).status).toBe(200);
    expect((await own.send(push, { 'terrane-delivery': '2' })).status).toBe(200);
    expect((await own.send(pushOf('a/b'), { 'terrane-delivery': '1' })).status).toBe(200);
    expect(await kept(own)).toBe(1);
    expect((await own.send(pushOf('a/b'))).status).toBe(202);
    expect(await kept(own)).toBe(2);
    expect((await (await newHook()).send(push, { 'terrane-delivery': '1' })).status).toBe(202);
  });

  test('§4.2 twelve of the same at once → one is new', async () => {
    const own = await newHook();
    const push = pushOf('a/b');
    const answers = await Promise.all(Array.from({ length: 12 }, () => own.send(push)));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(11).fill(200), 202]);
  });

  test('§4.2 a branch that was deleted → 204; what is not as documented → 422 with the reason; both are listed', async () => {
    const own = await newHook();
    const gone = pushOf('a/b', { commit: { sha: '0'.repeat(40) } });
    expect((await own.send(gone)).status).toBe(204);
    const wrong = await own.send({ ...pushOf('a/b'), branch: 7 });
    expect([wrong.status, wrong.problems]).toEqual([422, [expect.stringContaining('/branch')]]);
    expect((await own.send('no JSON')).status).toBe(422);
    const { data } = await list(own);
    const said = data.map(({ attributes }: { attributes: Record<string, string> }) => attributes['explanation']);
    expect(said).toEqual([
      expect.stringContaining('not JSON'),
      expect.stringContaining('/branch'),
      expect.stringContaining('Nothing follows'),
    ]);
    expect(data[0].attributes).toMatchObject({ status: 'worked-off', events: [], outcomes: [] });
  });

  test('§4.2 what waits is listed with its event, for whoever may manage the connection', async () => {
    const own = await newHook();
    await own.send(pushOf('acme/net', { sender: { username: 'ann' } }), { 'terrane-delivery': 'first' });
    const answer = await list(own);
    expect([answer.status, answer.data.length]).toEqual([200, 1]);
    expect(answer.data[0]).toMatchObject({
      id: expect.stringMatching(/^whd-/),
      type: 'webhook-deliveries',
      attributes: {
        'delivery-id': 'first',
        status: 'waiting',
        explanation: null,
        events: [{ kind: 'push', repository: 'acme/net', branch: 'main', tag: null, sender: 'ann' }],
        outcomes: [],
        'further-outcomes': 0,
      },
      relationships: { 'oauth-client': { data: { type: 'oauth-clients', id: own.clientId } } },
    });
    const keeper = await member(app, acme, await team(app, acme, { access: { 'manage-vcs-settings': true } }));
    const maker = await member(app, acme, await team(app, acme, { access: { 'manage-workspaces': true } }));
    const statuses = [keeper, maker, await member(app, acme), await person(app)].map(
      async ({ token }) => (await list(own, token)).status,
    );
    expect(await Promise.all(statuses)).toEqual([200, 404, 404, 404]);
  });
});

describe('how much is taken', () => {
  useLimits({ webhookDeliveries_items: 3, waitingWebhooks_items: 5, shownWebhooks_items: 2, keptWebhooks_days: 10 });

  test('§4.2 more than the bound within a minute → 429 with the time to wait, for this connection alone', async () => {
    const own = await newHook();
    for (let at = 0; at < 3; at += 1) expect((await own.send(pushOf('a/b'))).status).toBe(202);
    const refused = await own.send(pushOf('a/b'));
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '60']);
    expect(await kept(own)).toBe(3);
    expect((await (await newHook()).send(pushOf('a/b'))).status).toBe(202);
    await app.store.read`
      update webhook_deliveries set received_at = now() - interval '2 minutes'
      where webhook_deliveries.oauth_client_id = ${own.clientId}`;
    for (let at = 0; at < 2; at += 1) expect((await own.send(pushOf('a/b'))).status).toBe(202);
    expect((await own.send(pushOf('a/b'))).status).toBe(429);
    expect((await list(own)).data.length).toBe(2);
  });

  test('§4.2 what is old enough is swept', async () => {
    const own = await newHook();
    const push = pushOf('a/b');
    await own.send(push);
    await app.store.read`
      update webhook_deliveries set received_at = now() - interval '9 days'
      where webhook_deliveries.oauth_client_id = ${own.clientId}`;
    await sweepDeliveries(app.store.read);
    expect((await own.send(push)).status).toBe(200);
    await app.store.read`
      update webhook_deliveries set received_at = now() - interval '11 days'
      where webhook_deliveries.oauth_client_id = ${own.clientId}`;
    await sweepDeliveries(app.store.read);
    expect(await kept(own)).toBe(0);
  });

  test('§4.2 what followed is kept of as many deliveries of each connection as are shown', async () => {
    const [own, other] = [await newHook(), await newHook()];
    const workspaceId = await workspace(app, acme);
    for (const to of [own, own, own, other]) expect((await to.send(pushOf('a/b'))).status).toBe(202);
    await app.store.read`
      insert into webhook_outcomes (webhook_delivery_id, event_position, workspace_id, reason)
      select webhook_deliveries.id, 0, ${workspaceId}, 'nothing' from webhook_deliveries
      where webhook_deliveries.oauth_client_id = any(${[own.clientId, other.clientId]})`;
    await sweepDeliveries(app.store.read);
    const left = await app.store.read`
      select webhook_deliveries.oauth_client_id as id, webhook_outcomes.workspace_id is not null as has_outcome
      from webhook_deliveries
      left join webhook_outcomes on webhook_outcomes.webhook_delivery_id = webhook_deliveries.id
      where webhook_deliveries.oauth_client_id = any(${[own.clientId, other.clientId]})
      order by webhook_deliveries.position`;
    expect(left.map(({ id, has_outcome }) => [id === own.clientId, has_outcome])).toEqual([
      [true, false],
      [true, true],
      [true, true],
      [false, true],
    ]);
  });
});
