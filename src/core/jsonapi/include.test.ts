/** Toy resources: relationships that name their records only where they are included, and what that includes. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { Actor } from '../access/actor.ts';
import { limits } from '../limits.ts';
import type { Sql } from '../store/store.ts';
import { column, type Deployment, gathered, type Row, reference, references, text } from './fields.ts';
import { gatherIncluded, loadIncluded, type Registry, readInclude } from './include.ts';
import { compile, type Resource, resource, schemaOf } from './resource.ts';

const here = { edition: 'self-hosted', release: '202611-1', profile: 'documented', publicUrl: '' } as Deployment;
const sql = undefined as unknown as Sql;
const actor = {} as Actor;

let gatherings: string[][];
let loads: string[][];
beforeEach(() => {
  gatherings = [];
  loads = [];
});

const stickerOf: Record<string, (Row & { text: string })[]> = {
  'toy-1': [
    { id: 'sticker-1', text: 'fragile' },
    { id: 'sticker-2', text: 'this side up' },
  ],
  'toy-2': [{ id: 'sticker-2', text: 'this side up' }],
};

const gather = async (_sql: Sql, rows: readonly Row[]) => {
  gatherings.push(rows.map(({ id }) => id));
  return new Map(rows.map(({ id }) => [id, stickerOf[id] ?? []]));
};

const stickers = resource({ type: 'stickers', attributes: { text: column(text) }, relationships: {} });
const boxes = resource({
  type: 'boxes',
  attributes: { name: column(text) },
  relationships: {},
  load: async (_sql, _actor, ids) => {
    loads.push([...ids]);
    return ids.map(id => ({ id, name: `box ${id}` }));
  },
});
const toys = resource({
  type: 'toys',
  attributes: { name: column(text) },
  relationships: {
    box: reference('boxes', 'box_id'),
    stickers: gathered('stickers', row => `/toys/${row.id}/stickers`, gather),
  },
});

const registry: Registry = new Map(
  [stickers, boxes, toys].map(one => [one.type, { resource: one as Resource, compiled: compile(one, here) }]),
);
const toysHere = () => [
  { id: 'toy-1', name: 'bear', box_id: 'box-1' },
  { id: 'toy-2', name: 'ball', box_id: 'box-1' },
  { id: 'toy-3', name: 'kite', box_id: null },
];

async function including(rows: Row[], include: string) {
  const paths = readInclude({ include }, ['box', 'stickers']);
  const asks = { paths, registry, sql, actor, isChange: false };
  const found = await gatherIncluded({ resource: toys, rows }, asks);
  const data = rows.map(row => JSON.parse(registry.get('toys')!.compiled.stringify(row, found)));
  const included = await loadIncluded({ resource: toys, rows }, asks, found);
  return { data, included: included.map(text => JSON.parse(text)) };
}

describe('a relationship of gathered records', () => {
  test('is links alone while nobody includes it, and nothing is looked for', async () => {
    const { data, included } = await including(toysHere(), 'box');
    expect(data[0].relationships.stickers).toEqual({ links: { related: '/toys/toy-1/stickers' } });
    expect(included.map(({ id }) => id)).toEqual(['box-1']);
    expect([gatherings, loads]).toEqual([[], [['box-1']]]);
  });

  test('names the records of each row once it is included; they are found for all rows at once, and come once', async () => {
    const { data, included } = await including(toysHere(), 'stickers,box');
    const named = data.map(({ relationships }) => relationships.stickers.data.map(({ id }: Row) => id));
    expect(named).toEqual([['sticker-1', 'sticker-2'], ['sticker-2'], []]);
    expect(data[0].relationships.stickers.links).toEqual({ related: '/toys/toy-1/stickers' });
    expect(included.map(({ type, id }) => [type, id])).toEqual([
      ['stickers', 'sticker-1'],
      ['stickers', 'sticker-2'],
      ['boxes', 'box-1'],
    ]);
    expect(gatherings).toEqual([['toy-1', 'toy-2', 'toy-3']]);
  });

  test('says nothing of rows that another request reads', async () => {
    await including(toysHere(), 'stickers');
    const { data } = await including(toysHere(), 'box');
    expect(data[0].relationships.stickers).not.toHaveProperty('data');
  });

  test('is described with data that may be absent', () => {
    const { properties } = schemaOf(toys as Resource, here) as unknown as {
      properties: { relationships: { properties: { stickers: { required: string[]; properties: object } } } };
    };
    const { stickers: described } = properties.relationships.properties;
    expect([Object.keys(described.properties), described.required]).toEqual([['data', 'links'], ['links']]);
  });
});

describe('what is included', () => {
  const crates = (length: number, name: string) =>
    resource({
      type: 'crates',
      attributes: { name: column(text) },
      relationships: {},
      load: async (_sql, _actor, ids) => {
        loads.push([...ids]);
        return ids.slice(0, length).map(id => ({ id, name }));
      },
    }) as Resource;
  const stacked = async (count: number, name: string, isChange = false) => {
    const target = crates(count, name);
    const stacks = resource({ type: 'stacks', attributes: {}, relationships: { crates: references('crates', 'ids') } });
    const ids = Array.from({ length: count }, (_, index) => `crate-${index}`);
    const half = Math.ceil(count / 2);
    const rows = [
      { id: 'stack-1', ids: ids.slice(0, half) },
      { id: 'stack-2', ids: ids.slice(half) },
    ];
    const registry: Registry = new Map([['crates', { resource: target, compiled: compile(target, here) }]]);
    const asks = { paths: [['crates']], registry, sql, actor, isChange };
    return (await loadIncluded({ resource: stacks as Resource, rows }, asks, new Map())).length;
  };

  test('is read in batches, up to a number of records beyond which nothing is read at all', async () => {
    expect(await stacked(limits.included_items.value, 'small')).toBe(limits.included_items.value);
    expect(Math.max(...loads.map(ids => ids.length))).toBe(limits.loadedAtOnce_items.value);
    loads = [];
    await expect(stacked(limits.included_items.value + 1, 'small')).rejects.toThrow('include-too-large');
    expect(loads).toEqual([]);
  });

  test('is refused once it is too long, and the rest is not read', async () => {
    const tenth = 'x'.repeat(limits.included_bytes.value / 10);
    expect(await stacked(9, tenth)).toBe(9);
    await expect(stacked(10, tenth)).rejects.toThrow('include-too-large');
    loads = [];
    await expect(stacked(2000, tenth)).rejects.toThrow('include-too-large');
    expect(loads.length).toBe(1);
  });

  test('is cut where it belongs to the answer of a change, which has been made', async () => {
    const tenth = 'x'.repeat(limits.included_bytes.value / 10);
    expect(await stacked(30, tenth, true)).toBe(9);
    expect(await stacked(limits.included_items.value + 1, 'small', true)).toBe(0);
  });
});

test('a document names so many records of a relationship, and its link leads to all of them', () => {
  const { identifiers } = references('toys', 'ids');
  const ids = Array.from({ length: limits.relationship_items.value + 1 }, (_, index) => `toy-${index}`);
  expect(identifiers({ ...{ ids }, id: 'box-1' }, new Map()).length).toBe(limits.relationship_items.value);
});

test('a path that the endpoint does not know is refused by name', () => {
  expect(() => readInclude({ include: 'box,lid' }, ['box'])).toThrow('invalid-include');
});
