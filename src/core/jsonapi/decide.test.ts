/** §5: what becomes of a request, from its caller to what is recorded of it; on made-up boxes in a real database. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createDatabase, type TestDatabase } from '../../../test/running/database.ts';
import { type Actor, type Callers, visitor } from '../access/actor.ts';
import { ApiError, attributeFault, type Fault } from '../errors.ts';
import { openStore, row, type Sql, type Store } from '../store/store.ts';
import { turns } from '../store/turns.ts';
import { documentBody } from './body.ts';
import type { Asked, Precondition, Services } from './context.ts';
import { decide } from './decide.ts';
import type { AnyEndpoint, GivenSession } from './endpoint.ts';
import { listDigest } from './entity-tag.ts';
import { column, type Deployment, nullable, type Row, text } from './fields.ts';
import type { Registry } from './include.ts';
import { word } from './query.ts';
import type { Finder, Look, Params, Subject } from './records.ts';
import { compile, type Resource, resource } from './resource.ts';

const here = { edition: 'self-hosted', release: '202611-1', profile: 'documented', publicUrl: '' } as Deployment;
const boxes = resource({
  type: 'boxes',
  attributes: {
    name: column(nullable(text), { write: nullable(text) }),
    note: column(nullable(text), { write: nullable(text) }),
  },
  relationships: {},
});
const registry: Registry = new Map([['boxes', { resource: boxes as Resource, compiled: compile(boxes, here) }]]);
const digest = (one: Row) => registry.get('boxes')!.compiled.write(one, new Map()).digest;
const [reads, writes] = [1, 2];

let database: TestDatabase;
let store: Store;
beforeAll(async () => {
  database = await createDatabase();
  store = openStore(database.connection, { connections: 2 });
  await store.read`create table boxes (id text primary key, name text, note text)`;
  await store.read`create table recorded (at integer generated always as identity, change jsonb not null)`;
});
afterAll(async () => {
  await store?.close();
  await database?.drop();
});

/** What the caller may do with every box, how each look held it, for whom turns were taken, and how often it was proved who asks. */
let powers: number;
let looks: unknown[];
let turnsTaken: string[];
let proofs: number;
/** Whether somebody else changes the boxes behind the next look. */
let isOvertaken = false;
beforeEach(async () => {
  [powers, looks, turnsTaken, proofs] = [reads | writes, [], [], 0];
  await store.read`truncate boxes, recorded`;
  await store.read`insert into boxes (id, name) values ('box-1', 'toys')`;
});

const ann: Actor = { ...visitor, kind: 'user', userId: 'user-ann', username: 'ann', stamp: 'ann' };
const callers: Callers = {
  remembered: () => ann,
  read: async () => null,
  proof: (sql: Sql) => {
    proofs += 1;
    return sql`${ann.stamp}::text`;
  },
};
const found = async ({ sql, lock, proof }: Look, { box_id: id }: Params) => {
  looks.push(lock);
  const [box] = await sql<Row[]>`
    select boxes.id, boxes.name, boxes.note${proof.column} from boxes where boxes.id = ${id ?? ''}`;
  proof.of(box);
  if (isOvertaken) {
    isOvertaken = false;
    await store.read`update boxes set note = 'theirs'`;
  }
  return box && ({ ...box, powers } as unknown as Subject<string>);
};
const subject: Finder<Subject<string>> = { parameter: 'box_id', find: found };
const asEndpoint = (given: object) =>
  ({ section: '§1', paths: ['/boxes/:box_id'], subject, ...given }) as unknown as AnyEndpoint;
const show = asEndpoint({
  operation: 'boxes.show',
  method: 'GET',
  needs: { action: 'read', anyOf: reads },
  answer: { status: 200, document: boxes },
  handle: ({ subject: box }: { subject: Row }) => box,
});
const listed = (all: Row[]) => ({ rows: all, total: all.length });
const list = {
  ...show,
  operation: 'boxes.list',
  answer: { status: 200, collection: boxes, pages: 'never' },
  handle: async ({ sql }) => listed(await sql<Row[]>`select boxes.* from boxes order by boxes.id`),
} as AnyEndpoint;
const update = asEndpoint({
  operation: 'boxes.update',
  method: 'PATCH',
  needs: { action: 'write', anyOf: writes },
  body: documentBody(boxes),
  answer: { status: 200, document: boxes, reads: subject },
  handle: async ({ sql, subject: box, body }: { sql: Sql; subject: Row; body: { attributes: object } }) => {
    await sql`update boxes set ${row(sql, { note: 'changed', ...body.attributes })} where boxes.id = ${box.id}`;
  },
});

