/** A toy resource: what a table of fields yields. */
import { Type } from 'typebox';
import { describe, expect, test } from 'vitest';
import { keep } from '../store/kept.ts';
import {
  boolean,
  booleans,
  choice,
  column,
  computed,
  type Deployment,
  type Identifier,
  integer,
  linked,
  metadata,
  nullable,
  type Row,
  reference,
  references,
  text,
  texts,
  timestamp,
  word,
  written,
} from './fields.ts';
import { attributesIn, columns, compile, defaults, type Resource, resource, schemaOf } from './resource.ts';

const here: Deployment = {
  edition: 'self-hosted',
  release: '202611-1',
  profile: 'documented',
  publicUrl: 'https://a.example',
} as Deployment;
const hosted: Deployment = { ...here, edition: 'hosted' };

const toys = resource({
  type: 'toys',
  attributes: {
    name: column(text, { write: true }),
    'piece-count': column(integer, { write: true, default: 1 }),
    'made-at': column(timestamp),
    'old-name': column(nullable(text), { column: 'former', write: true, default: null }),
    colour: column(word('red', 'blue'), { write: true, default: 'red' }),
    parts: column(texts, { write: Type.Array(Type.String({ maxLength: 3 })), default: [] }),
    loud: computed(boolean, ({ volume }: Row & { volume: number }) => volume > 5, { write: true }),
    address: computed(text, (row, { publicUrl }) => `${publicUrl}/${row.id}`),
    permissions: computed(booleans('can-play', 'can-break'), () => ({ 'can-play': true, 'can-break': false })),
    'is-rented': column(boolean, { when: ({ edition }) => edition === 'hosted' }),
  },
  relationships: {
    box: reference('boxes', 'box_id', (row: Row & { box_id: string }) => `/boxes/${row.box_id}`),
    owner: choice(['users', 'teams'], (row: Row & { owner: Identifier }) => row.owner),
    friends: references('toys', 'friend_ids'),
    photos: linked(row => `/toys/${row.id}/photos`),
    battery: metadata(row => `/toys/${row.id}/battery`),
  },
  links: row => ({ self: `/toys/${row.id}` }),
});

const row = {
  id: 'toy-1',
  name: 'Bär "1"\n',
  piece_count: 3,
  made_at: '2026-01-02T03:04:05.678Z',
  former: null,
  colour: 'red',
  parts: ['a', 'b'],
  volume: 9,
  is_rented: true,
  box_id: 'box-1',
  owner: { type: 'teams', id: 'team-1' },
  friend_ids: ['toy-2', 'toy-3'],
  secret: 'not shown',
};

const attributes = {
  name: 'Bär "1"\n',
  'piece-count': 3,
  'made-at': '2026-01-02T03:04:05.678Z',
  'old-name': null,
  colour: 'red',
  parts: ['a', 'b'],
  loud: true,
  address: 'https://a.example/toy-1',
  permissions: { 'can-play': true, 'can-break': false },
};

const nothing = new Map();

