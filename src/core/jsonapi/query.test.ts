import { describe, expect, test } from 'vitest';
import type { ApiError } from '../errors.ts';
import { limits } from '../limits.ts';
import {
  alias,
  flag,
  instant,
  list,
  type Parameters,
  type RawQuery,
  readQuery,
  required,
  sort,
  term,
  wholeNumber,
  word,
  words,
} from './query.ts';

const declared = {
  q: term('Text'),
  names: list('Names', 3),
  colours: words('Colours', 'red', 'green'),
  only: flag('Only those'),
  sort: sort('The order', 'name', 'age'),
  since: instant('Since then'),
  size: wholeNumber('Size', 1, 9),
  kind: alias(word('Kind', 'cat', 'dog'), 'species'),
} satisfies Parameters;

const nothing = { names: [], colours: [], only: false };
const read = (query: RawQuery) => readQuery(query, declared);

/** `parameter: reason` of every fault. */
function faultsOf(query: RawQuery, parameters: Parameters = declared): string[] {
  try {
    readQuery(query, parameters);
  } catch (error) {
    const { faults, status } = error as ApiError;
    expect(status).toBe(400);
    return faults.map(({ source, values }) => `${(source as { parameter: string }).parameter}: ${values!['reason']}`);
  }
  return [];
}

describe('a declared parameter', () => {
  test('is what it was declared to be, and silence where the query says nothing', () => {
    expect(read({})).toEqual(nothing);
    expect(read({ q: '', names: '', only: '', sort: '' })).toEqual(nothing);
    const query = { q: 'a', names: 'b, c,b,', colours: 'red', only: 'true', sort: '-age', size: '007', species: 'dog' };
    expect(read(query)).toEqual({
      q: 'a',
      names: ['b', 'c'],
      colours: ['red'],
      only: true,
      sort: { by: 'age', isReversed: true },
      size: 7,
      kind: 'dog',
    });
  });

  test('is the last one where it is repeated, and of two names the first', () => {
    expect(read({ q: ['a', 'b'], names: ['a,b', 'c'] })).toMatchObject({ q: 'b', names: ['a', 'b', 'c'] });
    expect(read({ kind: 'cat', species: 'dog' })).toMatchObject({ kind: 'cat' });
  });

  test('a time is one in UTC, in whatever zone it is said', () => {
    const times = ['2026-01-31', '2026-01-31T12:00', '2026-01-31T12:00:00.5Z', '2026-01-31T12:00:00+02:00'];
    expect(times.map(since => read({ since })['since'])).toEqual([
      '2026-01-31T00:00:00.000Z',
      '2026-01-31T12:00:00.000Z',
      '2026-01-31T12:00:00.500Z',
      '2026-01-31T10:00:00.000Z',
    ]);
    // What some clients say for no time at all.
    expect(read({ since: '0001-01-01T00:00:00Z' }).since).toBe('0001-01-01T00:00:00.000Z');
  });

  test('what is not declared cannot be read', () => {
    expect(Object.keys(read({ other: 'x', q: 'a' }))).not.toContain('other');
  });
});

describe('a list in a query', () => {
  const names = (most: number) => Array.from({ length: most }, (_, at) => `n${at}`).join();

  test.each([
    ['of conditions', list('Tags'), limits.queryList_items.value],
    ['of names', list('Names', limits.queryNames_items.value), limits.queryNames_items.value],
  ])('%s holds so many and no more', (_what, tags, most) => {
    expect(readQuery({ tags: names(most) }, { tags }).tags).toHaveLength(most);
    expect(() => readQuery({ tags: names(most + 1) }, { tags })).toThrow();
  });
});

describe('a query with faults', () => {
  test('has all of them answered at once, each with its parameter', () => {
    const query = {
      q: 'a'.repeat(limits.searchText_characters.value + 1),
      names: 'a,b,c,d',
      colours: 'red,blue',
      only: 'yes',
      sort: 'size',
      since: 'now',
    };
    expect(faultsOf({ ...query, size: '10', kind: 'cow' })).toEqual([
      'q: q holds at most 1024 characters.',
      'names: names names at most 3; this one names 4.',
      'colours: colours takes red, green, comma separated.',
      'only: only must be one of: true, false.',
      'sort: sort must be name or age, with - in front to reverse.',
      'since: since must be a time such as 2026-01-31T12:00:00.000Z.',
      'size: size must be a whole number from 1 to 9.',
      'kind: kind must be one of: cat, dog.',
    ]);
  });

  test('is refused without a parameter that it needs', () => {
    const needed = { id: required(term('The record')) };
    expect(faultsOf({}, needed)).toEqual(['id: id must be given.']);
    expect(faultsOf({ id: '' }, needed)).toEqual(['id: id must be given.']);
    expect(readQuery({ id: 'x' }, needed)).toEqual({ id: 'x' });
  });

  test.each(['0', '-1', '1.5', '1e1', ' 1', 'NaN', '9'.repeat(30)])('a whole number is not %j', size => {
    expect(faultsOf({ size })).toHaveLength(1);
  });

  test.each([
    ...['2026-13-01', '2026-01-31 12:00', '31.1.2026', '2026-01-31T25:00:00Z', '+275760-09-13T00:00:00Z'],
    ...['0000-01-01', '0000-12-31T23:59:59Z', '0001-01-01T00:00:00+00:01', '9999-12-31T23:59:59-00:01'],
  ])('a time is not %j', since => {
    expect(faultsOf({ since })).toHaveLength(1);
  });
});
