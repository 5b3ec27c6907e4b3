/** The store: what PostgreSQL is given comes back, transactions are tried again, and a lost connection is not the end. */
import { beforeAll, describe, expect, test } from 'vitest';
import { useApp } from '../../../test/app.ts';
import { bodyOf, organization, randomName, type TestOrganization, team } from '../../../test/builders/records.ts';
import { rowCounts } from '../../../test/nets/rows.ts';
import { ApiError } from '../errors.ts';
import { storeFault } from './faults.ts';
import { openStore, row, type Sql } from './store.ts';
import { wireTimestamp } from './values.ts';

const app = useApp();
let acme: TestOrganization;
beforeAll(async () => {
  acme = await organization(app);
  await app.store.read`create table trials (id text primary key, number integer not null, words text[])`;
});

describe('values', () => {
  test('§1 timestamps arrive in UTC with milliseconds, whatever fraction PostgreSQL shows', async () => {
    const given = [
      '2026-11-21 11:29:59+00',
      '2026-11-21 11:29:59.1+00',
      '2026-11-21 11:29:59.12+00',
      '2026-11-21 11:29:59.123+00',
    ];
    expect(given.map(wireTimestamp)).toEqual(
      ['000', '100', '120', '123'].map(fraction => `2026-11-21T11:29:59.${fraction}Z`),
    );
    const [read] = await app.store.read`
      select '2026-01-02T03:04:05.678901+02:00'::timestamptz as fine, '1999-12-31T23:59:59Z'::timestamptz as whole,
        null::timestamptz as none`;
    expect(read).toEqual({ fine: '2026-01-02T01:04:05.678Z', whole: '1999-12-31T23:59:59.000Z', none: null });
  });

  test('a timestamp that was read can be written again, to the millisecond', async () => {
    const [first] = await app.store.read`select clock_timestamp()::timestamptz(3) as at`;
    const [second] = await app.store.read`select ${first!['at']}::timestamptz(3) as at`;
    expect(second).toEqual(first);
  });

  test('arrays of text come back as they went, whatever the text', async () => {
    const texts = [
      'plain',
      '',
      ' ',
      'a,b',
      '"',
      '\\',
      '\\"',
      '{}',
      '{a}',
      'NULL',
      'null',
      "it's",
      'ä😀中',
      'a\nb\tc\r',
      '%_',
      '\u2028',
      'a b',
      '$1',
      '\\N',
      '\\x41',
    ];
    for (const words of [[], ...texts.map(text => [text]), texts, texts.map(text => text + text)]) {
      await app.store.read`delete from trials`;
      await app.store.read`insert into trials ${row(app.store.read, { id: 'a', number: 1, words })}`;
      const [read] = await app.store.read`select trials.words, ${words}::text[] = trials.words as is_same from trials`;
      expect(read).toEqual({ words, is_same: true });
    }
  });

  test('counts are numbers, and members of a row that are undefined are left to their defaults', async () => {
    const [read] = await app.store.read`select count(*) as count, ${9_007_199_254_740_991}::bigint as large`;
    expect(read).toEqual({ count: expect.any(Number), large: Number.MAX_SAFE_INTEGER });
    const id = await team(app, acme);
    const [made] = await app.store.read`select teams.visibility from teams where teams.id = ${id}`;
    expect(made).toEqual({ visibility: 'secret' });
  });
});

