/** A toy resource: what a body may say, and every fault of it at once, each with its pointer. */

import { Type } from 'typebox';
import { describe, expect, test } from 'vitest';
import { ApiError, errorDocument } from '../errors.ts';
import { limits } from '../limits.ts';
import { documentBody, embedded, identifiersBody, toMany, toOne, valueBody } from './body.ts';
import { boolean, column, computed, type Deployment, integer, nullable, text, timestamp, word } from './fields.ts';
import { resource } from './resource.ts';

const here = { edition: 'self-hosted', release: '202611-1', profile: 'documented', publicUrl: '' } as Deployment;
const hosted: Deployment = { ...here, edition: 'hosted' };

const toys = resource({
  type: 'toys',
  attributes: {
    name: column(text, { write: true }),
    'piece-count': column(integer, { write: Type.Integer({ minimum: 1, maximum: 9 }) }),
    colour: column(word('red', 'blue'), { write: true }),
    code: column(nullable(text), {
      write: nullable(Type.String({ pattern: '^[a-z]+$', 'x-rule': 'may only contain small letters' })),
    }),
    box: computed(text, () => '', { write: Type.Object({ width: integer, 'a/b': Type.Optional(integer) }) }),
    'made-at': column(text),
    rented: column(boolean, { write: true, when: ({ edition }) => edition === 'hosted' }),
  },
  relationships: {},
});

const body = documentBody(toys, {
  required: ['name'],
  aliases: { title: 'name', hired: 'rented' },
  relationships: {
    owner: toOne('users', 'teams'),
    friends: toMany('toys'),
    stickers: embedded('stickers', Type.Object({ text: Type.String({ maxLength: 3 }) })),
  },
  requiredRelationships: ['owner'],
});

const owner = { data: { type: 'users', id: 'user-1' } };
const parse = (attributes: object, relationships: object = { owner }, deployment = here) =>
  body.parse({ data: { type: 'toys', attributes, relationships } }, deployment);
const faultsOf = (parsed: ReturnType<typeof parse>) =>
  parsed.faults.map(({ source, values }) => [(source as { pointer: string }).pointer, values?.['reason']]);

describe('attributes', () => {
  test('that may be written are taken, others are passed over', () => {
    const { value, faults } = parse({ name: 'a', code: null, 'made-at': 'x', unknown: 1, __proto__: null });
    expect([value.attributes, faults]).toEqual([{ name: 'a', code: null }, []]);
  });

  test('of the wrong form are named with a sentence each, all at once, and left out', () => {
    const parsed = parse({ 'piece-count': 10, colour: 'green', code: 'A1', box: { 'a/b': 'x' } });
    expect(faultsOf(parsed)).toEqual([
      ['/data/attributes/name', "Name can't be blank"],
      ['/data/attributes/piece-count', 'Piece count must be <= 9'],
      ['/data/attributes/colour', 'Colour must be one of: red, blue'],
      ['/data/attributes/code', 'Code may only contain small letters'],
      ['/data/attributes/box/width', "Width can't be blank"],
      ['/data/attributes/box/a~1b', 'A~1b must be integer'],
    ]);
    expect(parsed.value.attributes).toEqual({});
  });

  test('of the wrong type need no second complaint', () => {
    expect(faultsOf(parse({ name: 1, code: 2, colour: null }))).toEqual([
      ['/data/attributes/name', 'Name must be string'],
      ['/data/attributes/colour', 'Colour must be string'],
      ['/data/attributes/code', 'Code must be string or null'],
    ]);
  });

  test('have other names, which must agree', () => {
    expect(parse({ title: 'a' }).value.attributes).toEqual({ name: 'a' });
    expect(parse({ title: 'a', name: 'a' })).toMatchObject({ value: { attributes: { name: 'a' } }, faults: [] });
    const [[pointer] = []] = faultsOf(parse({ title: 'a', name: 'b' }));
    expect(pointer).toBe('/data/attributes/title');
  });

  test('§9 of another edition are unknown, by each of their names', () => {
    expect(parse({ name: 'a', rented: 'x', hired: 'x' }).faults).toEqual([]);
    expect(parse({ name: 'a', hired: true }, { owner }, hosted).value.attributes).toEqual({ name: 'a', rented: true });
    expect(faultsOf(parse({ name: 'a', rented: 'x' }, { owner }, hosted))).toHaveLength(1);
  });
});

