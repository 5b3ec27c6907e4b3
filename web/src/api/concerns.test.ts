import { expect, test } from 'vitest';
import { concerns } from './concerns.ts';

const change = (type: string, id: string, workspace: string | null) =>
  ({
    attributes: { 'resource-type': type, 'resource-id': id, change: 'updated' },
    relationships: { workspace: { data: workspace ? { type: 'workspaces', id: workspace } : null } },
  }) as never;
const kept = (queryKey: string[], data?: object, dataUpdatedAt = 0) =>
  ({ queryKey, state: { data, dataUpdatedAt } }) as never;

test('web: a change is read again where its record is shown, and nowhere else', () => {
  const run = change('runs', 'run-1', 'ws-1');
  expect(concerns(kept(['runs', 'one', 'run-1']), run, 0)).toBe(true);
  expect(concerns(kept(['runs', 'one', 'run-2']), run, 0)).toBe(false);
  expect(concerns(kept(['runs', 'of-workspace', 'ws-1']), run, 0)).toBe(true);
  expect(concerns(kept(['runs', 'of-workspace', 'ws-2']), run, 0)).toBe(false);
  expect(concerns(kept(['workspaces', 'globex', 'one', 'a'], { data: { id: 'ws-1' } }), run, 0)).toBe(true);
  expect(concerns(kept(['workspaces', 'globex', 'one', 'b'], { data: { id: 'ws-2' } }), run, 0)).toBe(false);
  expect(concerns(kept(['workspaces', 'globex', 'list']), run, 0)).toBe(true);
  expect(concerns(kept(['teams', 'one', 'team-1']), run, 0)).toBe(false);
});

test('web: what stands round a workspace is read again where that workspace is shown', () => {
  const variable = change('vars', 'var-1', 'ws-1');
  expect(concerns(kept(['variables', 'ws-1']), variable, 0)).toBe(true);
  expect(concerns(kept(['variables', 'ws-2']), variable, 0)).toBe(false);
  expect(concerns(kept(['notifications', 'ws-1']), change('notification-configurations', 'nc-1', 'ws-1'), 0)).toBe(
    true,
  );
  const asked = change('workspace-tasks', 'wstask-1', 'ws-1');
  expect(concerns(kept(['run-tasks', 'of-workspace', 'ws-1']), asked, 0)).toBe(true);
  expect(concerns(kept(['run-tasks', 'of-workspace', 'ws-2']), asked, 0)).toBe(false);
  expect(concerns(kept(['run-tasks', 'globex']), change('tasks', 'task-1', null), 0)).toBe(true);
  expect(concerns(kept(['agent-pools', 'globex']), change('agents', 'agent-1', null), 0)).toBe(true);
  expect(concerns(kept(['connections', 'globex']), change('ssh-keys', 'sshkey-1', null), 0)).toBe(false);
});

test('web: a variable set is read again wherever sets or the variables of workspaces are shown', () => {
  const set = change('varsets', 'varset-1', null);
  expect(concerns(kept(['variable-sets', 'globex', 'page']), set, 0)).toBe(true);
  expect(concerns(kept(['variable-sets', 'one', 'varset-1']), set, 0)).toBe(true);
  expect(concerns(kept(['variables', 'ws-1']), set, 0)).toBe(true);
  expect(concerns(kept(['teams', 'globex']), set, 0)).toBe(false);
});

test('web: whose own rights change reads everything again', () => {
  expect(concerns(kept(['variables', 'ws-1']), change('users', 'user-1', null), 0)).toBe(true);
});

test('web: counts are not read again by the second', () => {
  const counts = (age_ms: number) => kept(['workspaces', 'globex', 'counts'], {}, 100_000 - age_ms);
  expect(concerns(counts(5_000), change('workspaces', 'ws-1', 'ws-1'), 100_000)).toBe(false);
  expect(concerns(counts(40_000), change('workspaces', 'ws-1', 'ws-1'), 100_000)).toBe(true);
});
