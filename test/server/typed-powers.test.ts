/** What must not compile: powers over another kind of record (§5), and columns that a row has not. `tsc` reads this file. */
import { expect, test } from 'vitest';
import { policy } from '../../src/access/policy.ts';
import { sshKeyById } from '../../src/connections/ssh-keys/ssh-key.ts';
import { endpoint } from '../../src/core/jsonapi/endpoint.ts';
import { computed, nullable, reference, text } from '../../src/core/jsonapi/fields.ts';
import type { Subject } from '../../src/core/jsonapi/records.ts';
import { type Team, teamById } from '../../src/people/teams/team.ts';
import { workspaceById } from '../../src/workspaces/workspaces/rows.ts';

const action = {
  operation: 'toys.show',
  section: '§5',
  summary: 'Show a toy',
  method: 'GET',
  paths: ['/toys/:toy_id'],
  answer: { status: 204 },
  handle: async () => undefined,
} as const;

test('§5 a power over another kind of record does not compile', () => {
  const fitting = [
    endpoint({ ...action, subject: workspaceById, needs: policy['workspace:update'] }),
    endpoint({ ...action, subject: teamById, needs: policy['team:update'] }),
    endpoint({ ...action, subject: sshKeyById, needs: policy['ssh-key:read'] }),
  ];
  const others = () => [
    // @ts-expect-error A team's.
    endpoint({ ...action, subject: workspaceById, needs: policy['team:update'] }),
    // @ts-expect-error A workspace's.
    endpoint({ ...action, subject: teamById, needs: policy['workspace:update'] }),
    // @ts-expect-error The organization's, in which the key is.
    endpoint({ ...action, subject: sshKeyById, needs: policy['organization:read'] }),
  ];
  expect(fitting.map(({ needs }) => needs.action)).toEqual(['workspace:update', 'team:update', 'ssh-key:read']);
  expect(others).toBeTypeOf('function');
});

test('§1 a column that no row of a record has does not compile, in a field or in what is found', () => {
  interface Toy extends Subject<'team'> {
    box_id: string | null;
  }
  const fields = [computed(nullable(text), (row: Toy) => row.box_id), reference('boxes', (row: Toy) => row.box_id)];
  const others = () => [
    // @ts-expect-error Misspelt.
    computed(nullable(text), (row: Toy) => row.box_ids),
    // @ts-expect-error Null where a text is shown.
    computed(text, (row: Toy) => row.box_id),
    // @ts-expect-error A row whose columns nobody named.
    computed(text, row => row.box_id),
    // @ts-expect-error Of the team that a finder finds.
    (team: Team) => team.nome,
  ];
  expect(fields).toHaveLength(2);
  expect(others).toBeTypeOf('function');
});
