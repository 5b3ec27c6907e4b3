/** §4.2 What an event begins: a row for each rule, and what must hold for whatever is watched and changed. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { useLimits } from '../../../test/limits.ts';
import type { RepositoryEvent } from '../../connections/forges/forge.ts';
import { decide, type Listener } from './decide.ts';
import { watchedChange } from './watched-paths.ts';

const push: RepositoryEvent = {
  kind: 'push',
  repository: 'acme/net',
  branch: 'main',
  default_branch: null,
  tag: null,
  commit_sha: 'c0ffee',
  base_sha: null,
  commit_message: 'Widen the net',
  commit_url: null,
  compare_url: null,
  changed_files: ['main.tf'],
  sender: null,
  pull_request: null,
};
const tag: RepositoryEvent = { ...push, kind: 'tag', branch: null, tag: 'v1.2.3', changed_files: null };
const request = { number: 7, title: 'Wider', body: null, url: 'https://hub/7', head_branch: 'wide', is_fork: false };
const pull: RepositoryEvent = { ...push, kind: 'pull-request', pull_request: request };
const fork: RepositoryEvent = { ...pull, pull_request: { ...request, is_fork: true } };

const plain: Listener = {
  branch: '',
  tags_regex: null,
  working_directory: null,
  file_triggers_enabled: true,
  trigger_prefixes: [],
  trigger_patterns: [],
  queue_all_runs: true,
  speculative_enabled: true,
  execution_mode: 'remote',
  has_run: false,
};

type Row = [words: string, event: RepositoryEvent, listener: Partial<Listener>, begins: string | null, why: RegExp];
const changing = (...changed_files: string[]) => ({ ...push, changed_files });

const rows: Row[] = [
  ['a push to the default branch', push, {}, 'run', /whole repository/],
  ['a push to another branch', { ...push, branch: 'wide' }, {}, null, /follows the branch main, and this is wide/],
  ['a push to the branch it names', { ...push, branch: 'wide' }, { branch: 'wide' }, 'run', /whole repository/],
  ['a push to the default branch, with another named', push, { branch: 'wide' }, null, /follows the branch wide/],
  ['a push to a branch in another case', { ...push, branch: 'Main' }, {}, null, /follows the branch main/],
  ['a push, state only', push, { execution_mode: 'local' }, null, /execution mode is local/],
  ['a push before the first run', push, { queue_all_runs: false }, null, /queue-all-runs is false/],
  ['a push after the first run', push, { queue_all_runs: false, has_run: true }, 'run', /whole/],
  [
    'a push to another branch before the first run',
    { ...push, branch: 'wide' },
    { queue_all_runs: false },
    null,
    /follows the branch main/,
  ],
  ['a pull request before the first run', pull, { queue_all_runs: false }, null, /queue-all-runs is false/],
  ['a push where tags begin runs', push, { tags_regex: '^v' }, null, /tags begin its runs/],
  ['a tag where none are meant', tag, {}, null, /tags-regex is set, and it is not/],
  ['a tag that matches in part', tag, { tags_regex: '\\d+\\.\\d+$' }, 'run', /v1\.2\.3 matches/],
  ['a tag that does not match', tag, { tags_regex: '^\\d' }, null, /v1\.2\.3 does not match/],
  ['a tag before the first run', tag, { tags_regex: '^v', queue_all_runs: false }, null, /queue-all-runs/],
  ['a tag, whatever files are watched', tag, { tags_regex: '^v', working_directory: 'prod' }, 'run', /matches/],
  ['a pull request', pull, {}, 'speculative run', /whole repository/],
  ['a pull request where tags begin runs', pull, { tags_regex: '^v' }, 'speculative run', /whole/],
  ['a pull request to another branch', { ...pull, branch: 'wide' }, {}, null, /follows the branch main/],
  ['a pull request, speculative-enabled false', pull, { speculative_enabled: false }, null, /speculative-enabled/],
  ['a pull request from a fork', fork, {}, null, /fork/],
  ['a pull request of files elsewhere', pull, { trigger_prefixes: ['x'] }, null, /none of the changed files/],
  [
    'file triggers off, files elsewhere',
    push,
    { file_triggers_enabled: false, trigger_prefixes: ['x'] },
    'run',
    /every/,
  ],
  ['changed files unknown', { ...push, changed_files: null }, { trigger_prefixes: ['x'] }, 'run', /not known/],
  ['no changed files at all', changing(), { trigger_prefixes: ['x'] }, null, /none of/],
  ['no changed files, nothing watched', changing(), {}, 'run', /whole/],
  [
    'the working directory',
    changing('prod/a.tf'),
    { working_directory: '/prod/' },
    'run',
    /prod\/a\.tf is under its working directory and trigger-prefixes/,
  ],
  ['beside the working directory', changing('test/a.tf'), { working_directory: 'prod' }, null, /none of/],
  [
    'a prefix beside the working directory',
    changing('m/a.tf'),
    { working_directory: 'p', trigger_prefixes: ['m'] },
    'run',
    /m\/a/,
  ],
  ['a prefix is a directory', changing('modules-old/a.tf'), { trigger_prefixes: ['modules'] }, null, /none of/],
  ['a prefix may be a file', changing('shared/net.tf'), { trigger_prefixes: ['./shared/net.tf'] }, 'run', /net\.tf/],
  ['a prefix of the root', changing('deep/er/a.tf'), { trigger_prefixes: ['/'] }, 'run', /deep/],
  ['one file of many', changing('a', 'b', 'c/d'), { trigger_prefixes: ['c'] }, 'run', /c\/d/],
  [
    'patterns, not the working directory',
    changing('p/a.tf'),
    { working_directory: 'p', trigger_patterns: ['m/*'] },
    null,
    /none of the changed files is under its trigger-patterns/,
  ],
];

describe('§4.2 what an event begins', () => {
  test.each(rows)('§4.2 %s', (_words, event, listener, begins, why) => {
    const decision = decide(event, { ...plain, ...listener }, 'main');
    expect(decision).toEqual({ begins, reason: expect.stringMatching(why) });
  });

  test('§4.2 a workspace of the default branch → nothing while nobody knows which one that is', () => {
    expect(decide(push, plain, null)).toEqual({ begins: null, reason: expect.stringContaining('vcs-repo.branch') });
    expect(decide(push, { ...plain, branch: 'main' }, null).begins).toBe('run');
    expect(decide(tag, { ...plain, tags_regex: 'v' }, null).begins).toBe('run');
  });
});

const counts = (patterns: string[], file: string) =>
  watchedChange({ prefixes: [], patterns, workingDirectory: null }, [file], 1e9).counts;

describe('§4.2 patterns', () => {
  useLimits({ watchedPathSteps_items: 500 });

  test('§4.2 more comparisons than the bound allows → the push begins a run', () => {
    const watching = { ...plain, trigger_patterns: ['other/*'] };
    expect(decide(changing('a'.repeat(200)), watching, 'main').begins).toBe(null);
    expect(decide(changing('a'.repeat(300)), watching, 'main').begins).toBe('run');
  });

  test.each([
    ['/**/*.tf', 'main.tf', true],
    ['/**/*.tf', 'a/b/main.tf', true],
    ['/*.tf', 'a/main.tf', false],
    ['*.tf', '.hidden.tf', true],
    ['/modules/**/*', 'modules/net/main.tf', true],
    ['/modules/**/*', 'other/modules/main.tf', false],
    ['/**/networking/**/*', 'a/networking/b/c.tf', true],
    ['/**/networking/**/*', 'networking/c.tf', true],
    ['/**/networking/**/*', 'a/networking', false],
    ['modules/**', 'modules/a/b', true],
    ['modules/**', 'modules', false],
    ['modules/', 'modules/a/b', true],
    ['./modules/*', 'modules/a', true],
    ['**', 'any/where', true],
    ['**/**/a', 'a', true],
    ['a**b', 'a/b', false],
    ['a**b', 'axxb', true],
    ['/sub/*.???', 'sub/a.hcl', true],
    ['/sub/*.???', 'sub/a.tf', false],
    ['a?c', 'a/c', false],
    ['{prod,test}/*.tf', 'test/a.tf', true],
    ['{prod,test}/*.tf', 'dev/a.tf', false],
    ['{envs/**,modules/*}/x', 'envs/a/b/x', true],
    ['a{b,{c,d}e}f', 'adef', true],
    ['a{b,c},d', 'ac,d', true],
    [`${'{'.repeat(10)}a,b${'}'.repeat(10)}`, 'b', true],
    [`${'{'.repeat(11)}a,b${'}'.repeat(11)}`, 'b', false],
    ['a{b,c', 'a{b,c', true],
    ['a}b{', 'a}b{', true],
    ['a,b', 'a,b', true],
    ['a.b+c(d)[e]$', 'a.b+c(d)[e]$', true],
    ['a.b', 'axb', false],
    ['*/b', 'new\nline/b', true],
    [`${'{'.repeat(500)}${'}'.repeat(500)}`, 'a', false],
  ])('§4.2 %s against %j → %s', (pattern, file, expected) => {
    expect(counts([pattern], file)).toBe(expected);
    expect(counts(['nothing/like/it', pattern], file)).toBe(expected);
  });

  test('§4.2 more comparisons than the bound allows → the change counts, and says so', () => {
    const watched = { prefixes: [], patterns: ['**/*'.repeat(20)], workingDirectory: null };
    const files = Array.from({ length: 100 }, (_, at) => `a/${at}`);
    expect(watchedChange(watched, files, 100)).toEqual({ counts: true, reason: expect.stringContaining('compared') });
    const characters = files.join('').length;
    expect(watchedChange({ ...watched, patterns: ['b'] }, files, characters).counts).toBe(false);
    expect(watchedChange({ ...watched, patterns: ['b'] }, files, characters - 1).counts).toBe(true);
  });
});

