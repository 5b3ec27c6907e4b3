/** What the documentation has of the code: tables that `UPDATE_GOLDEN=1` prints anew, and examples that stand in it word for word. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { loadConfig } from '../../src/core/config.ts';
import { limits } from '../../src/core/limits.ts';
import type { Setting } from '../../src/core/setting.ts';
import { settings } from '../../src/core/settings.ts';
import { prefix, requestFigures } from '../../src/http/metrics/metrics.ts';
import { serverFigures } from '../../src/http/metrics/server-figures.ts';
import { databaseFigures } from '../../src/organizations/site/figures.ts';
import { expectGolden } from '../nets/golden.ts';

const operating = new URL('../../docs/operating.md', import.meta.url);
const monitoring = new URL('../../docs/monitoring.md', import.meta.url);

test('docs/operating.md has every setting, with what it is where nobody sets it', () => {
  const rows = Object.values<Setting<unknown>>(settings).map(
    ({ variable, isSecret, otherwise, meaning }) =>
      `| \`${variable}\`${isSecret ? ' ᶠ' : ''} | ${otherwise} | ${meaning} |`,
  );
  expectTable(operating, 'settings', ['| variable | default | meaning |', '|---|---|---|', ...rows]);
});

test('docs/operating.md has every limit, with its reason', () => {
  const rows = Object.entries(limits).map(([name, { value, reason }]) => {
    const unit = name.slice(name.lastIndexOf('_') + 1);
    return `| \`${name}\` | ${(amounts[unit] ?? plain)(value)} | ${reason} |`;
  });
  expectTable(operating, 'limits', ['| limit | value | why |', '|---|---|---|', ...rows]);
});

const figures = [...Object.values(requestFigures), ...serverFigures, ...databaseFigures];

test('docs/monitoring.md has every metric, with what to alarm on', () => {
  const rows = figures.map(figure => {
    const labels = 'labels' in figure && figure.labels ? figure.labels.map(label => `\`${label}\``).join(', ') : '';
    return `| \`${prefix}${figure.name}\` | ${labels} | ${figure.meaning} | ${figure.alarm} |`;
  });
  expectTable(monitoring, 'metrics', ['| metric | labels | meaning | alarm on |', '|---|---|---|---|', ...rows]);
});

test('the dashboard shows metrics that there are', () => {
  const board = readFileSync(new URL('../../deploy/grafana/terrane.json', import.meta.url), 'utf8');
  const shown = new Set(
    [...board.matchAll(/\bterrane_(\w+)/g)].map(([, name]) => name!.replace(/_(bucket|count|sum)$/, '')),
  );
  const known = new Set(figures.map(({ name }) => name));
  expect(shown.size).toBeGreaterThan(20);
  expect([...shown].filter(name => !known.has(name))).toEqual([]);
});

test.each(['terrane.service', 'terrane-agent@.service'])('%s sets variables that Terrane knows', unit => {
  const text = readFileSync(new URL(`../../deploy/systemd/${unit}`, import.meta.url), 'utf8');
  const named = [...text.replaceAll(/^#.*$/gm, '').matchAll(/\b(TERRANE_\w+)[=}]/g)].map(([, name]) => name!);
  const set = [...new Set(named)].map(name => [name, name.endsWith('_FILE') ? '/dev/null' : '1']);
  expect(set.length).toBeGreaterThan(0);
  const { warnings } = loadConfig(Object.fromEntries(set));
  expect(warnings.filter(text => text.includes('not a variable'))).toEqual([]);
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
function expectTable(page: URL, name: string, lines: string[]): void {
  const text = readFileSync(page, 'utf8');
  const [before, rest] = text.split(`<!-- ${name} -->\n`);
  const after = rest?.split(`<!-- /${name} -->`)[1];
  if (after === undefined) throw new Error(`${page.pathname} has no place for ${name}.`);
  expectGolden(page, `${before}<!-- ${name} -->\n${lines.join('\n')}\n<!-- /${name} -->${after}`);
}

test('docs/choices.md names all of its parts at its beginning, where one looks a thing up', () => {
  const page = readFileSync(new URL('../../docs/choices.md', import.meta.url), 'utf8');
  const parts = [...page.matchAll(/^#{2,3} (.+)$/gm)].map(([, part]) => part!);
  const beginning = page.slice(0, page.indexOf('\n## '));
  expect(parts.filter(part => part !== 'Beside the contract' && !beginning.includes(`[${part}](#`))).toEqual([]);
});
