// Requests made from the OpenAPI description: a short and repeatable turn of what `bench/generated.ts` does at length.
import { expect, test } from 'vitest';
import { useApp } from '../app.ts';
import { sendGenerated } from '../nets/generated.ts';

const app = useApp();

test('1500 generated requests → no 5xx, nothing undeclared, and nothing of another tenant is shown or changed', {
  timeout: 300_000,
}, async () => {
  const { requests, findings, byKind } = await sendGenerated(app, 1500, 1);
  expect(findings.map(({ operation, what, example }) => `${operation}: ${what}\n${example}`)).toEqual([]);
  expect(requests).toBe(1500);
  // Were nearly everything refused, nothing would have been tested.
  const successes = Object.entries(byKind['valid']!).filter(([status]) => Number(status) < 300);
  expect(successes.reduce((sum, [, count]) => sum + count, 0)).toBeGreaterThan(100);
});
