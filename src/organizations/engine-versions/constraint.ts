/** §4.2 `engine-version`: an exact version, a constraint expression, or `latest`. Pure. */
import semver from 'semver';

const partLimit = 10;
const exactForm = /^\d{1,5}\.\d{1,5}\.\d{1,5}(-[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?$/;
const partForm = /^(=|!=|>|>=|<|<=|~>)\s*(\d{1,5}(?:\.\d{1,5}){0,2}(?:-[0-9A-Za-z.-]+)?)$/;

/** `1.5.7`, `1.14.0-rc1`: three numbers, and perhaps the name of a pre-release. */
export function isExactVersion(text: string): boolean {
  return exactForm.test(text) && semver.valid(text) !== null;
}

/** `latest`, or operators with versions joined by commas, such as `>= 1.2, < 2.0`. */
export function isConstraint(text: string): boolean {
  return text === 'latest' || partsOf(text) !== null;
}

/** The newest of `versions` that the constraint admits; null when there is none, or the text is no constraint. */
export function newestSatisfying(constraint: string, versions: readonly string[]): string | null {
  const parts = constraint === 'latest' ? [] : partsOf(constraint);
  if (!parts) return null;
  const admitted = versions.filter(version => admits(parts, version));
  return admitted.sort(semver.rcompare)[0] ?? null;
}

/** Why a workspace cannot have this version, as a sentence; null when it can. `known` are the enabled versions. */
export function versionFault(text: string, known: readonly string[]): string | null {
  if (text === 'latest') return null;
  if (isExactVersion(text)) {
    return known.includes(text) ? null : `Engine version ${text} is not one of the available versions`;
  }
  if (!isConstraint(text)) {
    return 'Engine version must be a released version, a constraint such as "~> 1.5" or ">= 1.2, < 2.0", or "latest"';
  }
  return newestSatisfying(text, known) ? null : `Engine version "${text}" is met by none of the available versions`;
}

/**
 * Whether a version belongs to `line`, the versions known of its minor version, without being listed: a release past all
 * of them, which came out later, or any pre-release, which never is listed.
 */
export function continuesLine(version: string, line: readonly string[]): boolean {
  if (line.length === 0) return false;
  return version.includes('-') || line.every(known => semver.gt(version, known));
}

/** `1.5.7` → `1.5`. */
export const lineOf = (version: string): string => version.split('.').slice(0, 2).join('.');

export interface KnownVersion {
  version: string;
  enabled: boolean;
  /** Enabled, and neither beta nor deprecated: what is chosen for who does not choose. */
  isOffered: boolean;
}

/** The newest of `releases` that is offered, or came out after those of its minor version that are known. */
export function newestOffered(releases: readonly string[], known: readonly KnownVersion[]): string | null {
  const offered = releases.filter(release => {
    const listed = known.find(({ version }) => version === release);
    if (listed) return listed.isOffered;
    const line = known.filter(({ version, enabled }) => enabled && lineOf(version) === lineOf(release));
    return continuesLine(
      release,
      line.map(({ version }) => version),
    );
  });
  return offered.sort(semver.rcompare)[0] ?? null;
}

interface Part {
  operator: string;
  /** Filled up to three numbers. */
  version: string;
  /** How many of the three the constraint gave. */
  given: number;
}

function partsOf(text: string): Part[] | null {
  const pieces = text.split(',').map(piece => piece.trim());
  if (pieces.length > partLimit) return null;
  const parts = pieces.map(partOf);
  return parts.every(part => part !== null) ? parts : null;
}

function partOf(piece: string): Part | null {
  const [, operator, given] = partForm.exec(piece) ?? [];
  if (!operator || !given) return null;
  const [core, prerelease] = split(given);
  const numbers = core.split('.');
  const filled = [...numbers, '0', '0'].slice(0, 3).join('.');
  const version = prerelease ? `${filled}-${prerelease}` : filled;
  return isExactVersion(version) ? { operator, version, given: numbers.length } : null;
}

/** `1.5.0-rc1` → `['1.5.0', 'rc1']`. */
function split(version: string): [string, string] {
  const dash = version.indexOf('-');
  return dash < 0 ? [version, ''] : [version.slice(0, dash), version.slice(dash + 1)];
}

/** A pre-release is only meant by a constraint that names one of the same version. */
function admits(parts: readonly Part[], version: string): boolean {
  const [core, prerelease] = split(version);
  const named = parts.some(part => split(part.version)[0] === core && part.version.includes('-'));
  return (prerelease === '' || named) && parts.every(part => meets(part, version));
}

function meets({ operator, version: bound, given }: Part, version: string): boolean {
  const order = semver.compare(version, bound);
  switch (operator) {
    case '=':
      return order === 0;
    case '!=':
      return order !== 0;
    case '>':
      return order > 0;
    case '>=':
      return order >= 0;
    case '<':
      return order < 0;
    case '<=':
      return order <= 0;
    default: {
      // `~>`: only the last number that was given may grow, and what follows it.
      const fixed = split(bound)[0]
        .split('.')
        .slice(0, given - 1);
      const numbers = split(version)[0].split('.');
      return order >= 0 && fixed.every((number, position) => Number(number) === Number(numbers[position]));
    }
  }
}
