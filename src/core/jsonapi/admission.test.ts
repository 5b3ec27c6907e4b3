/** §5: who is let in, on what is known of the caller, and why somebody is refused. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDatabase, type TestDatabase } from '../../../test/running/database.ts';
import { type Actor, type Callers, type Credential, visitor } from '../access/actor.ts';
import type { ApiError, ErrorName } from '../errors.ts';
import { openStore, type Sql, type Store } from '../store/store.ts';
import { admit, refusalTo } from './admission.ts';
import type { AnyEndpoint } from './endpoint.ts';
import type { Look, Requirement, Subject } from './records.ts';

let database: TestDatabase;
let store: Store;
let statements = 0;
beforeAll(async () => {
  database = await createDatabase();
  store = openStore(database.connection, {
    connections: 1,
    onStatement: () => {
      statements += 1;
    },
  });
});
afterAll(async () => {
  await store?.close();
  await database?.drop();
});

const token: Credential = { kind: 'token', hash: Buffer.from('a token') };
const address: Credential = { kind: 'address', givenTo: 'user-1' };
const actor = (userId: string, given: Partial<Actor> = {}): Actor => ({ ...visitor, userId, stamp: userId, ...given });
const record = (powers: number) => ({ id: 'ws-1', powers }) as unknown as Subject<string>;
const [reads, writes] = [1, 2];
const needs = { action: 'write', anyOf: writes } as unknown as Requirement;
const told = { ...needs, refusal: { name: 'run-transition', toThoseWith: reads } } as unknown as Requirement;

interface Given {
  credential?: Credential | null;
  /** Who this process takes the caller for. */
  remembered?: Actor;
  /** Who it is, as the database has it. */
  is?: Actor | null;
  /** What each actor may do with the record; nothing where it is not there. */
  powers: Record<string, number>;
  /** Whether the finder's statement carries the proof, where it finds a row. */
  isProvenByRow?: boolean;
  isProven?: boolean;
  needs?: Requirement;
}

/** What comes of it: who is let in, or the name of a refusal; who was looked for, and what it took. */
async function admitted({ credential = token, powers, isProven = false, isProvenByRow = true, ...given }: Given) {
  const remembered = given.remembered ?? actor('one');
  const is = given.is === undefined ? remembered : given.is;
  const lookedFor: string[] = [];
  let [read, proofs] = [0, 0];
  statements = 0;
  const callers: Callers = {
    remembered: () => remembered,
    read: async () => {
      read += 1;
      return is;
    },
    proof: (sql: Sql) => {
      proofs += 1;
      return sql`${is?.stamp ?? null}::text`;
    },
  };
  const find = async ({ sql, actor: who, proof }: Look) => {
    lookedFor.push(who.userId);
    const found = powers[who.userId];
    const [row] = await sql<
      { id: string }[]
    >`select 'ws-1' as id${proof.column} where ${found !== undefined && isProvenByRow}`;
    proof.of(row);
    return found === undefined ? undefined : record(found);
  };
  const one = { subject: { find }, needs: given.needs ?? needs } as unknown as AnyEndpoint;
  const door = { sql: store.read, lock: null, isProven };
  const outcome = await admit(one, { credential, actor: remembered, params: {} }, callers, door).then(
    found => found.actor.userId,
    (error: ApiError) => error.faults.map(({ name }) => name).join(),
  );
  return [outcome, lookedFor, { read, proofs, statements }];
}

test('§5.1 a caller that is still who it was taken for is let in by one look, whether a row or a question proves it', async () => {
  const powers = { one: writes };
  const unread = (count: number) => ({ read: 0, proofs: 1, statements: count });
  expect(await admitted({ powers })).toEqual(['one', ['one'], unread(1)]);
  expect(await admitted({ powers, isProvenByRow: false })).toEqual(['one', ['one'], unread(2)]);
  expect(await admitted({ powers: {} })).toEqual(['not-found', ['one'], unread(2)]);
});

test('§5.1 a caller that has changed is read, and looked for as who it is now', async () => {
  const is = actor('other');
  for (const isProvenByRow of [true, false]) {
    const changed = { is, isProvenByRow };
    const again = [['one', 'other'], { read: 1, proofs: 1, statements: isProvenByRow ? 2 : 3 }];
    expect(await admitted({ ...changed, powers: { one: writes, other: writes } })).toEqual(['other', ...again]);
    expect(await admitted({ ...changed, powers: { one: writes } })).toEqual(['not-found', ...again]);
    expect(await admitted({ ...changed, powers: { one: 0, other: writes } })).toEqual(['other', ...again]);
  }
});

test('§5.1 a caller that is nobody any more is unauthorized, and the holder of an address is told that it ended', async () => {
  const gone = { is: null, powers: { one: writes } };
  expect((await admitted(gone))[0]).toBe('unauthorized');
  expect((await admitted({ ...gone, credential: address }))[0]).toBe('address-ended');
});

test('§5.1 nobody asks who a visitor is, nor who was read a moment ago', async () => {
  const changed = { is: actor('other'), powers: { one: writes } };
  for (const certain of [{ credential: null }, { isProven: true }, { credential: null, isProven: true }])
    expect(await admitted({ ...changed, ...certain })).toEqual(['one', ['one'], { read: 0, proofs: 0, statements: 1 }]);
});

test('§5.5 one of the powers lets in; else the record is missing, but to those who are told why', () => {
  const cases: [Requirement, number | undefined, ErrorName | null][] = [
    [needs, undefined, 'not-found'],
    [needs, reads, 'not-found'],
    [needs, writes, null],
    [needs, reads | writes, null],
    [told, undefined, 'not-found'],
    [told, 4, 'not-found'],
    [told, reads, 'run-transition'],
    [told, reads | 4, 'run-transition'],
    [told, reads | writes, null],
  ];
  for (const [one, powers, refusal] of cases)
    expect([powers, refusalTo(one, powers === undefined ? undefined : record(powers))]).toEqual([powers, refusal]);
});

test('§5 whoever would be let in by another way of signing in is told which, and nothing else', async () => {
  const withheld = [
    { refusal: 'unauthorized', actor: actor('by another') },
    { refusal: 'second-factor-required', actor: actor('with a factor') },
  ] as const;
  const remembered = actor('one', { withheld });
  expect((await admitted({ remembered, powers: { 'with a factor': writes } }))[0]).toBe('second-factor-required');
  expect((await admitted({ remembered, powers: { 'by another': writes } }))[0]).toBe('unauthorized');
  expect((await admitted({ remembered, powers: { 'by another': reads } }))[0]).toBe('not-found');
  expect((await admitted({ remembered, powers: {} }))[0]).toBe('not-found');
  // Who is refused as they are, or would be, is told so.
  expect((await admitted({ remembered, powers: { one: reads, 'by another': writes }, needs: told }))[0]).toBe(
    'run-transition',
  );
  expect((await admitted({ remembered, powers: { 'by another': reads }, needs: told }))[0]).toBe('unauthorized');
});
