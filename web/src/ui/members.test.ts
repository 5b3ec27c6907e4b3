import { expect, test } from 'vitest';
import { gathered, membersOf } from './members.ts';

test('web: members of an object are fields, and an object again', () => {
  const fields = { name: 'scan', ...membersOf('vcs-repo', { branch: 'main', 'tags-regex': null }) };
  expect(fields).toEqual({ name: 'scan', 'vcs-repo.branch': 'main', 'vcs-repo.tags-regex': null });
  expect(gathered(fields)).toEqual({ name: 'scan', 'vcs-repo': { branch: 'main', 'tags-regex': null } });
  expect(membersOf('vcs-repo', null)).toEqual({});
});
