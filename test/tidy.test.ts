/** The style that formatter and linter cannot check, as tests. CONTRIBUTING.md says it in words. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, extname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { limits } from '../src/core/limits.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const self = 'test/tidy.test.ts';

/** Rows of docs/spec.md that no test cites yet. The list only shrinks: a cited row must leave it. */
const notYetCited = `
`
  .split(',')
  .map(key => key.trim())
  .filter(key => key !== '');

/** What nobody outside can use: each pattern is written so that it does not match itself. */
const unwanted: readonly (readonly [RegExp, string])[] = [
  [/(?<![\w.~$}-])\/(?:home|Users|root|work)\/[\w.-]/, 'a path of one machine'],
  [/npmj[s]|registry\.(?:npm|yarn)\w*\./, 'a host of a package registry'],
  [
    /\bW \d+(?:\.\d+)?\b|\bDESIG[N] §|\bshared\/(?:spec|docs)\b|\bsub-?agents?\b|\bissue #?\d+\b/i,
    'how the work is organized',
  ],
];

type Source = { readonly path: string; readonly text: string };

const files = readProject('', ignoredNames());
const sources = files.filter(file => file.path.startsWith('src/') && file.path.endsWith('.ts'));
const tests = files.filter(file => /\.(?:test|full)\.ts$/.test(file.path) && file.path !== self);
const code = files.filter(file => file.path.endsWith('.ts') && file.path !== self);
const spec = readFileSync(join(root, 'docs/spec.md'), 'utf8');

