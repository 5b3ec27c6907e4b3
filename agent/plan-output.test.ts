/** §4.3 What is read from a plan: its counts, and the form that people without further rights may see. */
import { expect, test } from 'vitest';
import { assessmentOf, countsInLog, countsOf, redactedPlan } from './plan-output.ts';

const change = (actions: string[], more: object = {}) => ({
  mode: 'managed',
  type: 'one',
  provider_name: 'example.com/a/a',
  change: { actions, ...more },
});

test('changes are counted as engines count them', () => {
  const resource_changes = [
    change(['create']),
    change(['update'], { importing: { id: 'x' } }),
    change(['delete', 'create']),
    change(['create', 'delete']),
    change(['delete']),
    change(['no-op'], { importing: { id: 'y' } }),
    { ...change(['read']), mode: 'data' },
  ];
  expect(countsOf({ resource_changes })).toEqual({
    resource_additions: 3,
    resource_changes: 1,
    resource_destructions: 3,
    resource_imports: 2,
  });
  expect(countsOf({})).toMatchObject({ resource_additions: 0 });
});

test.each([
  ['Apply complete! Resources: 1 added, 2 changed, 3 destroyed.', [1, 2, 3, 0]],
  ['{"@message":"Apply complete! Resources: 4 imported, 1 added, 2 changed, 3 destroyed."}', [1, 2, 3, 4]],
])('the summary of an apply: %s', (text, expected) => {
  expect(Object.values(countsInLog(`some\n${text}\nmore`))).toEqual(expected);
});

test('an apply without a summary has no counts', () => {
  expect(countsInLog('Error: no')).toEqual({});
});

test('sensitive values are gone, and those that differ still differ', () => {
  const secret = (before: unknown, after: unknown) =>
    change(['update'], {
      before: { plain: 1, list: [{ key: before }] },
      after: { plain: 2, list: [{ key: after }] },
      before_sensitive: { list: [{ key: true }] },
      after_sensitive: { list: [{ key: true }] },
    });
  const plan = {
    format_version: '1.2',
    resource_changes: [secret('open', 'sesame'), secret({ deep: 'open' }, { deep: 'open' })],
    output_changes: {
      o: { actions: ['create'], before: null, after: 'sesame', before_sensitive: false, after_sensitive: true },
    },
  };
  const schemas = {
    format_version: '1.0',
    provider_schemas: {
      'example.com/a/a': { resource_schemas: { one: { version: 1 }, two: { version: 2 } }, provider: {} },
      'example.com/b/b': { resource_schemas: {} },
    },
  };
  const redacted = JSON.parse(JSON.stringify(redactedPlan(plan, schemas, 'key')));
  expect(JSON.stringify(redacted)).not.toMatch(/open|sesame/);
  const [first, second] = redacted.resource_changes;
  expect(first.change.before.list[0].key).not.toBe(first.change.after.list[0].key);
  expect(second.change.before.list[0].key).toBe(second.change.after.list[0].key);
  expect([first.change.before.plain, first.change.after.plain]).toEqual([1, 2]);
  expect(redacted.output_changes.o.before).toBe(null);
  expect(redacted).toMatchObject({ plan_format_version: '1.2', provider_format_version: '1.0' });
  // Only what the plan is rendered from.
  expect(redacted.provider_schemas).toEqual({
    'example.com/a/a': { provider: {}, resource_schemas: { one: { version: 1 } }, data_source_schemas: {} },
  });
});

test('§4.2 an assessment counts instances in all modules, what is other than the state says, and checks by what they say', () => {
  const managed = { mode: 'managed' };
  const drift = (mode: string, ...actions: string[]) => ({ mode, change: { actions } });
  const plan = {
    prior_state: {
      values: {
        root_module: {
          resources: [managed, managed, { mode: 'data' }],
          child_modules: [{ resources: [managed], child_modules: [{ resources: [managed] }] }],
        },
      },
    },
    resource_drift: [
      drift('managed', 'update'),
      drift('managed', 'delete'),
      drift('managed', 'no-op'),
      drift('data', 'update'),
    ],
    checks: ['pass', 'pass', 'fail', 'error', 'unknown'].map(status => ({ status })),
  };
  expect(assessmentOf(plan)).toEqual({
    resources_drifted: 2,
    resources_undrifted: 2,
    checks_passed: 2,
    checks_failed: 1,
    checks_errored: 1,
    checks_unknown: 1,
  });
  expect(Object.values(assessmentOf({}))).toEqual([0, 0, 0, 0, 0, 0]);
});
