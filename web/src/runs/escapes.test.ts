import { expect, test } from 'vitest';
import { linesOf, partsOf, readable } from './escapes.ts';

test('web: escape codes become styles that last until they are taken back, over lines too', () => {
  const first = partsOf('a \u001b[1;32mgreen\u001b[0m b \u001b[31mred');
  expect(first.parts).toEqual([
    { text: 'a ', styles: [] },
    { text: 'green', styles: ['bold', 'green'] },
    { text: ' b ', styles: [] },
    { text: 'red', styles: ['red'] },
  ]);
  expect(partsOf('still', first.styles).parts).toEqual([{ text: 'still', styles: ['red'] }]);
});

test('web: no code of a terminal reaches the page, whatever it was meant to do', () => {
  const text = partsOf('x\u001b[2J\u001b[?25l\u0007y\u001b(B<b>z')
    .parts.map(part => part.text)
    .join('');
  expect([...text].filter(letter => letter < ' ')).toEqual([]);
  expect(text).toContain('<b>z');
});

test('web: a carriage return begins the line anew', () => {
  expect(linesOf('10%\r50%\r100%\ndone\r\n')).toEqual(['100%', 'done', '']);
});

test('web: of structured output the message is shown', () => {
  expect(readable('{"@level":"info","@message":"aws_vpc.main: Plan to create"}')).toBe('aws_vpc.main: Plan to create');
  expect(readable('{"@level":broken')).toBe('{"@level":broken');
});