/** Written the other way round, by trying: slow, and plainly what the page for people says. */
function matchesPlainly(pattern: readonly string[], path: readonly string[]): boolean {
  const [part, ...parts] = pattern;
  if (part === undefined) return path.length === 0;
  if (part === '**' && parts.length === 0) return path.length > 0;
  if (part === '**') return path.some((_, at) => matchesPlainly(parts, path.slice(at)));
  return path.length > 0 && textMatches([...part], [...path[0]!]) && matchesPlainly(parts, path.slice(1));
}

function textMatches([first, ...rest]: readonly string[], text: readonly string[]): boolean {
  if (first === undefined) return text.length === 0;
  if (first === '*')
    return textMatches(rest, text) || (text.length > 0 && textMatches([first, ...rest], text.slice(1)));
  return text.length > 0 && (first === '?' || first === text[0]) && textMatches(rest, text.slice(1));
}

const name = fc
  .string({ unit: fc.constantFrom('a', 'b', '.'), minLength: 1, maxLength: 3 })
  .filter(it => !/^\.+$/.test(it));
const path = fc.array(name, { minLength: 1, maxLength: 4 });
const part = fc.oneof(
  fc.constant('**'),
  fc.string({ unit: fc.constantFrom('a', 'b', '*', '?'), minLength: 1, maxLength: 3 }),
);
const pattern = fc.array(part, { minLength: 1, maxLength: 4 });

