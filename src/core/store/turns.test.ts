/** Turns: writers of one record come one after the other, and hold no connection while they wait. */
import { beforeAll, expect, test } from 'vitest';
import { useApp } from '../../../test/app.ts';
import { bodyOf, organization, type TestOrganization } from '../../../test/builders/records.ts';
import { workspace } from '../../../test/builders/workspace.ts';
import { useLimits } from '../../../test/limits.ts';
import { turns } from './turns.ts';

useLimits({ connectionWait_ms: 1000 });

const app = useApp();
let acme: TestOrganization;
beforeAll(async () => {
  acme = await organization(app);
});

test('they come in their order, one at a time, and a fault of one is no matter to the next', async () => {
  const { take } = turns();
  const seen: number[] = [];
  let atWork = 0;
  const done = await Promise.allSettled(
    [0, 1, 2, 3].map(number =>
      take('ws-1', async () => {
        atWork += 1;
        expect(atWork).toBe(1);
        await new Promise(resolve => setTimeout(resolve, 5));
        seen.push(number);
        atWork -= 1;
        if (number === 1) throw new Error('a fault');
      }),
    ),
  );
  expect(seen).toEqual([0, 1, 2, 3]);
  expect(done.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
});

test('whoever waits for too long is told to come again, and those behind still get their turn', async () => {
  const { take } = turns();
  let release = () => {};
  const first = take('ws-1', () => new Promise<void>(resolve => (release = resolve)));
  await expect(take('ws-1', async () => 'late')).rejects.toThrow('record-busy');
  const next = take('ws-1', async () => 'next');
  release();
  await first;
  expect(await next).toBe('next');
  expect(await take('ws-1', async () => 'again')).toBe('again');
});

test('writers of a row that is held leave the connections to the writers of others', async () => {
  const [held, other] = [await workspace(app, acme), await workspace(app, acme)];
  const change = (id: string) =>
    app.patch(`workspaces/${id}`, acme.owner.token, bodyOf('workspaces', { description: 'x' }));
  let release = () => {};
  const isReleased = new Promise<void>(resolve => (release = resolve));
  const holding = app.store.transaction(async sql => {
    await sql`select from workspaces where workspaces.id = ${held} for update`;
    await isReleased;
  });
  const waiting = Array.from({ length: 20 }, () => change(held));
  const sessions = async () => {
    const [row] = await app.store.read<{ count: number }[]>`
      select count(*) from pg_stat_activity
      where pg_stat_activity.datname = current_database() and pg_stat_activity.wait_event_type = 'Lock'`;
    return row!.count;
  };
  await expect.poll(sessions).toBe(1);
  expect((await change(other)).status).toBe(200);
  release();
  await holding;
  for (const answer of await Promise.all(waiting)) expect([200, 409, 503]).toContain(answer.status);
});
