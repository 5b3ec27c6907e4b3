/** What no request may carry. */

import { describe, expect, test, vi } from 'vitest';
import type { ApiError } from '../errors.ts';
import { limits } from '../limits.ts';
import { inspectParams, inspectQuery, readJson } from './guard.ts';

const read = (text: string) => readJson(Buffer.from(text));

function refusalOf(work: () => unknown): [string, unknown] | null {
  try {
    work();
    return null;
  } catch (error) {
    const { name, source } = (error as ApiError).faults[0];
    return [name, source];
  }
}

function reasonOf(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return (error as ApiError).faults[0].values?.['reason'];
  }
}

describe('bodies', () => {
  test('are JSON, or nothing at all', () => {
    expect(read('{"a":[1,"b",null]}')).toEqual({ json: { a: [1, 'b', null] }, faults: [] });
    expect(read('')).toEqual({ json: undefined, faults: [] });
    for (const text of ['{', "{'a':1}", '[1,]', 'NaN', ' ', '{"a":1}x']) {
      expect([text, refusalOf(() => read(text))]).toEqual([text, ['malformed-json', { pointer: '' }]]);
    }
    expect(refusalOf(() => readJson(Buffer.from([0xc3, 0x28])))).toEqual(['malformed-json', { pointer: '' }]);
    expect(reasonOf(() => readJson(Buffer.from([0xc3, 0x28])))).toBe('it is not UTF-8');
    expect(reasonOf(() => read('NaN'))).toContain('JSON');
  });

  test('lose what cannot be stored, and name each place of it', () => {
    const { json, faults } = read(
      '{"data":{"attributes":{"a":"\\u0000","b":["\\ud800","x"],"c/d~e":"\\udc00","k\\u0000":1}}}',
    );
    expect(json).toEqual({ data: { attributes: { b: [undefined, 'x'], 'k\0': 1 } } });
    const places = ['/a', '/b/0', '/c~1d~0e', ''].map(place => ({ pointer: `/data/attributes${place}` }));
    expect(faults.map(({ name, source }) => [name, source])).toEqual(places.map(place => ['invalid-attribute', place]));
    expect(read('{"a":"\\u0000"}').faults[0]).toMatchObject({ name: 'invalid-document', source: { pointer: '/a' } });
  });

  test('keep whole pairs of surrogates, and names that mean something to JavaScript', () => {
    expect(read('"\\ud83d\\ude00"').json).toBe('😀');
    const { json } = read('{"__proto__":{"a":1},"constructor":2}');
    expect(Object.keys(json as object)).toEqual(['__proto__', 'constructor']);
    expect(({} as { a?: number }).a).toBeUndefined();
  });

  test('are at most 32 deep', () => {
    const most = limits.bodyDepth_levels.value;
    const deep = (levels: number) => `${'['.repeat(levels)}1${']'.repeat(levels)}`;
    expect(refusalOf(() => read(deep(most)))).toBeNull();
    expect(refusalOf(() => read(deep(most + 1)))).toEqual(['malformed-request', { pointer: '/0'.repeat(most) }]);
  });
});