const bodyOf = (attributes: object) => Buffer.from(JSON.stringify({ data: { type: 'boxes', attributes } }));
const asked = (given: Partial<Asked> = {}) =>
  ({
    ...{ id: 'req-1', credential: { kind: 'token', hash: Buffer.of() }, actor: ann, params: { box_id: 'box-1' } },
    ...{ remoteAddress: '127.0.0.1', userAgent: null, isCertain: false, query: {}, page: { number: 1, size: 20 } },
    ...{ commandLine: null, body: bodyOf({ name: 'tools' }), incoming: null, precondition: null },
    ...given,
  }) as Asked;

const realTurns = turns();
const services = (): Services => ({
  ...{ config: {} as Services['config'], deployment: here, store, callers, registry },
  event: (sql, change) => sql`insert into recorded (change) values (${sql.json(change as never)})`,
  turns: {
    take: (record, work) => {
      turnsTaken.push(record);
      return realTurns.take(record, work);
    },
  },
});
const answer = async (one: AnyEndpoint, given?: Partial<Asked>) => (await decide(one, asked(given), services())).answer;
const faultsOf = (one: AnyEndpoint, given?: Partial<Asked>): Promise<readonly Fault[]> =>
  decide(one, asked(given), services()).then(
    () => [],
    (error: ApiError) => {
      if (!error.faults) throw error;
      return error.faults;
    },
  );
const refusal = async (one: AnyEndpoint, given?: Partial<Asked>) =>
  (await faultsOf(one, given)).map(({ name }) => name).join() || 'let in';
// biome-ignore lint/suspicious/noExplicitAny: what was recorded is compared as a document.
const recorded = async (): Promise<any[]> =>
  (await store.read`select recorded.change from recorded order by recorded.at`).map(one => one['change']);
const nameNow = async () => (await store.read`select boxes.name from boxes where boxes.id = 'box-1'`)[0]!['name'];

describe('what a run calls', () => {
  const ofRun = (phase: 'plan' | 'apply' | 'task'): Partial<Asked> => ({
    actor: { ...ann, run: { runId: 'run-1', workspaceId: 'ws-1', organizationId: 'org-1', phase } },
  });
  const [forRuns, forTasks] = [
    { ...show, isForRuns: true },
    { ...show, isForTasks: true },
  ] as [AnyEndpoint, AnyEndpoint];
  test('§5.4 an engine what is for runs, a run task what is for tasks, and people everything', async () => {
    const all = [show, forRuns, forTasks, { ...forTasks, isForRuns: true } as AnyEndpoint];
    const letIn = (given?: Partial<Asked>) => Promise.all(all.map(one => refusal(one, given)));
    const not = 'not-found';
    expect(await letIn()).toEqual(['let in', 'let in', 'let in', 'let in']);
    expect(await letIn(ofRun('plan'))).toEqual([not, 'let in', not, 'let in']);
    expect(await letIn(ofRun('apply'))).toEqual([not, 'let in', not, 'let in']);
    expect(await letIn(ofRun('task'))).toEqual([not, not, 'let in', 'let in']);
    expect(await refusal({ ...show, refusesRuns: 'run-transition' }, ofRun('plan'))).toBe('run-transition');
  });
});

describe('what is read', () => {
  test('§5.5 takes no turn, holds nothing, proves its caller once, and records nothing', async () => {
    expect(await answer(show)).toMatchObject({ id: 'box-1', name: 'toys' });
    expect([looks, turnsTaken, proofs, await recorded()]).toEqual([[null], [], 1, []]);
    await answer(show, { isCertain: true });
    expect(proofs).toBe(1);
  });

  test('§4.3 an empty list is one whose record is still there, and others are not looked for again', async () => {
    expect(await answer(list)).toMatchObject({ total: 1 });
    expect(looks.length).toBe(1);
    const emptied = { ...list, handle: () => listed([]) } as AnyEndpoint;
    expect([await answer(emptied), proofs]).toEqual([listed([]), 2]);
    expect(looks.length).toBe(3);
    const gone = async ({ sql }: { sql: Sql }) => {
      await sql`delete from boxes`;
      return listed([]);
    };
    expect(await refusal({ ...list, handle: gone } as AnyEndpoint)).toBe('not-found');
  });

  test('§4.6 adds to no event and gives no session', async () => {
    for (const act of ['note', 'alsoIn', 'giveSession', 'afterwards'] as const) {
      const acts = { ...show, handle: (context: { [act]: (given: unknown) => void }) => context[act]?.({}) };
      await expect(answer(acts as unknown as AnyEndpoint)).rejects.toThrow('boxes.show reads');
    }
  });
});

