import { expect, test } from 'vitest';
import { type Mark, treeOf } from './tree.ts';

/** Everything in it that is shown, without what kind it is of. */
const textOf = (marks: readonly Mark[]): string => marks.map(({ text = '', of = [] }) => text + textOf(of)).join('');
const all = (marks: readonly Mark[]): Mark[] => marks.flatMap(mark => [mark, ...all(mark.of ?? [])]);

test('web: a README is headings, paragraphs, lists, tables, code and links', () => {
  const { marks } = treeOf(
    '# Net\n\nThe *network* of **acme** &amp; others, see [the site](https://acme.example).\n\n2. one\n3. `two`\n\n' +
      '| name | size |\n|---|---|\n| vpc | 1 |\n\n```hcl\na = 1\n```\n\n- [ ] done\n\n> quoted\n\n---\n',
  );
  expect(marks.map(({ kind }) => kind)).toEqual([
    'heading',
    'paragraph',
    'steps',
    'table',
    'code',
    'list',
    'quote',
    'rule',
  ] satisfies Mark['kind'][]);
  expect(marks[2]).toMatchObject({ number: 2 });
  expect(textOf(marks)).toContain('The network of acme & others, see the site.');
  expect(all(marks).filter(({ kind }) => kind === 'link')).toMatchObject([{ to: 'https://acme.example' }]);
  expect(all(marks).map(({ kind }) => kind)).toEqual(expect.arrayContaining(['head', 'cell', 'snippet', 'strong']));
});

test('web: nothing of a README becomes markup, a script, a picture or a link to anything but the web', () => {
  const { marks } = treeOf(
    '<script>alert(1)</script>\n\n<img src=x onerror=alert(1)> a <b onclick="x">bold</b> word ![a cat](https://x.example/c.png)\n\n' +
      '[one](javascript:alert(1)) [two](data:text/html,x) [three](modules/gate) [four](//x.example) <javascript:alert(1)>\n',
  );
  expect(all(marks).filter(({ kind, to }) => kind === 'link' || to)).toEqual([]);
  expect(textOf(marks)).toContain('bold word a cat');
  expect(textOf(marks)).toContain('one two three four');
  expect(textOf(marks)).not.toMatch(/<(?:script|img|b)\b/);
});

test('web: a README without end is cut, and one without a bottom is no tower of elements', () => {
  expect(treeOf('a\n\n'.repeat(1000)).isCut).toBe(false);
  const { marks, isCut } = treeOf('*a* '.repeat(50_000));
  expect(isCut).toBe(true);
  expect(all(marks).length).toBeLessThan(10_000);
  const depthOf = (of: readonly Mark[]): number =>
    of.length === 0 ? 0 : 1 + Math.max(...of.map(one => depthOf(one.of ?? [])));
  expect(depthOf(treeOf('> '.repeat(500).concat('a')).marks)).toBeLessThan(25);
  expect(() => treeOf('> '.repeat(50_000))).toThrow(RangeError);
});
