/** Sessions and the `sql` tag: what one statement does to the next, and what goes there and back. */

import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { useLimits } from '../../../test/limits.ts';
import { createDatabase, type TestDatabase } from '../../../test/running/database.ts';
import type { ApiError } from '../errors.ts';
import { limits } from '../limits.ts';
import { storeFault } from './faults.ts';
import { joined } from './sql.ts';
import { openStore, type Sql, type Store } from './store.ts';

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

/** Rows come, and then one that cannot be computed. */
const failing = (sql: Sql) => sql`select 10000 / (9000 - n) as ratio from generate_series(1, 9500) as n`;

/** On connections of its own, one in each lane. */
async function alone(work: (store: Store) => Promise<void>): Promise<void> {
  const own = openStore(database.connection, { connections: 1 });
  try {
    await work(own);
  } finally {
    await own.close();
  }
}

describe('a statement that fails', () => {
  test('in the middle of its rows leaves nothing to the next one on the only connection', async () => {
    await alone(async ({ read, search }) => {
      for (const sql of [read, search]) {
        await expect(failing(sql)).rejects.toMatchObject({ code: '22012' });
        expect(await sql`select 'right' as answer`).toEqual([{ answer: 'right' }]);
        // The same statement again, whose columns are known by now.
        await expect(failing(sql)).rejects.toMatchObject({ code: '22012' });
        expect(await sql`select 'right' as answer`).toEqual([{ answer: 'right' }]);
      }
    });
  });

  test('among many on one connection fails alone', async () => {
    await alone(async ({ read: sql }) => {
      const all = Array.from({ length: 12 }, (_, n) => (n % 3 === 1 ? failing(sql) : sql`select ${n}::integer as n`));
      const settled = await Promise.allSettled(all);
      settled.forEach((one, n) => {
        if (n % 3 === 1) expect(one.status).toBe('rejected');
        else expect(one).toMatchObject({ status: 'fulfilled', value: [{ n }] });
      });
    });
  });

  test('in a transaction fails the transaction, also where nobody looked at the fault', async () => {
    await store.read`create table marks (id integer)`;
    const done = store.transaction(async sql => {
      await sql`insert into marks values (1)`;
      await failing(sql).catch(() => undefined);
    });
    await expect(done).rejects.toMatchObject({ code: '22012' });
    expect(await store.read`select marks.id from marks`).toEqual([]);
  });

  test('does not let what comes after it escape from its transaction', async () => {
    let late: Promise<unknown> | undefined;
    const done = store.transaction(async sql => {
      const after = new Promise(resolve => setTimeout(resolve, 100));
      late = after.then(() => sql`insert into marks values (2)`);
      late.catch(() => undefined);
      await failing(sql);
    });
    await expect(done).rejects.toMatchObject({ code: '22012' });
    await expect(late).rejects.toThrow('after the end of its transaction');
    expect(await store.read`select marks.id from marks`).toEqual([]);
  });

  test('because a table was changed under its plan is said again, and answered', async () => {
    await store.read`create table shapes (id integer, side integer)`;
    await store.read`insert into shapes values (1, 2)`;
    const all = () => store.read`select shapes.* from shapes`;
    expect(await all()).toEqual([{ id: 1, side: 2 }]);
    await store.search`alter table shapes alter column side type text`;
    expect(await all()).toEqual([{ id: 1, side: '2' }]);
  });

  test('because a table was changed under the plans of a transaction is done again with it, however many there are', async () => {
    await alone(async own => {
      await own.read`create table forms (id integer, side integer)`;
      await own.read`insert into forms values (1, 2)`;
      const changed = () =>
        own.transaction(async sql => {
          // As many statements as there are attempts, and two more.
          for (let n = 0; n < 7; n += 1) {
            const spaces = Array.from({ length: n }, () => sql` `).reduce((all, one) => sql`${all}${one}`, sql` `);
            await sql`select forms.* from forms ${spaces}`;
          }
          return sql`update forms set id = forms.id + 1 returning forms.*`;
        });
      expect(await changed()).toEqual([{ id: 2, side: 2 }]);
      await own.search`alter table forms alter column side type text`;
      expect(await changed()).toEqual([{ id: 3, side: '2' }]);
    });
  });
});