describe('what is changed', () => {
  test('§4.6 is changed in its turn on a held row, for a caller who is proved in it, and recorded with what it is now', async () => {
    expect(await answer(update)).toMatchObject({ id: 'box-1', name: 'tools', note: 'changed' });
    expect([looks, turnsTaken, proofs]).toEqual([[null, 'update', null], ['box-1'], 1]);
    const [change, ...more] = await recorded();
    expect(more).toEqual([]);
    expect(change).toMatchObject({
      ...{ operation: 'boxes.update', requestId: 'req-1', remoteAddress: '127.0.0.1', actor: { username: 'ann' } },
      subject: { name: 'toys' },
      result: { type: 'boxes', row: { name: 'tools' } },
    });
  });

  test('§4.6 what only needs the row to stay takes no turn, and holds it as it says', async () => {
    await answer({ ...update, holds: 'key share' });
    await answer({ ...update, holds: null });
    expect([looks, turnsTaken]).toEqual([[null, 'key share', null, null, null, null], []]);
  });

  test('§4.6 what goes ahead of the hold on its row is done once, and again where the row was another by then', async () => {
    const handled: unknown[] = [];
    const handling = (given: object) => {
      const handle = (context: { subject: { note: unknown } }) => {
        handled.push(context.subject.note);
        return update.handle(context as never, undefined as never);
      };
      return { ...update, ...given, handle } as unknown as AnyEndpoint;
    };
    const seenBy = async (given: object, isMeanwhile: boolean) => {
      handled.length = 0;
      await store.read`update boxes set note = null`;
      isOvertaken = isMeanwhile;
      await answer(handling(given));
      return [...handled];
    };
    const goesAhead = true;
    expect(await seenBy({ goesAhead }, false)).toEqual([null]);
    expect(await seenBy({ goesAhead }, true)).toEqual([null, 'theirs']);
    expect(await seenBy({ goesAhead, holds: 'key share' }, true)).toEqual([null, 'theirs']);
    expect(await seenBy({}, true)).toEqual(['theirs']);
    expect((await recorded()).map(({ subject: box }) => box.note)).toEqual([null, 'theirs', 'theirs', 'theirs']);
    handled.length = 0;
    await Promise.all([answer(handling({ goesAhead })), answer(handling({ goesAhead }))]);
    expect(handled).toHaveLength(2);
  });

  test('§1 answers with the record that its handler names, as its caller sees it, or with what the handler returns', async () => {
    await store.read`insert into boxes (id, name) values ('box-2', 'pans')`;
    expect(await answer({ ...update, handle: () => 'box-2' })).toMatchObject({ name: 'pans' });
    const bare = { ...update, answer: { status: 200, document: boxes }, handle: () => ({ id: 'box-3' }) };
    expect(await answer(bare as AnyEndpoint)).toEqual({ id: 'box-3' });
    await expect(answer({ ...update, handle: () => 'box-4' })).rejects.toThrow('does not see');
    const silent = { ...update, answer: { status: 204 } } as AnyEndpoint;
    expect(await answer(silent)).toBe(undefined);
    expect((await recorded()).at(-1).result).toBe(null);
  });

  test('§1 a visitor who is given a session is recorded as who it is; whoever was somebody, as before', async () => {
    const session = { id: 'session-1', secret: 's', endsAt: new Date(), userId: 'user-bob', username: 'bob' };
    const giving = (given: GivenSession | null) =>
      ({
        ...update,
        handle: (context: { giveSession: (one: unknown) => void }) => context.giveSession(given),
      }) as never;
    const entering = { credential: null, actor: visitor };
    expect((await decide(giving(session), asked(entering), services())).session).toBe(session);
    expect((await decide(update, asked(entering), services())).session).toBe(undefined);
    await answer(giving(session));
    await answer(giving(null), entering);
    const actors = (await recorded()).map(({ actor }) => [actor.kind, actor.userId, actor.tokenId, actor.sessionId]);
    expect(actors).toEqual([
      ['user', 'user-bob', 'session-1', 'session-1'],
      ['visitor', 'visitor', null, null],
      ['user', 'user-ann', null, null],
      ['visitor', 'visitor', null, null],
    ]);
  });
});

