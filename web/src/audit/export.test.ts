import { expect, test } from 'vitest';
import { asTable } from './export.ts';

test('web: a name in an exported table is never a formula, and a quote stays a quote', () => {
  const attributes = { 'occurred-at': 't', action: 'workspaces.create', 'resource-name': '=1+1', 'actor-name': 'a"b' };
  const [, row] = asTable([{ id: 'ae-1', attributes } as never]).split('\r\n');
  expect(row).toContain(`"'=1+1"`);
  expect(row).toContain('"a""b"');
});