describe('§4.2 whatever is watched', () => {
  test('§4.2 patterns mean what trying every way to read them says', () => {
    fc.assert(
      fc.property(pattern, path, (parts, names) => {
        expect(counts([parts.join('/')], names.join('/'))).toBe(matchesPlainly(parts, names));
      }),
      { numRuns: 2000 },
    );
  });

  test('§4.2 one more changed file never takes a run away, and unknown files begin what any files would', () => {
    const lists = fc.record({
      trigger_prefixes: fc.array(
        path.map(parts => parts.join('/')),
        { maxLength: 3 },
      ),
      trigger_patterns: fc.array(
        pattern.map(parts => parts.join('/')),
        { maxLength: 3 },
      ),
      working_directory: fc.option(path.map(parts => parts.join('/'))),
    });
    const files = fc.array(
      path.map(parts => parts.join('/')),
      { maxLength: 5 },
    );
    fc.assert(
      fc.property(lists, files, files, fc.constantFrom(push, pull), (watched, some, others, event) => {
        const begun = (changed_files: string[] | null) =>
          decide({ ...event, changed_files }, { ...plain, ...watched }, 'main').begins;
        if (begun(some)) expect(begun([...others, ...some])).toBe(begun(some));
        expect(begun(null)).toBe(event === push ? 'run' : 'speculative run');
      }),
    );
  });
});
