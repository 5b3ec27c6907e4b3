/** What the documentation has of the code: tables that `UPDATE_GOLDEN=1` prints anew, and examples that stand in it word for word. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { limits } from '../../src/core/limits.ts';
import type { Setting } from '../../src/core/setting.ts';
import { settings } from '../../src/core/settings.ts';
import { expectGolden } from '../nets/golden.ts';

const operating = new URL('../../docs/operating.md', import.meta.url);

test('docs/operating.md has every setting, with what it is where nobody sets it', () => {
  const rows = Object.values<Setting<unknown>>(settings).map(
    ({ variable, isSecret, otherwise, meaning }) =>
      `| \`${variable}\`${isSecret ? ' ᶠ' : ''} | ${otherwise} | ${meaning} |`,
  );
  expectTable('settings', ['| variable | default | meaning |', '|---|---|---|', ...rows]);
});

test('docs/operating.md has every limit, with its reason', () => {
  const rows = Object.entries(limits).map(([name, { value, reason }]) => {
    const unit = name.slice(name.lastIndexOf('_') + 1);
    return `| \`${name}\` | ${(amounts[unit] ?? plain)(value)} | ${reason} |`;
  });
  expectTable('limits', ['| limit | value | why |', '|---|---|---|', ...rows]);
});

test('docs/adding-an-endpoint.md shows code as it stands in the files that it names', () => {
  const page = readFileSync(new URL('../../docs/adding-an-endpoint.md', import.meta.url), 'utf8');
  const examples = [...page.matchAll(/^`(src\/\S+\.ts)`:\n\n```ts\n(.*?)\n```$/gms)];
  expect(examples.map(([, file]) => file)).toHaveLength(page.match(/^```ts$/gm)!.length);
  for (const [, file, code] of examples)
    expect([file, readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8').includes(code!)]).toEqual([
      file,
      true,
    ]);
});

const plain = (value: number) => value.toLocaleString('en');
const amounts: Record<string, (value: number) => string> = {
  bytes: value => (value % 2 ** 20 === 0 ? `${plain(value / 2 ** 20)} MiB` : `${plain(value / 2 ** 10)} KiB`),
  ms: value => (value % 60_000 === 0 ? `${plain(value / 60_000)} min` : `${plain(value / 1000)} s`),
};

/** The lines between `<!-- name -->` and `<!-- /name -->`. */
function expectTable(name: string, lines: string[]): void {
  const text = readFileSync(operating, 'utf8');
  const [before, rest] = text.split(`<!-- ${name} -->\n`);
  const after = rest?.split(`<!-- /${name} -->`)[1];
  if (after === undefined) throw new Error(`docs/operating.md has no place for ${name}.`);
  expectGolden(operating, `${before}<!-- ${name} -->\n${lines.join('\n')}\n<!-- /${name} -->${after}`);
}
