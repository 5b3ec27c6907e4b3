/** §5: what an endpoint needs must be about the record that it finds. The compiler judges that; `tsc` reads this file. */
import { expect, test } from 'vitest';
import { policy } from '../../src/access/policy.ts';
import { sshKeyById } from '../../src/connections/ssh-keys/ssh-key.ts';
import { endpoint } from '../../src/core/jsonapi/endpoint.ts';
import { teamById } from '../../src/people/teams/team.ts';
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