describe('the document', () => {
  test('holds columns by their names, computed fields, relationships in their forms and links; nothing else', () => {
    expect(JSON.parse(compile(toys, here).stringify(row))).toEqual({
      id: 'toy-1',
      type: 'toys',
      attributes,
      relationships: {
        box: { data: { id: 'box-1', type: 'boxes' }, links: { related: '/boxes/box-1' } },
        owner: { data: { id: 'team-1', type: 'teams' }, links: { related: '/api/v2/teams/team-1' } },
        friends: {
          data: [
            { id: 'toy-2', type: 'toys' },
            { id: 'toy-3', type: 'toys' },
          ],
        },
        photos: { links: { related: '/toys/toy-1/photos' } },
        battery: { meta: {}, links: { related: '/toys/toy-1/battery' } },
      },
      links: { self: '/toys/toy-1' },
    });
  });

  test('shows an empty reference as null, without a link to nothing', () => {
    const empty = { ...row, box_id: null, owner: null, friend_ids: [] };
    const { relationships } = JSON.parse(compile(toys, here).stringify(empty));
    expect(relationships).toMatchObject({ box: { data: null }, owner: { data: null }, friends: { data: [] } });
    expect(relationships.box.links).toBeUndefined();
    expect(relationships.owner.links).toBeUndefined();
  });

  test('shows what is JSON already as it is, whatever the other attributes hold', () => {
    const json = '{"n":12345678901234567891, "a":{}}';
    const notes = (name: string, others: object) =>
      compile(
        resource({
          type: 'notes',
          attributes: { json: written((row: Row & { json: string }) => row.json), ...others },
          relationships: {},
        }),
        here,
      ).stringify({ ...{ name, json }, id: 'note-1' });
    expect(notes('', {})).toBe(`{"id":"note-1","type":"notes","attributes":{"json":${json}}}`);
    const quoting = '"attributes":{';
    const shown = notes(quoting, { name: column(text) });
    expect(shown).toContain(`"json":${json}`);
    expect(JSON.parse(shown)['attributes']['name']).toBe(quoting);
  });

  test('fails loudly when a SELECT forgot a column', () => {
    const { made_at: _forgotten, ...rest } = row;
    expect(() => compile(toys, here).stringify(rest as Row)).toThrow(/made-at/);
  });

  test('keeps the bytes of a row that is kept, and of no copy of it', () => {
    const compiled = compile(toys, here);
    const rows = keep(10, 2 ** 20);
    rows.keep(row, 'stamp');
    const kept = rows.find<typeof row>(row.id, 'stamp', 1, one => one)!;
    expect(String(compiled.write(kept, nothing).bytes)).toBe(compiled.stringify(row));
    expect(compiled.write(kept, nothing).bytes).toBe(compiled.write(kept, nothing).bytes);
    expect(compiled.write(kept, nothing).digest).toBe(compiled.write({ ...row }, nothing).digest);
    expect(compiled.write({ ...kept, ...{ name: 'ball' } }, nothing).bytes).toBe(
      compiled.stringify({ ...row, ...{ name: 'ball' } }),
    );
  });

  test('§9 has only the fields of its edition', () => {
    expect(JSON.parse(compile(toys, hosted).stringify(row)).attributes).toEqual({ ...attributes, 'is-rented': true });
    expect(attributesIn(toys, here).map(([name]) => name)).not.toContain('is-rented');
  });
});

describe('the schema', () => {
  test('requires every attribute, says null by a list of types, and never anyOf', () => {
    const schema = schemaOf(toys, here) as unknown as {
      properties: { attributes: { required: string[]; properties: object } };
    };
    expect(schema.properties.attributes.required).toEqual(Object.keys(attributes));
    expect(schema.properties.attributes.properties).toMatchObject({
      'old-name': { type: ['string', 'null'] },
      colour: { type: 'string', enum: ['red', 'blue'] },
      'made-at': { type: 'string', format: 'date-time' },
    });
    expect(JSON.stringify(schema)).not.toContain('anyOf');
    expect(nullable(word('a', 'b'))).toMatchObject({ type: ['string', 'null'], enum: ['a', 'b', null] });
  });
});

describe('what is written', () => {
  test('are the plain columns of a body that may be written, by column', () => {
    const given = {
      name: 'a',
      'old-name': null,
      loud: true,
      'made-at': 'x',
      unknown: 1,
      parts: undefined,
      colour: 'blue',
    };
    expect(columns(toys, given)).toEqual({ name: 'a', former: null, colour: 'blue' });
  });

  test('defaults are by column, null among them', () => {
    expect(defaults(toys)).toEqual({ piece_count: 1, former: null, colour: 'red', parts: [] });
  });
});

describe('what some documents have and others have not', () => {
  interface Gift extends Row {
    giver_id: string | null;
    kind: string;
  }
  const inherited = linked((gift: Gift) => `/people/${gift.giver_id}`);
  const gifts = resource({
    type: 'gifts',
    typed: { types: ['toys', 'books'], typeOf: (gift: Gift) => gift.kind },
    attributes: { name: column(text) },
    relationships: {
      giver: { ...inherited, isShown: (gift: Gift) => gift.giver_id !== null },
      price: { ...reference('prices', 'price_id'), when: ({ edition }) => edition === 'hosted' },
    },
  });
  const document = (members: object, deployment = here) =>
    JSON.parse(compile(gifts, deployment).stringify({ ...{ name: 'bear', price_id: null }, id: 'gift-1', ...members }));

  test('a relationship is left out where its row says so, and where the edition does not know it', () => {
    expect(document({ kind: 'toys', giver_id: null }).relationships).toEqual({});
    expect(document({ kind: 'toys', giver_id: 'user-1' }).relationships).toEqual({
      giver: { links: { related: '/people/user-1' } },
    });
    expect(document({ kind: 'toys', giver_id: null }, hosted).relationships).toEqual({ price: { data: null } });
  });

  test('a row says which of the types its document bears; the schema knows them all', () => {
    expect(document({ kind: 'books', giver_id: null }).type).toBe('books');
    const { properties } = schemaOf(gifts as Resource, here) as unknown as { properties: { type: { enum: string[] } } };
    expect(properties.type.enum).toEqual(['toys', 'books']);
  });
});
