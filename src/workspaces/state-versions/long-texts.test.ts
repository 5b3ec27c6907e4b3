import { describe, expect, test } from 'vitest';
import { setLongTextsAside } from './long-texts.ts';

describe('long texts of a body', () => {
  const long = 'ab+/'.repeat(20_000);

  test('are set aside, and what is left reads as before with placeholders in their place', () => {
    const body = { a: 'short', b: long, 'quote"': '\\', c: [`${long}c`, 'end\\\\'] };
    const { rest, longTexts } = setLongTextsAside(Buffer.from(JSON.stringify(body, null, 2)));
    expect(rest.length).toBeLessThan(1000);
    const read = JSON.parse(rest.toString(), (_name, value) => longTexts.get(value)?.toString() ?? value);
    expect(read).toEqual(body);
  });

  test('keep their escapes, and a quote that is escaped ends none', () => {
    const text = `${'x"\\'.repeat(30_000)}`;
    const { rest, longTexts } = setLongTextsAside(Buffer.from(JSON.stringify({ text })));
    const [bytes] = longTexts.values();
    expect(JSON.parse(`"${bytes}"`)).toBe(text);
    expect(Object.keys(JSON.parse(rest.toString()))).toEqual(['text']);
  });

  test('leave short bodies, broken ones and empty ones as they are', () => {
    for (const text of ['', '{}', '{"a":"b', `{"a":"${long}`, '"\\"']) {
      expect(setLongTextsAside(Buffer.from(text)).rest.toString()).toBe(text);
    }
  });

  test('are all that may make a body long', () => {
    const flood = Buffer.from(JSON.stringify({ a: Array(600_000).fill(0) }));
    expect(() => setLongTextsAside(flood)).toThrow('body-too-large');
  });
});
