/** Health: the process, the database, and the time between the signal to stop and the last answer. */
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import type { Sql } from '../../src/core/store/store.ts';
import { openApp } from '../app.ts';
import { bodyOf, organization, randomName, team } from '../builders/records.ts';
import { holdTransaction } from '../running/held.ts';
import { collect, parseAnswers } from '../running/sockets.ts';

test('/healthz and /readyz answer without a token', async () => {
  const app = await openApp();
  expect((await app.get('/healthz', null)).document).toEqual({ status: 'ok' });
  const ready = await app.get('/readyz', null);
  expect([ready.status, ready.document]).toEqual([200, { status: 'ready', schema: expect.any(Number) }]);
  await app.close();
});

test('without its database the server lives but is not ready, and says so in the form of the API', async () => {
  const app = await openApp({ TERRANE_LOG_LEVEL: 'silent' });
  const acme = await organization(app);
  await app.store.close();
  expect((await app.get('/healthz', null)).status).toBe(200);
  const ready = await app.get('/readyz', null);
  expect([ready.status, ready.document]).toEqual([503, { status: 'database unavailable' }]);
  const asked = await app.get(`organizations/${acme.name}/teams`, acme.owner.token);
  expect([asked.status, asked.problems]).toEqual([
    503,
    [
      'The database does not answer. Try again in a moment. If you were changing something, check first whether it was changed.',
    ],
  ]);
  await app.close();
});

test('while closing, /readyz is 503 and requests under way are finished', async () => {
  const app = await openApp();
  const acme = await organization(app);
  const teamId = await team(app, acme);
  await app.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.app.server.address() as { port: number };
  const held = await holdTransaction(app.store);
  await held.sql`select teams.id from teams where teams.id = ${teamId} for update`;
  const socket = connect(port, '127.0.0.1');
  const answered = collect(socket);
  const body = JSON.stringify(bodyOf('teams', { name: randomName('late') }));
  const head = `host: localhost\r\nauthorization: Bearer ${acme.owner.token}\r\n`;
  const type = `content-type: application/vnd.api+json\r\ncontent-length: ${body.length}\r\n`;
  socket.write(`PATCH /api/v2/teams/${teamId} HTTP/1.1\r\n${head}${type}\r\n${body}`);
  await expect.poll(() => waitingForRows(app.store.search)).toBe(1);
  const closed = app.app.close();
  await expect.poll(() => app.app.server.listening).toBe(false);
  socket.write(`GET /readyz HTTP/1.1\r\nhost: localhost\r\n\r\n`);
  await held.release();
  const answers = parseAnswers(await answered);
  expect(answers.map(({ status }) => status)).toEqual([200, 503]);
  expect(answers[1]?.document).toEqual({ status: 'draining' });
  expect(answers[0]?.document.data.attributes.name).toMatch(/^late/);
  await closed;
  await app.close();
});

async function waitingForRows(sql: Sql): Promise<number> {
  const rows = await sql`
    select pg_stat_activity.pid from pg_stat_activity
    where pg_stat_activity.datname = current_database() and pg_stat_activity.wait_event_type = 'Lock'`;
  return rows.length;
}
