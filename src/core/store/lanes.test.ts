/** Lanes: what is slow, floods, waits or leaves is no matter for the others. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDatabase, type TestDatabase } from '../../../test/running/database.ts';
import { holdTransaction } from '../../../test/running/held.ts';
import { proxied } from '../../../test/running/proxied.ts';
import type { ApiError } from '../errors.ts';
import { limits } from '../limits.ts';
import { storeFault } from './faults.ts';
import { Lane } from './lane.ts';
import { type Asker, openStore, type Sql, type Store } from './store.ts';

let database: TestDatabase;
let store: Store;
beforeAll(async () => {
  database = await createDatabase();
  store = openStore(database.connection, { connections: 4 });
});
afterAll(async () => {
  await store.close();
  await database.drop();
});

const doors = ['read', 'search', 'identify', 'health'] as const;
const patience = { timeout: 5000 };
const asker = (caller: string): Asker => ({ caller, hasLeft: false, statements: 0 });
const statusOf = (fault: unknown) => (storeFault(fault) as ApiError).status;
const nameOf = (fault: unknown) => (storeFault(fault) as ApiError).faults?.[0].name;

async function within(options: { connections: number }, work: (store: Store) => Promise<void>): Promise<void> {
  const own = openStore(database.connection, options);
  try {
    await work(own);
  } finally {
    await own.close();
  }
}

describe('one lane', () => {
  test('full of slow statements leaves the other lanes as they are', async () => {
    for (const slow of ['read', 'search'] as const) {
      let isOver = false;
      const flood = Promise.all(Array.from({ length: 8 }, () => store[slow]`select pg_sleep(0.3)`)).then(() => {
        isOver = true;
      });
      const others = doors.filter(name => name !== slow).map(name => store[name]`select 1 as one`);
      const answers = await Promise.all([...others, store.transaction(sql => sql`select 1 as one`)]);
      expect([isOver, answers]).toEqual([false, answers.map(() => [{ one: 1 }])]);
      await flood;
    }
  });

  test('that one caller fills with slow statements answers another caller meanwhile', async () => {
    await within({ connections: 4 }, async own => {
      for (const door of ['read', 'search', 'identify'] as const) {
        const [one, other] = [own.askedBy(asker('one')), own.askedBy(asker('other'))];
        let isOver = false;
        const flood = Promise.all(Array.from({ length: 8 }, () => one[door]`select pg_sleep(0.2)`)).then(() => {
          isOver = true;
        });
        expect([await other[door]`select 1 as one`, isOver]).toEqual([[{ one: 1 }], false]);
        await flood;
      }
    });
  });

  test('is shared by its callers in turn: who comes after a flood does not wait for its end', async () => {
    await within({ connections: 4 }, async own => {
      const [one, other] = [own.askedBy(asker('one')), own.askedBy(asker('other'))];
      let ended = 0;
      const flood = Array.from({ length: 30 }, async () => {
        await one.search`select pg_sleep(0.05)`;
        ended += 1;
      });
      await other.search`select 1`;
      expect(ended).toBeLessThan(6);
      await Promise.all(flood);
      expect(ended).toBe(30);
    });
  });

  test('has room for another caller while one has all that it may have', async () => {
    await within({ connections: 4 }, async own => {
      const [one, other] = [own.askedBy(asker('one')), own.askedBy(asker('other'))];
      const held = await Promise.all([holdTransaction(one), holdTransaction(one), holdTransaction(one)]);
      let isLate = true;
      const fourth = one.transaction(async () => {
        isLate = held.length > 0;
      });
      await other.transaction(sql => sql`select 1`);
      await Promise.all(held.splice(0).map(({ release }) => release()));
      await fourth;
      expect(isLate).toBe(false);
    });
  });

  test('lets nobody wait for the end of what another caller does, where there is room', async () => {
    const lane = new Lane({
      ...{ connection: database.connection, size: 4, depth: 1, share: 0.25, isNaming: true, isRepeating: true },
      ...{ settings: {}, patience_ms: null, cancel: async () => undefined },
    });
    let release = () => {};
    const held = new Promise<void>(resolve => {
      release = resolve;
    });
    const [one, other] = [asker('one'), asker('other')];
    const flood = [lane.run(one, () => held), lane.run(one, () => held), lane.run(one, () => held)];
    // Nothing ends, and nobody watches the lane: whoever comes now is served at once, or never.
    await lane.run(other, session => session.send({ text: 'select 1', parameters: [] }, other));
    release();
    await Promise.all(flood);
    await lane.close();
  });

  test('takes no more waiters than it may, and tells the others to come again', async () => {
    const most = 20;
    const before = limits.connectionWaits_items.value;
    limits.connectionWaits_items.value = most;
    await within({ connections: 1 }, async own => {
      const held = await holdTransaction(own);
      const waiting = Array.from({ length: most }, () => own.transaction(sql => sql`select 1`));
      const refused = await own.transaction(sql => sql`select 1`).catch((fault: unknown) => fault);
      expect([nameOf(refused), statusOf(refused), (refused as ApiError).retryAfter_s]).toEqual(['server-busy', 503, 1]);
      await held.release();
      expect(await Promise.all(waiting)).toHaveLength(most);
    }).finally(() => {
      limits.connectionWaits_items.value = before;
    });
  });

  test('lets nobody wait for a connection for ever', async () => {
    await within({ connections: 1 }, async own => {
      const held = await holdTransaction(own);
      const refused = await own.transaction(sql => sql`select 1`).catch((fault: unknown) => fault);
      expect(nameOf(refused)).toBe('server-busy');
      await held.release();
    });
  });
});

describe('ends', () => {
  test('a row that somebody holds for too long → record-busy, and nothing was changed', async () => {
    await store.read`create table rows (id integer, n integer)`;
    await store.read`insert into rows values (1, 0)`;
    const held = await holdTransaction(store);
    await held.sql`update rows set n = 1`;
    const refused = await store.transaction(sql => sql`update rows set n = 2`).catch((fault: unknown) => fault);
    expect([nameOf(refused), statusOf(refused)]).toEqual(['record-busy', 503]);
    await held.release();
    expect(await store.read`select rows.n from rows`).toEqual([{ n: 1 }]);
  });

  test('every lane has its limits as settings, and commands have none', async () => {
    const settings = (sql: Sql) => sql`
      select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
        current_setting('idle_in_transaction_session_timeout') as idle`;
    const seconds = (name: keyof typeof limits) => `${limits[name].value / 1000}s`;
    const [lock, idle] = [seconds('lockTime_ms'), seconds('idleTransaction_ms')];
    const statement = seconds('statementTime_ms');
    expect(await settings(store.read)).toEqual([{ statement, lock, idle }]);
    expect(await settings(store.identify)).toEqual([{ statement, lock, idle }]);
    expect(await settings(store.search)).toEqual([{ statement: seconds('searchTime_ms'), lock, idle }]);
    expect(await settings(store.health)).toEqual([{ statement: seconds('watchTime_ms'), lock, idle }]);
    expect(await store.transaction(settings)).toEqual([{ statement, lock, idle }]);
    const patient = openStore(database.connection, { connections: 1, isPatient: true });
    expect(await settings(patient.read)).toEqual([{ statement: '0', lock: '0', idle: '0' }]);
    await patient.close();
  });

  test('who leaves ends the statement at hand, whichever lane it is in, and nobody else’s', async () => {
    const running = () => store.health`
      select count(*) as found from pg_stat_activity
      where pg_stat_activity.query like 'select pg_sleep(9%' and pg_stat_activity.state = 'active'
        and pg_stat_activity.datname = current_database()`;
    for (const door of ['read', 'search', 'write'] as const) {
      const leaver = asker('leaver');
      const own = store.askedBy(leaver);
      const sleep = (sql: Sql) => sql`select pg_sleep(9)`;
      const left = (door === 'write' ? own.transaction(sleep) : sleep(own[door])).catch((fault: unknown) => fault);
      await expect.poll(async () => (await running())[0]!['found'], patience).toBe(1);
      // On the same connection behind it, where statements share one.
      const others = Array.from({ length: 5 }, (_, n) => store.read`select ${n}::integer as n`);
      leaver.hasLeft = true;
      expect(await left).toMatchObject({ code: '57014' });
      expect((await running())[0]!['found']).toBe(0);
      expect((await Promise.all(others)).map(([row]) => row!['n'])).toEqual([0, 1, 2, 3, 4]);
      expect(await store.transaction(sql => sql`select 1 as one`)).toEqual([{ one: 1 }]);
    }
  });

  test('who leaves before its turn is not served any more', async () => {
    await within({ connections: 1 }, async own => {
      const held = await holdTransaction(own);
      const leaver = asker('leaver');
      let isServed = false;
      const waiting = own
        .askedBy(leaver)
        .transaction(async () => {
          isServed = true;
        })
        .catch((fault: unknown) => fault);
      leaver.hasLeft = true;
      expect(nameOf(await waiting)).toBe('server-busy');
      await held.release();
      expect(isServed).toBe(false);
    });
  });

  test('a statement that is hit by the cancellation of the one before it is said again', async () => {
    await within({ connections: 1 }, async own => {
      const [backend] = await own.read`select pg_backend_pid() as pid`;
      const cancelled = async () => {
        const slow = own.read`select 'said' as word, pg_sleep(0.4)::text as pause`.catch((fault: unknown) => fault);
        await expect.poll(() => isAt(backend!['pid'], 'pg_sleep'), patience).toBe(true);
        await own.health`select pg_cancel_backend(${backend!['pid']})`;
        return slow;
      };
      expect(await cancelled()).toMatchObject({ code: '57014' });
      const leaver = asker('leaver');
      const left = own.askedBy(leaver).read`select pg_sleep(9)`.catch((fault: unknown) => fault);
      leaver.hasLeft = true;
      expect(await left).toMatchObject({ code: '57014' });
      expect(await cancelled()).toEqual([{ word: 'said', pause: '' }]);
    });
  });

  async function isAt(pid: number, word: string): Promise<boolean> {
    const [row] = await store.health`
      select pg_stat_activity.state = 'active' and pg_stat_activity.query like ${`%${word}%`} as is_at
      from pg_stat_activity where pg_stat_activity.pid = ${pid}`;
    return row?.['is_at'] === true;
  }
});

describe('PostgreSQL that goes away', () => {
  test('and comes back: every lane refuses meanwhile, and goes on by itself', async () => {
    const door = await proxied(await createDatabase());
    const own = openStore(door.database.connection, { connections: 2 });
    const asks: Record<string, () => Promise<unknown>> = {
      ...Object.fromEntries(doors.map(name => [name, async () => await own[name]`select 1`])),
      write: () => own.transaction(sql => sql`select 1`),
    };
    for (let round = 0; round < 3; round += 1) {
      for (const ask of Object.values(asks)) await ask();
      const underWay = [own.read`select pg_sleep(5)`, own.search`select pg_sleep(5)`].map(one =>
        one.catch((fault: unknown) => statusOf(fault)),
      );
      await new Promise(resolve => setTimeout(resolve, 50));
      await door.shut();
      expect(await Promise.all(underWay)).toEqual([503, 503]);
      for (const [name, ask] of Object.entries(asks)) {
        const refused = await ask().catch((fault: unknown) => storeFault(fault) as ApiError);
        expect([name, (refused as ApiError).faults?.[0].name]).toEqual([name, 'store-unavailable']);
        expect((refused as ApiError).retryAfter_s).toBeGreaterThan(0);
      }
      await door.open();
      // At once: a lane makes a connection when it is asked, and none waits for a turn of a clock.
      for (const ask of Object.values(asks)) await ask();
    }
    await own.close();
    await door.database.drop();
  });
});
