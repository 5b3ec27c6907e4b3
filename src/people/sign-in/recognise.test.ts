/** §1: whom a name or an address stands for, and what becomes of a password that is right. */
import { expect, test } from 'vitest';
import { type Answer, useApp } from '../../../test/app.ts';
import { bodyOf, passwordOf, person } from '../../../test/builders/records.ts';

const app = useApp();

const signIn = (name: string, password: string) =>
  app.call('POST', 'sessions', { body: bodyOf('sessions', { name, password }) });
const hashOf = async ({ id }: { id: string }) =>
  (await app.store.read`select passwords.hash from passwords where passwords.user_id = ${id}`)[0]!['hash'];

test('§1 an address is that of one person, whoever else has a password', async () => {
  const everybody = [await person(app), await person(app), await person(app)];
  const passwords = await Promise.all(everybody.map(one => passwordOf(app, one)));
  for (const [at, { id, email }] of everybody.entries()) {
    const { status, data } = await signIn(email, passwords[at]!);
    expect([status, data.relationships.user.data.id]).toEqual([201, id]);
  }
});

test('§1 a password that was hashed with as much as today keeps its hash', async () => {
  const someone = await person(app);
  const password = await passwordOf(app, someone);
  const before = await hashOf(someone);
  expect((await signIn(someone.username, password)).status).toBe(201);
  expect(await hashOf(someone)).toBe(before);
});

test('§1 a password that is changed while it is compared opens nothing', async () => {
  const someone = await person(app);
  const password = await passwordOf(app, someone);
  let signingIn: Promise<Answer>;
  await app.store.transaction(async sql => {
    await sql`update passwords set hash = 'another' where passwords.user_id = ${someone.id}`;
    let isAnswered = false;
    signingIn = signIn(someone.username, password).finally(() => {
      isAnswered = true;
    });
    while (!isAnswered && !(await isSomebodyWaiting())) await new Promise(resolve => setImmediate(resolve));
  });
  expect((await signingIn!).status).toBe(401);
  expect(await app.store.read`select from sessions where sessions.user_id = ${someone.id}`).toHaveLength(0);
});

async function isSomebodyWaiting(): Promise<boolean> {
  const waiting = await app.store.search`
    select from pg_stat_activity
    where pg_stat_activity.datname = current_database() and pg_stat_activity.wait_event_type = 'Lock'`;
  return waiting.length > 0;
}
