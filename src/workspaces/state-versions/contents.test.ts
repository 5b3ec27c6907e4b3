import { describe, expect, test } from 'vitest';
import { type StateGiven, stateOf } from '../../../test/builders/state.ts';
import { limits } from '../../core/limits.ts';
import { contentsReader } from './contents.ts';
import { Unwanted } from './json-reader.ts';

describe('the contents', () => {
  const read = (state: Buffer) => {
    const reader = contentsReader();
    reader.push(state);
    return { ...reader.drain(), ...reader.end() };
  };
  /** The same members, in the order of their names: what a tool that sorts makes of a state. */
  const sorted = (json: unknown): unknown => {
    if (Array.isArray(json)) return json.map(sorted);
    if (typeof json !== 'object' || json === null) return json;
    return Object.fromEntries(
      Object.entries(json)
        .sort(([one], [other]) => (one < other ? -1 : 1))
        .map(([name, value]) => [name, sorted(value)]),
    );
  };
  const refusalOf = (members: Record<string, unknown>) => {
    try {
      read(stateOf(members as StateGiven));
    } catch (error) {
      if (error instanceof Unwanted) return error.message;
      throw error;
    }
    return null;
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
    const again = read(Buffer.from(JSON.stringify(sorted({ resources }))));
    expect(again.instances.map(({ address }) => address)).toEqual(instances.map(({ address }) => address));
    expect([again.modules, again.providers, again.groups]).toEqual([modules, providers, groups]);
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

  test('values keep every digit and every member that the client wrote', () => {
    const value = '{"a":12345678901234567891,"b":[1.10,1e400,"\\u00e9 \\\\\\" x"],"a":2}';
    const text = `{"version":4,"outputs":{"n":{"value": ${value.replaceAll(',', ' ,\n ')},"type":"dynamic"}}}`;
    expect(read(Buffer.from(text)).outputs).toMatchObject([{ name: 'n', value, type: 'object' }]);
  });

  test('what is odd is refused at its place', () => {
    const instance = (members: object) => ({ resources: [block({ instances: [{}, members] })] });
    const refused: [Record<string, unknown>, string][] = [
      [{ resources: [1] }, 'resources[0] must be an object'],
      [{ resources: [block({}), null] }, 'resources[1] must be an object'],
      [{ resources: [[]] }, 'resources[0] must be an object'],
      [{ outputs: [1] }, 'outputs must be an object'],
      [{ outputs: { a: 1 } }, 'outputs.a must be an object'],
      [{ outputs: { a: { value: 1, sensitive: 'yes' } } }, 'outputs.a.sensitive must be true or false'],
      [{ resources: [block({ type: { toString: 1 } })] }, 'resources[0].type must be a text'],
      [{ resources: [block({ module: 5 })] }, 'resources[0].module must be a text'],
      [{ resources: [block({ name: null })] }, 'resources[0] must have a type and a name'],
      [{ resources: [block({ instances: {} })] }, 'resources[0].instances must be a list'],
      [{ resources: [block({ instances: [1] })] }, 'resources[0].instances[0] must be an object'],
      [instance({ index_key: {} }), 'resources[0].instances[1].index_key must be a text or a whole number'],
      [instance({ index_key: true }), 'resources[0].instances[1].index_key must be a text or a whole number'],
      [instance({ deposed: ['a'] }), 'resources[0].instances[1].deposed must be a text'],
      [{ lineage: 5 }, 'lineage must be a text'],
      [{ terraform_version: ['1'] }, 'terraform_version must be a text'],
    ];
    for (const [members, message] of refused) expect(refusalOf(members)).toBe(message);
  });

  test('what is said twice is refused, since nobody could tell what was meant', () => {
    const twice: [string, string][] = [
      ['{"lineage":"a","lineage":"b"}', 'lineage is there twice'],
      ['{"outputs":{},"outputs":{}}', 'outputs is there twice'],
      ['{"outputs":{"a":{},"\\u0061":{}}}', 'outputs.a is there twice'],
      ['{"outputs":{"a":{"value":1,"value":2}}}', 'outputs.a.value is there twice'],
      ['{"resources":[{"type":"a","type":"b"}]}', 'resources[0].type is there twice'],
      [
        '{"resources":[{"mode":"managed","type":"a","name":"b","provider":"p","instances":[{}],"module":"module.c"}]}',
        'resources[0].module must stand before the instances',
      ],
    ];
    for (const [text, message] of twice) expect(() => read(Buffer.from(text))).toThrow(message);
  });

  test('what is longer than it may be is refused at its place', () => {
    const long = 'x'.repeat(limits.stateName_characters.value + 1);
    const refused: [Record<string, unknown>, string][] = [
      [{ resources: [block({ type: long })] }, 'resources[0].type'],
      [{ resources: [block({ name: long })] }, 'resources[0].name'],
      [{ resources: [block({ provider: long })] }, 'resources[0].provider'],
      [{ resources: [block({ module: long })] }, 'resources[0].module'],
      [{ resources: [block({ instances: [{ index_key: long }] })] }, 'resources[0].instances[0].index_key'],
      [{ lineage: 'x'.repeat(limits.stateText_characters.value + 1) }, 'lineage'],
      [{ terraform_version: 'x'.repeat(5_000_000) }, 'terraform_version'],
      [{ outputs: { a: { value: 'x'.repeat(limits.stateOutput_bytes.value) } } }, 'outputs.a.value'],
      [{ outputs: { a: { type: 'x'.repeat(limits.stateOutputType_bytes.value) } } }, 'outputs.a.type'],
    ];
    for (const [members, place] of refused) {
      const message = refusalOf(members);
      expect(message).toContain(`${place} is longer than`);
      expect(message!.length).toBeLessThan(300);
    }
    expect(refusalOf({ outputs: { [long]: { value: 1 } } })).toContain('has a name that is longer than');
    expect(refusalOf({ resources: [block({ type: long.slice(1), instances: [{ index_key: long.slice(1) }] })] })).toBe(
      null,
    );
  });

  test('what is nested too deep, and a name that is too long, are refused while they are read', () => {
    const deep = (levels: number) => `{"outputs":{"a":{"value":${'['.repeat(levels)}${']'.repeat(levels)}}}}`;
    const most = limits.stateDepth_levels.value;
    expect(() => read(Buffer.from(deep(most - 3)))).not.toThrow();
    expect(() => read(Buffer.from(deep(most)))).toThrow(Unwanted);
    const long = 'x'.repeat(limits.stateKey_bytes.value);
    expect(() => read(Buffer.from(`{"outputs":{"${long}":{}}}`))).toThrow('longer than');
  });

  test('only so many bytes of instances are held until their block says what they are', () => {
    const keys = Array.from({ length: 12_000 }, (_, at) => ({ index_key: `${at} ${'x'.repeat(300)}` }));
    const held = (members: object[]) => `{"resources":[{"instances":${JSON.stringify(members)},"mode":"managed"}]}`;
    expect(600 * keys.length > limits.stateHeld_bytes.value * 0.85).toBe(true);
    expect(() => read(Buffer.from(held(keys)))).toThrow('can be held');
    expect(() => read(Buffer.from(held(keys.slice(0, 10))))).not.toThrow('can be held');
  });

  test('there are only so many outputs, instances and types', () => {
    const outputs = (count: number) => ({
      outputs: Object.fromEntries(Array.from({ length: count }, (_, index) => [`o${index}`, {}])),
    });
    expect(refusalOf(outputs(limits.stateOutputs_items.value))).toBe(null);
    expect(refusalOf(outputs(limits.stateOutputs_items.value + 1))).toBe('outputs has more than 2000 members');
    const types = (count: number) => ({
      resources: Array.from({ length: count }, (_, index) => block({ type: `t${index}`, instances: [] })),
    });
    expect(refusalOf(types(limits.stateTypes_items.value))).toBe(null);
    expect(refusalOf(types(limits.stateTypes_items.value + 1))).toContain('resources[2000] has one type more than');
    const instances = (count: number) => ({
      resources: [block({ instances: Array.from({ length: count }, () => ({})) })],
    });
    expect(refusalOf(instances(limits.stateInstances_items.value))).toBe(null);
    expect(refusalOf(instances(limits.stateInstances_items.value + 1))).toContain(
      `resources[0].instances[${limits.stateInstances_items.value}] is more than`,
    );
  });

  test('documents show as much of modules, providers and blocks as there is room for', () => {
    const long = 'x'.repeat(1000);
    const resources = Array.from({ length: 1500 }, (_, index) =>
      block({
        type: `t${index}`,
        name: long,
        module: `module.m${index}${long}`,
        provider: `p${index}${long}`,
        instances: [{}],
      }),
    );
    const { groups, modules, providers, instances } = read(stateOf({ resources }));
    for (const shown of [groups, modules, providers]) {
      const length = JSON.stringify(shown).length;
      expect([length > 60_000, length <= limits.stateShown_bytes.value + 10_000]).toEqual([true, true]);
    }
    expect(instances.length).toBe(1500);
  });
});
