import { describe, expect, test } from 'vitest';
import { open, openBytes, seal } from './secrets.ts';

const material = { encryptionKey: 'a key for tests only' };
const context = 'ssh-keys/sshkey-1';

describe('sealed secrets', () => {
  test('what was sealed opens again, whatever it holds', () => {
    for (const plain of ['', 'a', 'ä€😀', 'k'.repeat(20_000)]) {
      expect(open(material, seal(material, plain, context), context)).toBe(plain);
    }
    const bytes = Buffer.from([0, 255, 128, 7]);
    expect(openBytes(material, seal(material, bytes, context), context).equals(bytes)).toBe(true);
  });

  test('the same secret is sealed differently each time, and never shows through', () => {
    const first = seal(material, 'a very secret key', context);
    expect(first.equals(seal(material, 'a very secret key', context))).toBe(false);
    expect(first.includes('secret')).toBe(false);
  });

  test('another key, another place and a changed byte open nothing', () => {
    const sealed = seal(material, 'a very secret key', context);
    expect(() => open({ encryptionKey: 'another key' }, sealed, context)).toThrow('another key');
    expect(() => open(material, sealed, 'ssh-keys/sshkey-2')).toThrow();
    for (let position = 0; position < sealed.length; position += 1) {
      const changed = Buffer.from(sealed);
      changed[position] = (changed[position] ?? 0) ^ 1;
      expect(() => open(material, changed, context), `byte ${position}`).toThrow();
    }
    expect(() => open(material, sealed.subarray(0, 20), context)).toThrow('form');
    expect(() => open(material, Buffer.alloc(0), context)).toThrow('form');
  });

  test('without a key nothing is sealed', () => {
    expect(() => seal({}, 'a very secret key', context)).toThrow('no key');
    expect(() => seal({ encryptionKey: '', tokenPepper: '' }, 'a very secret key', context)).toThrow('no key');
  });
});

describe('a new key', () => {
  test('seals, while the old one and the pepper still open what they sealed', () => {
    const early = seal({ tokenPepper: 'the pepper' }, 'one', context);
    const old = seal({ encryptionKey: 'first key', tokenPepper: 'the pepper' }, 'two', context);
    const now = { encryptionKey: 'second key', oldEncryptionKeys: ['first key'], tokenPepper: 'the pepper' };
    expect([early, old].map(sealed => open(now, sealed, context))).toEqual(['one', 'two']);
    const fresh = seal(now, 'three', context);
    expect(open({ encryptionKey: 'second key' }, fresh, context)).toBe('three');
    expect(() => open({ encryptionKey: 'first key', tokenPepper: 'the pepper' }, fresh, context)).toThrow('another');
  });

  test('without the old one what it sealed stays shut', () => {
    const old = seal({ encryptionKey: 'first key' }, 'two', context);
    expect(() => open({ encryptionKey: 'second key' }, old, context)).toThrow('another key');
  });
});
