import { expect, test } from 'vitest';
import { ApiFailure, faultsByField } from './failure.ts';

const at = (pointer: string | undefined, detail: string) => ({
  status: '422',
  title: 'invalid',
  detail,
  ...(pointer !== undefined && { source: { pointer } }),
});

test('web: each fault stands at the field that it points into, and those of no field stand together', () => {
  const failure = new ApiFailure(
    422,
    [
      at('/data/attributes/name', 'Name is taken'),
      at('/data/attributes/email-addresses/1', 'One is no address'),
      at('/data/attributes/email-addresses/3', 'Another is none'),
      at('/data/attributes/vcs-repo/branch', 'Branch is no name'),
      at('/data/relationships/users/data/0/id', 'Nobody has this id'),
      at('/data/relationships/task', 'Task must be given'),
      at(undefined, 'The destination did not take it'),
      at('/data/type', 'Type is another'),
    ],
    null,
    null,
  );
  expect(faultsByField(failure)).toEqual({
    name: 'Name is taken',
    'email-addresses': 'One is no address Another is none',
    'vcs-repo.branch': 'Branch is no name',
    users: 'Nobody has this id',
    task: 'Task must be given',
    '': 'The destination did not take it Type is another',
  });
});
