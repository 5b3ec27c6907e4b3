import { expect, test } from 'vitest';
import { parseSearch, stringifySearch } from '../search.ts';
import { parseTyped, readAddress, withoutChip } from './address.ts';

test('web: a pasted address gives the same filters, and the same address again', () => {
  const pasted =
    '?q=ledger&status=errored&status=attention&project=payments&tag=env:production&-tag=legacy&sort=name&page=2&size=50';
  const address = readAddress(parseSearch(pasted));
  expect(address).toEqual({
    q: 'ledger',
    status: ['errored', 'attention'],
    project: 'payments',
    tag: ['env:production'],
    '-tag': ['legacy'],
    sort: 'name',
    page: 2,
    size: 50,
  });
  expect(stringifySearch(address as Record<string, unknown>)).toBe(pasted);
});

test('web: defaults are left out of the address, bad values are dropped and named', () => {
  const address = readAddress(parseSearch('?status=errored,broken&sort=colour&page=1&size=20&colour=red'));
  expect(address).toEqual({ status: ['errored'], dropped: ['broken', 'sort: colour', 'colour: red'] });
});

test('web: words of the filter field become filters, the rest is a name', () => {
  const { address, rest } = parseTyped('ledger tag:env:prod -tag:legacy status:errored status:odd project:pay', {
    page: 3,
  });
  expect(address).toEqual({ tag: ['env:prod'], '-tag': ['legacy'], status: ['errored'], project: 'pay' });
  expect(rest).toBe('ledger status:odd');
});

test('web: a chip that is taken away leaves the others, on the first page', () => {
  const address = { tag: ['a', 'b'], project: 'pay', page: 4 };
  expect(withoutChip(address, { key: 'tag', value: 'a' })).toEqual({ tag: ['b'], project: 'pay' });
});
