import { expect, test } from 'vitest';
import { compareStates } from './compare.ts';

const state = (resources: object[], outputs = {}) => JSON.stringify({ version: 4, resources, outputs });
const resource = (name: string, attributes: object, more = {}) => ({
  mode: 'managed',
  type: 'aws_vpc',
  name,
  instances: [{ attributes, ...more }],
});

test('web: two states differ by what was added, changed and removed, attribute by attribute', () => {
  const before = state([
    resource('kept', { id: '1' }),
    resource('changed', { size: 1, tags: { a: 'b' } }),
    resource('gone', {}),
  ]);
  const after = state([
    resource('kept', { id: '1' }),
    resource('changed', { size: 2, tags: { a: 'b' } }),
    resource('new', { id: '9' }),
  ]);
  expect(compareStates(before, after)).toEqual({
    resources: [
      {
        name: 'aws_vpc.changed',
        change: 'change',
        values: [{ path: 'size', before: 1, after: 2, isSensitive: false }],
      },
      { name: 'aws_vpc.gone', change: 'remove', values: [] },
      {
        name: 'aws_vpc.new',
        change: 'add',
        values: [{ path: 'id', before: undefined, after: '9', isSensitive: false }],
      },
    ],
    outputs: [],
    unchanged: 1,
  });
});

test('web: what either state calls sensitive is marked, in resources as in outputs', () => {
  const secret = { sensitive_attributes: [[{ type: 'get_attr', value: 'password' }]] };
  const { resources, outputs } = compareStates(
    state([resource('db', { password: 'old' })], { key: { value: 'a' } }),
    state([resource('db', { password: 'new' }, secret)], { key: { value: 'b', sensitive: true } }),
  );
  expect(resources[0]!.values[0]!.isSensitive).toBe(true);
  expect(outputs[0]!.values[0]!.isSensitive).toBe(true);
});

test('web: instances are told apart by their keys, modules and data sources by their addresses', () => {
  const counted = {
    mode: 'data',
    module: 'module.net',
    type: 'x',
    name: 'y',
    instances: [{ index_key: 0 }, { index_key: 'a' }],
  };
  expect(compareStates(state([]), state([counted])).resources.map(({ name }) => name)).toEqual([
    'module.net.data.x.y["a"]',
    'module.net.data.x.y[0]',
  ]);
});

test('web: with names only, states of any size differ by what was added and removed', () => {
  const { resources, unchanged } = compareStates(
    state([resource('a', { id: 1 })]),
    state([resource('a', { id: 2 })]),
    true,
  );
  expect([resources, unchanged]).toEqual([[], 1]);
});