describe('relationships', () => {
  test('yield ids, null, or the attributes of what they embed', () => {
    const stickers = { data: [{ type: 'stickers', attributes: { text: 'abc' } }] };
    const friends = { data: [{ type: 'toys', id: 'toy-1' }] };
    expect(parse({ name: 'a' }, { owner, friends, stickers }).value.relationships).toEqual({
      owner: 'user-1',
      friends: ['toy-1'],
      stickers: [{ text: 'abc' }],
    });
    const nobody = parse({ name: 'a' }, { owner: { data: null } });
    expect([nobody.value.relationships, faultsOf(nobody)]).toEqual([
      {},
      [['/data/relationships/owner', "Owner can't be blank"]],
    ]);
  });

  test('that are missing, malformed or of another type are named at their places', () => {
    const pointers = (relationships: object) =>
      faultsOf(parse({ name: 'a' }, relationships)).map(([pointer]) => pointer);
    expect(pointers({})).toEqual(['/data/relationships/owner']);
    expect(pointers({ owner: {} })).toEqual(['/data/relationships/owner']);
    expect(pointers({ owner: 'user-1' })).toEqual(['/data/relationships/owner']);
    expect(pointers({ owner: { data: [] } })).toEqual(['/data/relationships/owner/data']);
    expect(pointers({ owner: { data: { type: 'toys', id: 1 } } })).toEqual([
      '/data/relationships/owner/data/type',
      '/data/relationships/owner/data/id',
    ]);
    expect(pointers({ owner, friends: { data: [{ type: 'toys', id: 'a' }, { type: 'x', id: 'b' }, 1] } })).toEqual([
      '/data/relationships/friends/data/1/type',
      '/data/relationships/friends/data/2',
    ]);
    expect(pointers({ owner, stickers: { data: [{ type: 'stickers', attributes: { text: 'abcd' } }] } })).toEqual([
      '/data/relationships/stickers/data/0/attributes/text',
    ]);
  });

  test('of a thousand faults each is found, and twenty are told', () => {
    const friends = { data: Array.from({ length: 1000 }, () => 1) };
    const { faults } = parse({ name: 'a' }, { owner, friends });
    expect(faults).toHaveLength(1000);
    const { errors } = JSON.parse(errorDocument(new ApiError(faults)));
    expect(errors).toHaveLength(limits.faults_items.value + 1);
    expect(errors.at(-1)).toEqual({ status: '422', title: 'unprocessable entity', detail: 'and 980 more.' });
  });
});

describe('other bodies', () => {
  test('a list of identifiers yields ids, and names each place that is none', () => {
    const list = identifiersBody('users');
    expect(list.parse({ data: [{ type: 'users', id: 'a' }] }, here)).toEqual({ value: ['a'], faults: [] });
    expect(list.parse({ data: [] }, here)).toEqual({ value: [], faults: [] });
    for (const [json, pointer] of [
      [undefined, ''],
      [[], ''],
      [{}, '/data'],
      [{ data: {} }, '/data'],
      [{ data: [{ type: 'users' }] }, '/data/0/id'],
    ] as const) {
      const { value, faults } = list.parse(json, here);
      expect([value, faults.map(({ source }) => source)]).toEqual([[], [{ pointer }]]);
    }
  });

  test('another shape is read by its own function, and stands aside while it has faults', () => {
    const reason = valueBody(
      Type.Object({ reason: Type.String() }),
      json => (json as { reason: string }).reason,
      'none',
    );
    expect(reason.parse({ reason: 'a' }, here)).toEqual({ value: 'a', faults: [] });
    expect(reason.parse({ reason: 1 }, here)).toMatchObject({
      value: 'none',
      faults: [{ source: { pointer: '/reason' } }],
    });
  });
});

test('a moment is one that comes back as it was sent, wherever on earth it was written', () => {
  const events = resource({
    type: 'events',
    attributes: { at: column(nullable(timestamp), { write: true }) },
    relationships: {},
  });
  const faultsOf = (at: string) => {
    const { faults } = documentBody(events).parse({ data: { type: 'events', attributes: { at } } }, here);
    return faults.map(({ source, values }) => [source, values?.['reason']]);
  };
  for (const at of [
    '2026-11-21T11:29:59Z',
    '1900-01-01T00:00:00Z',
    '9999-12-31T23:59:59.999Z',
    '2016-12-31T23:59:60Z',
    '2026-01-01T00:00:00+14:00',
  ]) {
    expect(faultsOf(at), at).toEqual([]);
  }
  const refusal = [{ pointer: '/data/attributes/at' }, 'At must be a date and time such as 2026-11-21T11:29:59Z'];
  for (const at of [
    '0000-01-01T00:00:00Z',
    '0001-01-01T00:00:00+14:00',
    '9999-12-31T23:59:59-12:00',
    '2026-13-01T00:00:00Z',
    'soon',
  ]) {
    expect(faultsOf(at), at).toEqual([refusal]);
  }
});
