import { describe, expect, test } from 'vitest';
import { limits } from '../../core/limits.ts';
import type { VcsRepo, VcsRepoGiven } from './fields.ts';
import { settleVcsRepo } from './vcs-repo.ts';

const linked: VcsRepo = {
  branch: 'main',
  identifier: 'acme/network',
  'ingress-submodules': true,
  'oauth-token-id': 'ot-1',
  'app-installation-id': null,
  'tags-regex': '^v',
};

const installed: VcsRepo = { ...linked, 'oauth-token-id': null, 'app-installation-id': 'ghain-1' };
const token: VcsRepo = { ...linked, 'oauth-token-id': 'ot-2' };
const atLimit = `a{2}b{${limits.tagsRegexRepeats_items.value - 2}}`;

describe('§4.2 vcs-repo', () => {
  const settled: [string, VcsRepoGiven | null | undefined, VcsRepo | null, VcsRepo | null][] = [
    ['absent keeps', undefined, linked, linked],
    ['null removes', null, linked, null],
    ['an empty object says nothing: a link stays', {}, linked, linked],
    ['an empty object says nothing: no link is made', {}, null, null],
    ['a partial object modifies', { branch: 'next' }, linked, { ...linked, branch: 'next' }],
    ['an empty branch is the default branch', { branch: '' }, linked, { ...linked, branch: '' }],
    ['a null expression clears it', { 'tags-regex': null }, linked, { ...linked, 'tags-regex': null }],
    [
      'an app installation takes the place of the token',
      { 'app-installation-id': 'ghain-1' },
      linked,
      { ...linked, 'oauth-token-id': null, 'app-installation-id': 'ghain-1' },
    ],
    ['a token takes the place of an app installation', { 'oauth-token-id': 'ot-2' }, installed, token],
    [
      'an app installation stays where neither is named',
      { branch: 'next' },
      installed,
      { ...installed, branch: 'next' },
    ],
    ['an expression is kept as it is', { 'tags-regex': '^w' }, linked, { ...linked, 'tags-regex': '^w' }],
    ['an empty expression clears it', { 'tags-regex': '' }, linked, { ...linked, 'tags-regex': null }],
    ['counts in braces at the limit', { 'tags-regex': atLimit }, linked, { ...linked, 'tags-regex': atLimit }],
    [
      'the first link needs two members',
      { 'oauth-token-id': 'ot-1', identifier: 'acme/network' },
      null,
      { ...linked, branch: '', 'ingress-submodules': false, 'tags-regex': null },
    ],
  ];
  test.each(settled)('§4.2 %s', (_name, given, before, after) => {
    expect(settleVcsRepo(given, before, false)).toEqual({ repo: after, faults: [] });
  });

  const refused: [string, VcsRepoGiven, VcsRepo | null, boolean, string[]][] = [
    ['a first link without a token', { identifier: 'a/b' }, null, false, ['oauth-token-id']],
    ['a first link without token and identifier', { branch: 'next' }, null, false, ['oauth-token-id', 'identifier']],
    [
      'an installation on create',
      { identifier: 'a/b', 'app-installation-id': 'x' },
      null,
      true,
      ['app-installation-id', 'oauth-token-id'],
    ],
    [
      'token and installation',
      { 'oauth-token-id': 'ot-2', 'app-installation-id': 'x' },
      linked,
      false,
      ['app-installation-id'],
    ],
    ['a look-ahead, which RE2 does not have', { 'tags-regex': '(?=v)' }, linked, false, ['tags-regex']],
    [
      'counts in braces that come to thousands',
      { 'tags-regex': `(a{${limits.tagsRegexRepeats_items.value}})b{2}` },
      linked,
      false,
      ['tags-regex'],
    ],
    ['a part that would climb', { identifier: 'acme/../network' }, linked, false, ['identifier']],
    ['an open group', { 'tags-regex': '(' }, linked, false, ['tags-regex']],
  ];
  test.each(refused)('§4.2 refused: %s', (_name, given, before, isCreate, members) => {
    const { repo, faults } = settleVcsRepo(given, before, isCreate);
    expect(faults.map(({ source }) => source)).toEqual(
      members.map(member => ({ pointer: `/data/attributes/vcs-repo/${member}` })),
    );
    expect(repo).toBe(before);
  });
});
