import { describe, expect, test } from 'vitest';
import { type BindingGiven, bindingFaults } from './binding-rules.ts';

const pointer = '/data/relationships/tag-bindings/data';

const texts = (...bindings: BindingGiven[]) => bindingFaults(bindings, pointer).map(fault => fault.values?.['reason']);
const places = (...bindings: BindingGiven[]) =>
  bindingFaults(bindings, pointer).map(({ source }) => (source as { pointer: string }).pointer.slice(pointer.length));

const numbered = (count: number) => Array.from({ length: count }, (_, number) => ({ key: `key-${number}` }));

describe('bindings of one request', () => {
  test('§8 tag-bindings/direct: ten pass, eleven are one fault', () => {
    expect(texts(...numbered(10))).toEqual([]);
    expect(texts(...numbered(11))).toEqual(['cannot exceed 10 bindings per resource']);
  });

  test('§8 tag-key/length: 128 characters pass, 129 do not', () => {
    expect(texts({ key: 'k'.repeat(128) })).toEqual([]);
    expect(texts({ key: 'k'.repeat(129) })).toEqual(['Key is too long (maximum is 128 characters)']);
  });

  test('§8 tag-value/length: 256 characters pass, 257 do not', () => {
    expect(texts({ key: 'k', value: 'v'.repeat(256) })).toEqual([]);
    expect(texts({ key: 'k', value: 'v'.repeat(257) })).toEqual(['Value is too long (maximum is 256 characters)']);
  });

  test('§8 tag-text/characters: letters, digits and _ . = + - @ : pass, everything else is refused', () => {
    expect(texts({ key: 'aZ09_.=+-@:', value: 'aZ09_.=+-@:' })).toEqual([]);
    for (const text of ['a b', 'a/b', 'ä', 'a\n', 'a%', 'a,b', '*']) {
      expect(places({ key: text, value: text }), text).toEqual(['/0/attributes/key', '/0/attributes/value']);
    }
  });

  test('§8 tag-key/reserved: the two prefixes are refused in keys, and only at their beginning', () => {
    expect(places({ key: 'hc:a' }, { key: 'hcp:a' })).toEqual(['/0/attributes/key', '/1/attributes/key']);
    expect(texts({ key: 'hc:a' })[0]).toMatch(/^Key is invalid/);
    expect(texts({ key: 'hc' }, { key: 'a-hc:b' }, { key: 'c', value: 'hc:d' })).toEqual([]);
  });

  test('a key without a value passes, a blank key does not', () => {
    expect(texts({ key: 'a' }, { key: 'b', value: null }, { key: 'c', value: '' })).toEqual([]);
    expect(texts({ key: '' })).toEqual(["Key can't be blank"]);
  });

  test('a key given twice is a fault at its second place', () => {
    expect(places({ key: 'a', value: '1' }, { key: 'b' }, { key: 'a', value: '2' })).toEqual(['/2/attributes/key']);
  });
});
