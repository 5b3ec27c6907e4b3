/** Notifications by mail, to a real mail server. */
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openApp, type TestApp } from '../../../test/app.ts';
import {
  bodyOf,
  join,
  member,
  organization,
  person,
  type TestOrganization,
  team,
} from '../../../test/builders/records.ts';
import { run } from '../../../test/builders/run.ts';
import { workspace, workspaceAccess } from '../../../test/builders/workspace.ts';
import { workOffClaims } from '../../core/claims.ts';
import { deliveries } from './deliver.ts';

const taken: { to: string; text: string }[] = [];
let refused = '';
const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onRcptTo: ({ address }, _session, done) => done(address === refused ? new Error('not here') : undefined),
  onData: (stream, session, done) => {
    let text = '';
    stream.on('data', piece => (text += piece));
    stream.on('end', () => {
      for (const { address } of session.envelope.rcptTo) taken.push({ to: address, text });
      done();
    });
  },
});

let app: TestApp;
let acme: TestOrganization;
beforeAll(async () => {
  await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve));
  app = await openApp({ TERRANE_SMTP_URL: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}` });
  acme = await organization(app);
});
afterAll(async () => {
  await app.close();
  await new Promise<void>(resolve => server.close(resolve));
});

const kind = 'notification-configurations';

test('members who may read the workspace and addresses of nobody get a letter each, and none twice', async () => {
  const workspaceId = await workspace(app, acme);
  const readers = await team(app, acme);
  await workspaceAccess(app, readers, workspaceId, 'read');
  const [reader, without] = [await member(app, acme, readers), await member(app, acme)];
  const left = await person(app);
  await join(app, acme, left, readers);
  const users = { data: [reader, without, left].map(({ id }) => ({ type: 'users', id })) };
  const attributes = {
    'destination-type': 'email',
    enabled: true,
    name: 'operations',
    triggers: ['run:created'],
    'email-addresses': ['oncall@ops.example', 'gone@ops.example'],
  };
  const made = await app.post(
    `workspaces/${workspaceId}/${kind}`,
    acme.owner.token,
    bodyOf(kind, attributes, { users }),
  );
  expect([made.status, taken]).toEqual([201, []]);
  await app.store.read`delete from organization_memberships where organization_memberships.user_id = ${left.id}`;
  refused = 'gone@ops.example';
  const id = await run(app, acme, workspaceId);
  const sender = { store: app.store, config: app.config, publicUrl: 'https://terrane.example' };
  expect(await workOffClaims(deliveries(() => sender))).toBe(1);
  refused = '';
  await app.store.read`update pending_notifications set due_at = now() - interval '1 second'`;
  expect([await workOffClaims(deliveries(() => sender)), await workOffClaims(deliveries(() => sender))]).toEqual([
    1, 0,
  ]);
  expect(taken.map(({ to }) => to)).toEqual([reader.email, 'oncall@ops.example', 'gone@ops.example']);
  expect(taken[0]!.text).toMatch(/Subject: Run Created in /);
  expect(taken[0]!.text.replaceAll('=\r\n', '')).toContain(`/runs/${id}`);
  const { data } = await app.get(`${kind}/${made.data.id}`, acme.owner.token);
  const shown = data.attributes['delivery-responses'].map((one: { successful: string }) => one.successful);
  expect(shown).toEqual(['true', 'true', 'true', 'false']);
});

test('verify writes to all of them at once, and says why the mail server does not take it', async () => {
  const workspaceId = await workspace(app, acme);
  const attributes = { 'destination-type': 'email', enabled: false, name: 'ops', 'email-addresses': ['a@ops.example'] };
  const { data } = await app.post(`workspaces/${workspaceId}/${kind}`, acme.owner.token, bodyOf(kind, attributes));
  const verify = () => app.post(`${kind}/${data.id}/actions/verify`, acme.owner.token);
  taken.length = 0;
  expect([(await verify()).status, taken.map(({ to }) => to)]).toEqual([200, ['a@ops.example']]);
  refused = 'a@ops.example';
  const { status, problems } = await verify();
  expect([status, problems[0]]).toEqual([400, expect.stringContaining('not here')]);
});