describe('what is wrong with a body', () => {
  const unreadable = bodyOf({ name: 'a\0b' });
  const at = (pointer: string) => ({ source: { pointer: `/data/attributes/${pointer}` } });

  test('§1 is said of each place once, with what the rules found elsewhere, and nothing is changed', async () => {
    const check = ({ faults }: { faults: Fault[] }) => {
      faults.push(attributeFault('name', 'is missing'), attributeFault('note', 'is missing'));
      faults.push({ name: 'invalid-relationship' }, { name: 'invalid-parameter', source: { parameter: 'page' } });
    };
    const faults = await faultsOf({ ...update, check } as AnyEndpoint, { body: unreadable });
    expect(faults).toMatchObject([
      at('name'),
      at('note'),
      { name: 'invalid-relationship' },
      { name: 'invalid-parameter' },
    ]);
    expect([faults.length, 'source' in faults[2]!]).toEqual([4, false]);
    expect([await faultsOf(update, { body: unreadable }), await nameNow()]).toMatchObject([[at('name')], 'toys']);
    expect(await refusal({ ...update, check } as AnyEndpoint)).not.toBe('let in');
  });

  test('§1 is said before anything is prepared; what is prepared has the body, and may record a refusal', async () => {
    const prepared: unknown[] = [];
    const prepare = async ({ body }: { body: unknown }) => prepared.push(body);
    const preparing = { ...update, prepare } as unknown as AnyEndpoint;
    const both = bodyOf({ name: 'a\0b', note: 7 });
    expect(await faultsOf(preparing, { body: both })).toMatchObject([at('name'), at('note')]);
    expect([await faultsOf(preparing, { body: unreadable }), prepared]).toMatchObject([[at('name')], []]);
    const given = {
      ...preparing,
      handle: ({ received }: { received: unknown }) => prepared.push(received) && undefined,
    };
    await answer(given as AnyEndpoint);
    expect(prepared).toMatchObject([{ attributes: { name: 'tools' } }, 1]);
    type Prelude = { recordRefusal: (operation: string, id: string) => Promise<void> };
    const refusing = { ...update, prepare: ({ recordRefusal }: Prelude) => recordRefusal('boxes.refuse', 'box-1') };
    await answer(refusing as unknown as AnyEndpoint);
    expect((await recorded()).map(({ operation }) => operation)).toEqual([
      'boxes.update',
      'boxes.refuse',
      'boxes.update',
    ]);
  });

  test('§3 what was received of a request that is refused is thrown away, and of others it is kept', async () => {
    const [thrown, handled]: [unknown[], unknown[]] = [[], []];
    const receives = {
      take: async () => ({ rest: bodyOf({ name: 'received' }), received: 'long' }),
      discard: async (received: unknown) => void thrown.push(received),
    };
    const handle = ({ received, body }: { received: unknown; body: object }) => void handled.push(received, body);
    const receiving = { ...update, receives, handle, body: documentBody(boxes) } as unknown as AnyEndpoint;
    await answer(receiving);
    expect([handled, thrown]).toMatchObject([['long', { attributes: { name: 'received' } }], []]);
    const failing = () => Promise.reject(new Error('the handler failed'));
    await expect(answer({ ...receiving, handle: failing })).rejects.toThrow('the handler failed');
    expect(thrown).toEqual(['long']);
    await expect(answer({ ...update, handle: failing })).rejects.toThrow('the handler failed');
  });
});

describe('If-Match', () => {
  const meant = (ifMatch: string, ...shownBy: AnyEndpoint[]): Partial<Asked> => ({
    precondition: { ifMatch, shownBy } satisfies Precondition,
  });
  const box = { id: 'box-1', name: 'toys', note: null };
  const tag = `"${digest(box)}"`;

  test('a change is made to what the caller was shown, by whatever shows it, and to nothing else', async () => {
    expect(await refusal(update, meant(tag))).toBe('precondition-unknown');
    expect(await refusal(update, meant('"old"', show, list))).toBe('precondition-failed');
    expect(await nameNow()).toBe('toys');
    expect(await refusal(update, meant(tag, list, show))).toBe('let in');
    expect(await refusal(update, meant(tag, show))).toBe('precondition-failed');
  });

  test('a list is meant as a whole, with the query that it has where nothing is said', async () => {
    const tagOfList = `"${listDigest(listed([box]), digest)}"`;
    const queried: unknown[] = [];
    const query = { kind: word('What kind', 'wood') };
    const asking = (context: { query: unknown }) => queried.push(context.query) && listed([box]);
    const typed = { ...list, query, handle: asking } as unknown as AnyEndpoint;
    expect(await refusal(update, meant(tagOfList, typed))).toBe('let in');
    expect(queried).toEqual([{ kind: undefined }]);
    await store.read`update boxes set name = 'toys', note = null`;
    expect(await refusal(update, meant(tagOfList, list))).toBe('let in');
  });

  test('§5.5 no tag names what its caller is not shown, nor what is not there yet', async () => {
    powers = writes;
    expect(await refusal(update, meant(tag, show))).toBe('precondition-failed');
    expect(await refusal(update, meant('*', show))).toBe('precondition-failed');
    powers = reads | writes;
    const absent = { ...show, subject: { ...subject, find: async () => undefined } } as AnyEndpoint;
    expect(await refusal(update, meant('*', absent))).toBe('precondition-failed');
    const notYet = { ...show, handle: () => Promise.reject(new ApiError('not-found')) } as AnyEndpoint;
    expect(await refusal(update, meant('*', notYet))).toBe('precondition-failed');
    expect(await refusal(update, meant('*', show))).toBe('let in');
  });
});