describe('the edge', () => {
  test('HTTP is known in src/http only', () => {
    const others = sources.filter(file => !file.path.startsWith('src/http/') && !/\.(test|full)\.ts$/.test(file.path));
    expect(linesWith(others, /['"](?:fastify|node:https?)['"]/)).toEqual([]);
  });
});

describe('limits', () => {
  test('every limit is named by a test, which meets it whatever it is set to', () => {
    const texts = tests.map(({ text }) => text).join('\n');
    expect(Object.keys(limits).filter(name => !new RegExp(`\\b${name}\\b`).test(texts))).toEqual([]);
  });
});

describe('the contract', () => {
  const headings = new Set([...spec.matchAll(/^#{2,4} (\d+(?:\.\d+)*)/gm)].map(match => match[1]!));
  const rows = ['3', '7', '8'].flatMap(section => rowsOf(spec, section));
  const keys = rows.map(row => row.key);

  test('every § mark in code and docs is a heading of docs/spec.md', () => {
    const marked = files.filter(file => /\.(?:ts|md|sql)$/.test(file.path));
    expect(unknownMarks(marked, headings)).toEqual([]);
  });

  test('every row of the tables of §3, §7 and §8 has a key of its own section, once', () => {
    expect(rows.filter(row => !new RegExp(`^§${row.section} [a-z-]+/[a-z0-9-]+$`).test(row.key))).toEqual([]);
    expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
    expect(keys.length).toBeGreaterThan(40);
  });

  test('every row of the tables of §3, §7 and §8 is cited by a test, or waits in the list', () => {
    const missing = keys.filter(key => !isCited(key, tests));
    expect(missing.filter(key => !notYetCited.includes(key))).toEqual([]);
  });

  test('the list of rows not yet cited only shrinks: what is cited or gone has left it', () => {
    expect(notYetCited.filter(key => !keys.includes(key) || isCited(key, tests))).toEqual([]);
  });
});

describe('what servers keep', () => {
  test('whoever updates a workspace, a project or an organization gives the row a new revision', () => {
    expect(code.flatMap(updatesWithoutRevision)).toEqual([]);
  });
});

describe('the database', () => {
  test('is asked for nothing that poolers and distributed engines refuse: no LISTEN, no NOTIFY, no advisory lock', () => {
    const spoken = files.filter(file => /^(?:src|migrations)\/.*\.(?:ts|sql)$/.test(file.path));
    expect(linesWith(spoken, /pg_(?:try_)?advisory|pg_notify|(?:`|^)\s*(?:(?:un)?listen|notify)\s+[\w*]/i)).toEqual([]);
  });
});

describe('nothing is left behind', () => {
  test('a skipped test says why on its line', () => {
    expect(linesWith(code, /\.(?:skip|todo)\((?!.*\/\/ \w)/)).toEqual([]);
  });

  test('no note to oneself is left', () => {
    expect(linesWith(code, /\b(?:TODO|FIXME|XXX)\b/, { comments: true })).toEqual([]);
  });

  test('the repository names no machine, no registry and not how the work is organized', () => {
    const named = files.filter(file => file.path !== 'LICENSE');
    const found = unwanted.flatMap(([pattern, what]) =>
      linesWith(named, pattern, { comments: true }).map(line => `${what}: ${line}`),
    );
    expect(found).toEqual([]);
  });

  test('every Markdown file that is named exists in the repository', () => {
    const known = new Set(files.map(file => basename(file.path)));
    const named = files.filter(file => file.path !== 'package-lock.json');
    const unknown = named.flatMap(file =>
      [...file.text.matchAll(/[\w-]+\.md\b/g)].filter(match => !known.has(match[0])).map(m => `${file.path}: ${m[0]}`),
    );
    expect(unknown).toEqual([]);
  });
});

describe('these checks find what they look for', () => {
  test('a mark without a heading', () => {
    const unknown = `§${'4.25'}`;
    const marks = unknownMarks(
      [{ path: 'a.ts', text: `one §3, two ${unknown} and §9.2.` }],
      new Set(['3', '9.2', '4.2']),
    );
    expect(marks).toEqual([`a.ts: ${unknown}`]);
  });

  test('a citation is the whole key, not the beginning of a longer one', () => {
    const text = "test('§7 unlock/409-free → 409', …)";
    expect(isCited('§7 unlock/409-free', [{ path: 'a', text }])).toBe(true);
    expect(isCited('§7 unlock/409', [{ path: 'a', text }])).toBe(false);
  });

  test('an update without a revision, on one line or on several', () => {
    const text =
      'sql`update projects set name = 1 where true`; sql`\n  update workspaces\n  set revision = default\n  where true`;';
    expect(updatesWithoutRevision({ path: 'a.ts', text })).toEqual(['a.ts: update projects set name = 1 ']);
  });
});

/** Every text file under a folder but what .gitignore names, by its path from the root. Git itself is not asked. */
function readProject(folder: string, ignored: readonly string[]): Source[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap(entry => {
    const path = posix.join(folder, entry.name);
    if (ignored.includes(entry.name) || ignored.includes(`*${extname(entry.name)}`)) return [];
    if (entry.isDirectory()) return readProject(path, ignored);
    const text = entry.isFile() ? readFileSync(join(root, path), 'utf8') : '\0';
    return text.includes('\0') ? [] : [{ path, text }];
  });
}

function ignoredNames(): string[] {
  const lines = readFileSync(join(root, '.gitignore'), 'utf8').split('\n');
  return ['.git', ...lines.map(line => line.trim().replace(/\/$/, '')).filter(line => line !== '')];
}

/** Lines that match, as `path:line: text`. Lines of comments count only when asked for. */
function linesWith(from: readonly Source[], pattern: RegExp, options = { comments: false }): string[] {
  return from.flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, index) => {
      const passedOver = !options.comments && /^\s*(?:\/\/|\/?\*)/.test(line);
      return !passedOver && pattern.test(line) ? [`${path}:${index + 1}: ${line.trim().slice(0, 120)}`] : [];
    }),
  );
}

function unknownMarks(from: readonly Source[], headings: ReadonlySet<string>): string[] {
  return from.flatMap(({ path, text }) =>
    [...text.matchAll(/§(\d+(?:\.\d+)*)/g)].filter(mark => !headings.has(mark[1]!)).map(mark => `${path}: ${mark[0]}`),
  );
}

/** The first cells of the table rows of one section, headers and rulers left out. */
function rowsOf(markdown: string, section: string): { section: string; key: string }[] {
  const text = markdown.split(/^## /m).find(part => part.startsWith(`${section}. `)) ?? '';
  const tableRows = text.split('\n').filter(line => line.startsWith('| ') && !line.startsWith('| Key |'));
  return tableRows.map(line => ({ section, key: (line.split('|')[1] ?? '').trim().replaceAll('`', '') }));
}

function isCited(key: string, by: readonly Source[]): boolean {
  const whole = new RegExp(`${key}(?![\\w/-])`);
  return by.some(file => whole.test(file.text));
}

/** Documents are kept by these rows' revisions (`src/workspaces/workspaces/kept.ts`). */
function updatesWithoutRevision({ path, text }: Source): string[] {
  const updates = [...text.matchAll(/\bupdate (?:workspaces|projects|organizations)\s+set\b.*?(?=\bwhere\b)/gs)];
  return updates
    .map(([update]) => update)
    .filter(update => !update.includes('revision = default'))
    .map(update => `${path}: ${update}`);
}
