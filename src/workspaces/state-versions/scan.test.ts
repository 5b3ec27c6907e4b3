import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stateOf } from '../../../test/builders/state.ts';
import { contentsReader } from './contents.ts';
import { NotJson, stateScanner } from './scan.ts';

/** The document as the scanner saw it, put together again. */
function scanned(text: string | Buffer, cuts: readonly number[] = []): Record<string, unknown> {
  const bytes = Buffer.from(text);
  const seen: Record<string, unknown> = {};
  const scanner = stateScanner((member, item, json) => {
    if (item === null) seen[member] = json;
    else if (member === 'resources') seen[member] = [...((seen[member] as unknown[]) ?? []), json];
    else seen[member] = { ...(seen[member] as object), [item]: json };
  });
  const places = [0, ...[...cuts].map(cut => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  for (let index = 1; index < places.length; index += 1) {
    // A copy that is wiped afterwards: nothing may be held of a chunk.
    const chunk = Buffer.from(bytes.subarray(places[index - 1], places[index]));
    scanner.push(chunk);
    chunk.fill(0x21);
  }
  scanner.end();
  return seen;
}

const document = fc
  .record({
    resources: fc.array(fc.oneof(fc.jsonValue(), fc.constant({ a: '"}]\\' })), { minLength: 1 }),
    outputs: fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }),
    version: fc.jsonValue(),
    extra: fc.jsonValue(),
  })
  .map(value => JSON.parse(JSON.stringify(value)) as Record<string, unknown>);

describe('the scanner', () => {
  test('sees what JSON.parse sees, wherever the chunks are cut', () => {
    fc.assert(
      fc.property(document, fc.array(fc.nat()), fc.constantFrom(0, 2), (value, cuts, indent) => {
        const keys = Object.keys(value['outputs'] as object);
        fc.pre(!keys.includes('__proto__'));
        expect(scanned(JSON.stringify(value, null, indent), cuts)).toEqual(value);
      }),
    );
  });

  test('refuses what JSON.parse refuses, and everything that is no object', () => {
    const text = JSON.stringify({ version: 4, outputs: { a: { value: 'x' } }, resources: [{ type: 't' }, {}] });
    for (let end = 0; end < text.length; end += 1)
      expect(() => scanned(text.slice(0, end)), text.slice(0, end)).toThrow(NotJson);
    const broken = ['[]', '1', '"a"', 'null', '{', '}', '{"a"}', '{"a":}', '{"a":1,}', '{,}', '{"a":1}}', '{"a":1}x'];
    const deeper = [
      '{"resources":[1,]}',
      '{"resources":[}',
      '{"outputs":{"a":1,}}',
      '{"outputs":{]}',
      '{"resources":[1}',
    ];
    const values = [
      '{"a":tru}',
      '{"a":01}',
      '{"a":"\n"}',
      "{'a':1}",
      '{"a" 1}',
      '{"a":1 "b":2}',
      '{"a":{"b":1]}}',
      '\ufeff{}',
    ];
    for (const each of [...broken, ...deeper, ...values]) expect(() => scanned(each), each).toThrow(NotJson);
    expect(() => scanned(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]))).toThrow('UTF-8');
    for (const each of [
      '{}',
      ' {"a":1} \n',
      '{"resources":[]}',
      '{"outputs":{}}',
      '{"resources":null,"outputs":[1]}',
    ]) {
      expect(() => scanned(each), each).not.toThrow();
    }
  });
});

describe('the contents', () => {
  const read = (state: Buffer) => {
    const reader = contentsReader();
    reader.push(state);
    return reader.end();
  };
  const provider = 'provider["registry.terraform.io/hashicorp/aws"]';
  const block = (members: object) => ({ mode: 'managed', type: 'aws_instance', name: 'web', provider, ...members });

  test('addresses name module, index and deposed instances; data sources are no resources', () => {
    const resources = [
      block({ instances: [{}] }),
      block({ module: 'module.net["a"].module.sub[0]', instances: [{ index_key: 0 }, { index_key: 'k"ey' }] }),
      block({ name: 'old', instances: [{}, { deposed: '0a1b2c3d' }] }),
      block({ mode: 'data', type: 'aws_ami', instances: [{}] }),
    ];
    const { instances, groups, modules, providers, billableCount } = read(stateOf({ resources }));
    expect(instances.map(({ address }) => address)).toEqual([
      'aws_instance.web',
      'net["a"].sub[0].aws_instance.web[0]',
      'net["a"].sub[0].aws_instance.web["k\\"ey"]',
      'aws_instance.old',
      'aws_instance.old (deposed 0a1b2c3d)',
    ]);
    expect(instances[1]).toMatchObject({
      module: 'net.sub',
      provider: 'hashicorp/aws',
      provider_type: 'aws_instance',
      name_index: '0',
    });
    expect(groups.at(-1)).toMatchObject({ type: 'data.aws_ami', module: 'root', count: 1 });
    expect(modules).toEqual({
      root: { 'aws-instance': 3, 'data.aws-ami': 1 },
      'net.sub': { 'aws-instance': 2 },
    });
    expect(providers).toEqual({ [provider]: { 'aws-instance': 5, 'data.aws-ami': 1 } });
    expect(billableCount).toBe(5);
  });

  test('outputs have the words of clients for their types', () => {
    const types: [unknown, unknown, string][] = [
      ['string', 's', 'string'],
      ['number', 1, 'number'],
      ['bool', true, 'bool'],
      [['list', 'string'], ['a'], 'array'],
      [['tuple', ['string']], ['a'], 'array'],
      [['map', 'string'], {}, 'object'],
      [['object', { a: 'string' }], { a: 'b' }, 'object'],
      ['dynamic', null, 'object'],
    ];
    const outputs = Object.fromEntries(types.map(([type, value], index) => [`o${index}`, { type, value }]));
    expect(read(stateOf({ outputs })).outputs.map(({ type }) => type)).toEqual(types.map(([, , word]) => word));
  });

  test('what is of another format or was encrypted by the client has resources that cannot be told', () => {
    expect(read(stateOf()).isReadable).toBe(true);
    expect(read(stateOf({ version: 3 })).isReadable).toBe(false);
    expect(read(stateOf({ encrypted_data: 'AAAA' })).isReadable).toBe(false);
    expect(read(Buffer.from('{}'))).toMatchObject({ isReadable: false, formatVersion: null, lineage: null });
  });

  test('text that PostgreSQL cannot hold is taken without what it cannot hold', () => {
    const resources = [block({ instances: [{ index_key: 'a\0b\ud800' }] })];
    const { instances } = read(stateOf({ resources } as never));
    expect(instances[0]?.name_index).toBe('ab\ufffd');
  });

  test('elements of resources that are no objects are refused', () => {
    for (const resources of [[1], ['a'], [null], [[]]])
      expect(() => read(stateOf({ resources } as never))).toThrow(NotJson);
  });
});