describe('transactions', () => {
  async function prepare(...ids: string[]): Promise<void> {
    await app.store.read`delete from trials`;
    for (const id of ids) await app.store.read`insert into trials (id, number) values (${id}, 0)`;
  }

  const increase = (sql: Sql, id: string) => sql`update trials set number = trials.number + 1 where trials.id = ${id}`;

  test('a deadlock is tried again, and both transactions are done once', async () => {
    await prepare('a', 'b');
    const attempts = { one: 0, two: 0 };
    const both = meeting(2);
    const work = (name: 'one' | 'two', first: string, second: string) =>
      app.store.transaction(async sql => {
        attempts[name] += 1;
        await increase(sql, first);
        if (attempts[name] === 1) await both();
        await increase(sql, second);
      });
    await Promise.all([work('one', 'a', 'b'), work('two', 'b', 'a')]);
    expect(attempts.one + attempts.two).toBeGreaterThan(2);
    const rows = await app.store.read`select trials.id, trials.number from trials order by trials.id`;
    expect(rows.map(({ number }) => number)).toEqual([2, 2]);
  });

  test('a serialization failure is tried again on what the other one left', async () => {
    await prepare('a');
    let attempts = 0;
    const seen: number[] = [];
    await app.store.transaction(async sql => {
      attempts += 1;
      await sql`set transaction isolation level repeatable read`;
      const [read] = await sql<{ number: number }[]>`select trials.number from trials where trials.id = 'a'`;
      seen.push(read!.number);
      if (attempts === 1) await increase(app.store.search, 'a');
      await sql`update trials set number = ${read!.number + 10} where trials.id = 'a'`;
    });
    expect({ attempts, seen }).toEqual({ attempts: 2, seen: [0, 1] });
    expect((await app.store.read`select trials.number from trials`)[0]).toEqual({ number: 11 });
  });

  test('after five attempts the caller is told to come again', async () => {
    let attempts = 0;
    const refused = app.store.transaction(async sql => {
      attempts += 1;
      await sql`do $$ begin raise exception 'again' using errcode = '40001'; end $$`;
    });
    const fault = await refused.catch((error: unknown) => storeFault(error));
    expect(attempts).toBe(5);
    expect(fault).toBeInstanceOf(ApiError);
    expect((fault as ApiError).status).toBe(503);
  });

  test('any other fault ends the transaction at once, and nothing of it stays', async () => {
    await prepare();
    let attempts = 0;
    const refused = app.store.transaction(async sql => {
      attempts += 1;
      await sql`insert into trials (id, number) values ('c', 1)`;
      throw new ApiError('not-found');
    });
    await expect(refused).rejects.toThrow('not-found');
    expect(attempts).toBe(1);
    expect(await app.store.read`select trials.id from trials`).toEqual([]);
  });
});

describe('a statement that nobody waits for', () => {
  test('which fails ends its transaction with its own fault, whatever comes after it', async () => {
    await app.store.read`delete from trials`;
    const refused = (work: (sql: Sql) => Promise<unknown>) =>
      expect(app.store.transaction(work)).rejects.toMatchObject({ code: '23505', constraint: 'trials_pkey' });
    const twice = (sql: Sql) => {
      sql`insert into trials (id, number) values ('twice', 1)`.send();
      sql`insert into trials (id, number) values ('twice', 2)`.send();
    };
    await refused(async sql => twice(sql));
    await refused(async sql => {
      twice(sql);
      await sql`select from trials`;
    });
    // Said for the first time where nothing is heard any more, it can be said again.
    await app.store.transaction(async sql => expect(await sql`select from trials`).toHaveLength(0));
    expect(await app.store.read`select trials.id from trials`).toEqual([]);
  });

  test('which cannot be sent at all is no reason to commit the others', async () => {
    await app.store.read`delete from trials`;
    const ids = Array.from({ length: 70_000 }, (_, position) => ({ id: String(position), number: 1 }));
    const refused = app.store.transaction(async sql => {
      sql`insert into trials (id, number) values ('a', 1)`.send();
      sql`insert into trials ${sql(ids)}`.send();
    });
    await expect(refused).rejects.toThrow('parameters');
    const unsendable = app.store.transaction(async sql => {
      sql`insert into trials (id, number) values ('b', 1)`.send();
      sql`insert into trials (id, number) values ('c', ${Symbol('no value')})`.send();
    });
    await expect(unsendable).rejects.toThrow();
    expect(await app.store.read`select trials.id from trials`).toEqual([]);
  });

  test('is done when the transaction is', async () => {
    await app.store.read`delete from trials`;
    await app.store.transaction(async sql => {
      sql`insert into trials (id, number) values ('d', 1)`.send();
    });
    expect(await app.store.read`select trials.id from trials`).toEqual([{ id: 'd' }]);
  });
});

