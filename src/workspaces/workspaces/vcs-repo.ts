/** §4.2 `vcs-repo`: absent or empty keeps, null removes, an object links or modifies. Pure. */
import { RE2JS } from 're2js';
import { attributeFault, type Fault } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import type { VcsRepo, VcsRepoGiven } from './fields.ts';

/** @param isCreate the app installation can only be named on update (§4.2) */
export function settleVcsRepo(
  given: VcsRepoGiven | null | undefined,
  before: VcsRepo | null,
  isCreate: boolean,
): { repo: VcsRepo | null; faults: Fault[] } {
  if (given === null) return { repo: null, faults: [] };
  if (given === undefined || Object.keys(given).length === 0) return { repo: before, faults: [] };
  // Clients send an empty text for the one that is not meant.
  const token = given['oauth-token-id'] || undefined;
  const installation = given['app-installation-id'] || given['github-app-installation-id'] || undefined;
  const faults = vcsRepoFaults(given, token, installation, before, isCreate);
  if (faults.length > 0) return { repo: before, faults };
  const kept: VcsRepo = before ?? unlinked;
  const repo: VcsRepo = {
    branch: given.branch === undefined ? kept.branch : (given.branch ?? ''),
    identifier: given.identifier ?? kept.identifier,
    'ingress-submodules': given['ingress-submodules'] ?? kept['ingress-submodules'],
    // One of the two at a time: naming one takes the place of the other.
    'oauth-token-id': token ?? (installation ? null : kept['oauth-token-id']),
    'app-installation-id': installation ?? (token ? null : kept['app-installation-id']),
    'tags-regex': given['tags-regex'] === undefined ? kept['tags-regex'] : given['tags-regex'] || null,
  };
  return { repo, faults };
}

const unlinked: VcsRepo = {
  branch: '',
  identifier: '',
  'ingress-submodules': false,
  'oauth-token-id': null,
  'app-installation-id': null,
  'tags-regex': null,
};

function vcsRepoFaults(
  given: VcsRepoGiven,
  token: string | undefined,
  installation: string | undefined,
  before: VcsRepo | null,
  isCreate: boolean,
): Fault[] {
  const faults: Fault[] = [];
  const at = (member: string, reason: string) => faults.push(attributeFault(`vcs-repo.${member}`, reason));
  if (token && installation) {
    at('app-installation-id', 'App installation cannot be given together with oauth-token-id');
  } else if (installation && isCreate) {
    at('app-installation-id', 'App installation can be given on update only');
  }
  if (before === null) {
    if (!token && (isCreate || !installation))
      at('oauth-token-id', "OAuth token can't be blank when linking a repository");
    if (!given.identifier) at('identifier', "Identifier can't be blank when linking a repository");
  }
  if (given.identifier?.split('/').some(part => /^\.{1,2}$/.test(part))) {
    at('identifier', 'Identifier must name a repository, without . or .. among its parts');
  }
  const pattern = given['tags-regex'];
  if (pattern && repeatsIn(pattern) > limits.tagsRegexRepeats_items.value) {
    at('tags-regex', `Tags regex may repeat at most ${limits.tagsRegexRepeats_items.value} times in all`);
  } else if (pattern && !isRe2(pattern)) at('tags-regex', 'Tags regex is not a valid RE2 regular expression');
  return faults;
}

/** `a{3}(b{2,5})` → 8: what the counts in braces come to, at most. */
function repeatsIn(pattern: string): number {
  const counts = [...pattern.matchAll(/\{(\d{1,9})(?:,(\d{0,9}))?\}/g)];
  return counts.reduce((sum, [, least, most]) => sum + Math.max(Number(least), Number(most ?? 0)), 0);
}

function isRe2(pattern: string): boolean {
  try {
    RE2JS.compile(pattern);
    return true;
  } catch {
    return false;
  }
}
