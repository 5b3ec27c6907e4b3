/** §4.2 Whether changed files are among those that a workspace watches: by prefixes, or by patterns. Pure. */
import { RE2JS } from 're2js';

export interface Changes {
  /** Relative to the root of the repository; null where not all of them are known. */
  changed_files: readonly string[] | null;
}

export interface Watched {
  prefixes: readonly string[];
  patterns: readonly string[];
  workingDirectory: string | null;
}

/** Whether a change counts, and why in words. */
export interface WatchedChange {
  counts: boolean;
  reason: string;
}

/**
 * Patterns stand for themselves; prefixes stand beside the working directory. Where nothing is watched, all is.
 * @param mostSteps comparisons beyond which the change counts unseen: a run too many does less harm than one too few
 */
export function watchedChange(
  { prefixes, patterns, workingDirectory }: Watched,
  files: readonly string[] | null,
  mostSteps: number,
): WatchedChange {
  const directories = [workingDirectory ?? '', ...prefixes].map(asPath).filter((path, at) => at > 0 || path !== '');
  const usesPatterns = patterns.length > 0;
  if (!usesPatterns && directories.length === 0) return { counts: true, reason: 'it watches the whole repository' };
  if (files === null) return { counts: true, reason: 'which files changed is not known, so that all count' };
  const steps = usesPatterns ? stepsOf(files, patterns) : 0;
  if (steps > mostSteps) return { counts: true, reason: 'more files changed than can be compared, so that all count' };
  const found = usesPatterns ? files.find(matching(patterns)) : files.find(within(new Set(directories)));
  const watching = usesPatterns ? 'trigger-patterns' : 'working directory and trigger-prefixes';
  if (found === undefined) return { counts: false, reason: `none of the changed files is under its ${watching}` };
  return { counts: true, reason: `${found} is under its ${watching}` };
}

/** `/modules/` and `./modules` → `modules`; the root is an empty text. */
const asPath = (path: string) => path.replace(/^(\.?\/)+|^\.$/, '').replace(/\/+$/, '');

/** A directory, or one file; `modules` holds `modules/net.tf` and not `modules-old/net.tf`. */
function within(directories: ReadonlySet<string>): (file: string) => boolean {
  if (directories.has('')) return () => true;
  return file => {
    for (let end = file.indexOf('/'); end >= 0; end = file.indexOf('/', end + 1)) {
      if (directories.has(file.slice(0, end))) return true;
    }
    return directories.has(file);
  };
}

/** Each character is compared once with each wildcard that is open at that place, and with one plain character of a pattern. */
function stepsOf(files: readonly string[], patterns: readonly string[]): number {
  const characters = files.reduce((sum, file) => sum + file.length, 0);
  const wildcards = patterns.reduce((sum, pattern) => sum + 1 + (pattern.match(/[*?{,]/g)?.length ?? 0), 0);
  return characters * wildcards;
}

/** All patterns as one expression, which takes one pass over each file. */
function matching(patterns: readonly string[]): (file: string) => boolean {
  const expression = RE2JS.compile(patterns.map(asExpression).join('|'), RE2JS.DOTALL);
  return file => expression.matches(file);
}

/** `**` as a whole part of a path, and with a slash behind it; the wildcards within a part; what choices are written with. */
const partsOfPattern =
  /(?<deep>(?<=^|[/{,])\*\*(?:\/\*\*)*\/)|(?<all>(?<=^|[/{,])\*\*(?=$|[,}]))|(?<any>\*+)|(?<one>\?)|(?<choice>[{},])|[^*?{},]+/gs;

/** `*` and `?` stay within a directory, `**` crosses them, `{a,b}` is either; all else stands for itself. */
function asExpression(pattern: string): string {
  const path = pattern.replace(/^(\.?\/)+/, '').replace(/\/$/, '/**');
  const choices = bracesMatch(path) ? choosing() : RE2JS.quote;
  const written = [...path.matchAll(partsOfPattern)].map(([part, deep, all, any, one, choice]) => {
    if (deep) return '(?:[^/]+/)*';
    if (all) return '.*';
    if (any) return '[^/]*';
    if (one) return '[^/]';
    return choice ? choices(part) : RE2JS.quote(part);
  });
  return written.join('');
}

/** A comma outside of braces is a comma. */
function choosing(): (part: string) => string {
  let depth = 0;
  return part => {
    if (part === ',') return depth > 0 ? '|' : part;
    depth += part === '{' ? 1 : -1;
    return part === '{' ? '(?:' : ')';
  };
}

/** Choices within choices: the expression that is made of them may not nest without end. */
const deepestChoice = 10;

/** Braces that do not close stand for themselves. */
function bracesMatch(path: string): boolean {
  let depth = 0;
  for (const one of path) {
    if (one === '{') depth += 1;
    if (one === '}') depth -= 1;
    if (depth < 0 || depth > deepestChoice) return false;
  }
  return depth === 0;
}