describe('losing PostgreSQL', () => {
  test('a connection that ends during a write → 503, nothing is written, and the next request works', async () => {
    const teamId = await team(app, acme, { name: randomName('held') });
    const before = await rowCounts(app.store);
    const released = signal();
    const isHeld = signal();
    const holding = app.store.transaction(async sql => {
      await sql`select teams.id from teams where teams.id = ${teamId} for update`;
      isHeld.resolve();
      await released.promise;
    });
    await isHeld.promise;
    const waiting = app.patch(`teams/${teamId}`, acme.owner.token, bodyOf('teams', { name: randomName('renamed') }));
    await expect.poll(() => terminateWaiting(app.store.search)).toBe(1);
    const answer = await waiting;
    expect([answer.status, answer.document.errors[0].title]).toEqual([503, 'service unavailable']);
    released.resolve();
    await holding;
    expect((await app.get(`teams/${teamId}`, acme.owner.token)).data.attributes.name).toMatch(/^held/);
    expect(await rowCounts(app.store)).toEqual(before);
  });

  test('all connections that end at once cost at most one answer each, and the server goes on', async () => {
    for (let round = 0; round < 3; round += 1) {
      await app.store.search`
        select pg_terminate_backend(pg_stat_activity.pid) from pg_stat_activity
        where pg_stat_activity.datname = current_database() and pg_stat_activity.pid <> pg_backend_pid()`;
      const asked = Array.from({ length: 10 }, () => app.get(`organizations/${acme.name}/teams`, acme.owner.token));
      for (const { status } of await Promise.all(asked)) expect([200, 503]).toContain(status);
      await expect.poll(async () => (await app.get('/readyz', null)).status).toBe(200);
      expect((await app.get(`organizations/${acme.name}/teams`, acme.owner.token)).status).toBe(200);
    }
  });

  test('a database that was never there → store-unavailable, by socket and by address', async () => {
    const connections = [
      { socketDirectory: '/nonexistent', port: 1, user: 'nobody', database: 'none' },
      { url: 'postgres://nobody@127.0.0.1:1/none' },
    ];
    for (const connection of connections) {
      const store = openStore(connection);
      const fault = await store.read`select 1`.catch((error: unknown) => storeFault(error));
      await store.close();
      expect((fault as ApiError).faults?.[0].name).toBe('store-unavailable');
    }
  });

  test('what PostgreSQL calls out of range is the caller’s fault, where no rule caught it before', async () => {
    const statements = [
      app.store.read`select ${'0000-01-01T00:00:00Z'}::timestamptz`,
      app.store.read`select ${'99999999999'}::text::integer`,
      app.store.read`select ${'a\0b'}::text`,
    ];
    for (const statement of statements) {
      const fault = await statement.catch((error: unknown) => storeFault(error));
      expect((fault as ApiError).status).toBe(400);
    }
  });
});

interface Signal {
  promise: Promise<void>;
  resolve: () => void;
}

function signal(): Signal {
  const made = {} as Signal;
  made.promise = new Promise(resolve => {
    made.resolve = resolve;
  });
  return made;
}

/** Lets `count` callers go on when all have come. */
function meeting(count: number): () => Promise<void> {
  const all = signal();
  let come = 0;
  return () => {
    come += 1;
    if (come === count) all.resolve();
    return all.promise;
  };
}

/** Ends the connections that wait for a row; returns how many. */
async function terminateWaiting(sql: Sql): Promise<number> {
  const ended = await sql`
    select pg_terminate_backend(pg_stat_activity.pid) from pg_stat_activity
    where pg_stat_activity.datname = current_database() and pg_stat_activity.wait_event_type = 'Lock'`;
  return ended.length;
}