describe('a body that holds too much', () => {
  test('is refused before anything is made of it', () => {
    const parse = vi.spyOn(JSON, 'parse');
    const many = (values: number) => `{"a":[${Array(values).fill('"\\\\"').join(', ')}]}`;
    expect(refusalOf(() => read(many(limits.bodyValues_items.value + 1)))).toEqual([
      'malformed-request',
      { pointer: '' },
    ]);
    expect(refusalOf(() => read(`{"a":${'['.repeat(50_000)}`))).toEqual(['malformed-request', { pointer: '' }]);
    expect(parse).not.toHaveBeenCalled();
    parse.mockRestore();
  });

  /** Long enough to be looked through for a flood. */
  const long = (json: string) => `{"a":"${'x'.repeat(40_000)}","b":${json}}`;

  test('is none for as many lists and objects as there may be, one beside the other', () => {
    const some = Array(400).fill('[[{}],{"a":[]},1234567890]').join(',\n');
    const { json } = read(long(`[[${some}],[${some}]]`));
    expect((json as { b: unknown[][] }).b.map(list => list.length)).toEqual([400, 400]);
  });

  test('by one value or one level is refused in the flood, and not where a value of it stands', () => {
    const lists = (...lengths: number[]) => `[${lengths.map(length => `[${Array(length).fill('1')}]`)}]`;
    const full = Array<number>(19).fill(1000);
    const place = (text: string) => (refusalOf(() => read(text))?.[1] as { pointer: string } | undefined)?.pointer;
    // Of 20,000 that commas part, those that hold the others are too many: which one is seen when values are made.
    const most = lists(...full, 1000).replace('[[1,', '[[');
    expect(place(long(most))).toMatch(/^.b.19.9\d\d$/);
    expect(place(long(lists(...full, 1000)))).toBe('');
    const deep = (levels: number) => long(`${'['.repeat(levels)}${']'.repeat(levels)}`);
    expect(place(deep(31))).toBeUndefined();
    expect(place(deep(32))).toBe('');
    expect(refusalOf(() => read('['.repeat(40_000)))).toEqual(['malformed-request', { pointer: '' }]);
    // With the body itself, its two members and the twenty lists there are 20,000.
    expect(place(long(lists(...full, 977)))).toBeUndefined();
    expect(place(long(lists(...full, 978)))).toBe('/b/19/977');
  });

  test('has a list that is too long', () => {
    const list = (items: number) => `{"a":[${Array(items).fill(1).join()}]}`;
    const most = limits.bodyList_items.value;
    expect(refusalOf(() => read(list(most)))).toBeNull();
    expect(refusalOf(() => read(list(most + 1)))).toEqual(['invalid-document', { pointer: '/a' }]);
  });

  test('is none for what its texts hold', () => {
    const text = '\\"[{,\\\\'.repeat(10_000);
    const { json } = read(`{"a":"${text}","b":"${text}"}`);
    expect(json).toEqual({ a: '"[{,\\'.repeat(10_000), b: '"[{,\\'.repeat(10_000) });
  });
});

describe('queries and paths', () => {
  test('a query holds at most 200 parameters, repeated ones counted each', () => {
    const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, '1']));
    expect(refusalOf(() => inspectQuery(many(limits.queryParameters_items.value), '/'))).toBeNull();
    expect(refusalOf(() => inspectQuery(many(limits.queryParameters_items.value + 1), '/'))).toEqual([
      'invalid-parameter',
      { parameter: 'p200' },
    ]);
    expect(refusalOf(() => inspectQuery({ a: 'x'.repeat(201) }, '/'))).toBeNull();
    const repeated = { a: Array.from({ length: 201 }, () => 'x') };
    expect(refusalOf(() => inspectQuery(repeated, '/'))).toEqual(['invalid-parameter', { parameter: 'a' }]);
  });

  test('broken percent-encoding is found in the address, since the parser takes it for text', () => {
    expect(refusalOf(() => inspectQuery({ q: '%zz' }, '/a?q=%zz'))).toEqual(['malformed-request', { parameter: 'q' }]);
    expect(refusalOf(() => inspectQuery({ q: '%zz' }, '/a?q=%25zz'))).toBeNull();
    expect(refusalOf(() => inspectQuery({ q: 'a b' }, '/a%?q=a+b'))).toBeNull();
    expect(refusalOf(() => inspectQuery({}, '/a%zz'))).toBeNull();
    expect(refusalOf(() => inspectQuery({ q: '%zz' }, '?q=%zz'))).toEqual(['malformed-request', { parameter: 'q' }]);
  });

  test('NUL and lone surrogates are refused by the name of the parameter', () => {
    for (const a of ['\0', ['x', '\0']])
      expect(refusalOf(() => inspectQuery({ a }, '/'))).toEqual(['malformed-request', { parameter: 'a' }]);
    expect(refusalOf(() => inspectQuery({ a: ['x', 'y'], b: undefined }, '/'))).toBeNull();
    expect(refusalOf(() => inspectParams({ team_id: '\udfff' }))).toEqual([
      'malformed-request',
      { parameter: 'team_id' },
    ]);
    expect(refusalOf(() => inspectParams({ team_id: 'team-1' }))).toBeNull();
  });
});