test('a connection begins with what any pooler knows: user, database, name and encoding', async () => {
  let said = '';
  const listener = createServer(socket => {
    socket.once('data', bytes => {
      said = bytes.toString('latin1', 8);
      socket.destroy();
    });
  }).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  const own = openStore({ url: `postgres://someone@127.0.0.1:${port}/somewhere` }, { connections: 1 });
  await expect(Promise.all([own.read`select 1`, own.search`select 1`])).rejects.toMatchObject({
    code: expect.any(String),
  });
  await own.close();
  listener.close();
  const words = said.split('\0').filter(word => word !== '');
  expect(words.filter((_, at) => at % 2 === 0).sort()).toEqual([
    'application_name',
    'client_encoding',
    'database',
    'user',
  ]);
});

describe('with little patience', () => {
  useLimits({ connecting_ms: 300, statementTime_ms: 60_000, connectionWait_ms: 60_000 });

  test('a server that takes connections and says nothing → store-unavailable, for all who wait, once the time to connect is over', async () => {
    const sockets: Socket[] = [];
    const listener = createServer(socket => sockets.push(socket)).listen(0, '127.0.0.1');
    await once(listener, 'listening');
    const { port } = listener.address() as AddressInfo;
    const own = openStore({ url: `postgres://someone@127.0.0.1:${port}/somewhere` }, { connections: 1 });
    const asked = [own.read`select 1`, own.read`select 2`, own.search`select 3`, own.search`select 4`];
    for (const one of await Promise.allSettled([...asked, own.transaction(sql => sql`select 5`)])) {
      const fault = storeFault((one as PromiseRejectedResult).reason) as ApiError;
      expect(fault.faults[0].name).toBe('store-unavailable');
    }
    await own.close();
    for (const socket of sockets) socket.destroy();
    listener.close();
  });
});

test('a statement of more parameters than the protocol counts is refused before it is sent', async () => {
  const values = Array.from({ length: limits.parameters_items.value + 1 }, () => store.read`${1}`);
  await expect(store.read`select array[${joined(values, ', ')}]`).rejects.toThrow('65536 parameters');
  expect(await store.read`select 1 as one`).toEqual([{ one: 1 }]);
});

describe('plans', () => {
  test('of searches are not kept, whatever is searched for', async () => {
    await alone(async ({ search: sql }) => {
      for (let n = 0; n < 20; n += 1) await sql.unsafe(`select ${n} as n where $1 = 'a'`, ['a']);
      expect(await sql`select count(*) as kept from pg_prepared_statements`).toEqual([{ kept: 0 }]);
    });
  });

  test('by id are kept, up to a limit for each connection', async () => {
    await alone(async ({ read: sql }) => {
      const most = limits.preparedStatements_items.value;
      for (let n = 0; n < most + 50; n += 1) await sql.unsafe(`select ${n} as n where $1 = 'a'`, ['a']);
      const [row] = await sql`select count(*) as kept from pg_prepared_statements`;
      expect(row!['kept']).toBeLessThanOrEqual(most);
      expect(row!['kept']).toBeGreaterThan(most - 5);
    });
  });
});

describe('values', () => {
  test('bytes come back as they went, also beside other types and in long rows', async () => {
    const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, n) => (n * 31) % 256));
    for (const sql of [store.read, store.search]) {
      for (let round = 0; round < 3; round += 1) {
        const [row] = await sql`
          select ${bytes}::bytea as bytes, ''::bytea as empty, null::bytea as nothing, 'ä' as text, true as yes,
            7::smallint as small, -7::integer as whole, 9007199254740991::bigint as large`;
        // Compared as a whole: looking at each byte takes the test a second.
        expect(row!['bytes'].equals(bytes)).toBe(true);
        expect({ ...row, bytes: null }).toEqual({
          ...{ bytes: null, empty: Buffer.alloc(0), nothing: null, text: 'ä' },
          ...{ yes: true, small: 7, whole: -7, large: Number.MAX_SAFE_INTEGER },
        });
      }
      const [mixed] = await sql`select ${bytes}::bytea as bytes, '{"a": [1]}'::jsonb as json`;
      expect([mixed!['bytes'].equals(bytes), mixed!['json']]).toEqual([true, { a: [1] }]);
    }
  });

  test('that were left out are refused, and so are fragments in their place', async () => {
    await expect(store.read`select ${undefined} as nothing`).rejects.toThrow('undefined');
    await expect(store.read`select ${[store.read`now()`]} as times`).rejects.toThrow('fragment');
  });

  test('as many conditions as there are, at no depth', async () => {
    const parts = Array.from({ length: 20_000 }, (_, n) => store.search`${n}::text`);
    const [row] = await store.search`select cardinality(array[${joined(parts, ', ')}]) as parts`;
    expect(row).toEqual({ parts: 20_000 });
  });
});
