/** §4.4 sensitive: what engines print is masked, however it is cut into pieces. */
import { expect, test } from 'vitest';
import { masker } from './mask.ts';

const masked = (values: string[], pieces: string[]) => {
  const { next, end } = masker(values);
  const shown = [...pieces.map(piece => next(Buffer.from(piece))), end()];
  return Buffer.concat(shown).toString();
};

test('a value is masked wherever the pieces of the log meet', () => {
  const text = 'before open sesame after open sesam! open sesame';
  for (let first = 0; first <= text.length; first += 1) {
    for (let second = first; second <= text.length; second += 5) {
      const pieces = [text.slice(0, first), text.slice(first, second), text.slice(second)];
      expect(masked(['open sesame'], pieces)).toBe('before *** after open sesam! ***');
    }
  }
});

test('nothing else is changed, held back or lost, byte by byte', () => {
  const text = 'Überall ööö openopen ses open open sesam';
  const { next, end } = masker(['open sesame', 'öö!ö!ö!']);
  const bytes = [...Buffer.from(text)].map(byte => next(Buffer.of(byte)));
  expect(Buffer.concat([...bytes, end()]).toString()).toBe(text);
});

test.each([
  ['in JSON', 'a "quoted"\tvalue', JSON.stringify({ x: 'a "quoted"\tvalue' }), '{"x":"***"}'],
  ['in base64', 'open sesame', Buffer.from('open sesame').toString('base64'), '***'],
  [
    'line by line',
    'first line of it\nsecond line of it',
    'x first line of it\n  second line of it y',
    'x ***\n  *** y',
  ],
  ['where one is part of another', 'open sesame', 'open sesame street', '***'],
])('it is found %s', (_name, value, text, expected) => {
  expect(masked([value, 'open sesame street'], [text])).toBe(expected);
});

test('short values stay: half of the log would go with them', () => {
  expect(masked(['true', '1', ''], ['is it true? 1'])).toBe('is it true? 1');
});

test('a long log with many values takes a time that grows with its length alone', () => {
  const values = Array.from({ length: 200 }, (_none, number) => `a-secret-value-number-${number}-of-many`);
  const piece = `${'a-secret-value-number-'.repeat(500)}\n`;
  const { next, end } = masker(values);
  let length = 0;
  for (let count = 0; count < 50; count += 1) length += next(Buffer.from(piece)).length;
  expect(length + end().length).toBe(50 * piece.length);
});
