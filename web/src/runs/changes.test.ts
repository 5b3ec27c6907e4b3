import { expect, test } from 'vitest';
import { contentsOf } from './changes.ts';

test('web: a replacement is one change, with what forces it, what is unknown and what is secret', () => {
  const { resources } = contentsOf({
    resource_changes: [
      {
        address: 'aws_db.main',
        change: {
          actions: ['delete', 'create'],
          before: { size: 1, password: 'a', id: 'x', same: true },
          after: { size: 2, password: 'b', same: true },
          after_unknown: { id: true },
          after_sensitive: { password: true },
          replace_paths: [['size']],
        },
      },
      { address: 'aws_db.same', change: { actions: ['no-op'], before: {}, after: {} } },
    ],
  });
  expect(resources).toHaveLength(1);
  const [change] = resources;
  expect([change!.action, change!.unchanged]).toEqual(['replace', 1]);
  expect(change!.values.map(({ path, isKnown, isSensitive, forces }) => [path, isKnown, isSensitive, forces])).toEqual([
    ['id', false, false, false],
    ['password', true, true, false],
    ['size', true, false, true],
  ]);
});

test('web: outputs and drift are changes like others', () => {
  const { outputs, drift } = contentsOf({
    output_changes: { url: { actions: ['create'], before: null, after: 'http://x' } as never },
    resource_drift: [{ address: 'a.b', change: { actions: ['update'], before: { x: 1 }, after: { x: 2 } } }],
  });
  expect([outputs[0]!.action, outputs[0]!.values[0]!.after, drift[0]!.address]).toEqual(['create', 'http://x', 'a.b']);
});
