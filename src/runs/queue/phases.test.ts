import { expect, test } from 'vitest';
import { type PhaseStatus, type PhaseTable, phaseAfter } from './phases.ts';
import { type RunStatus, runStatuses } from './statuses.ts';

test.each<[PhaseTable, PhaseStatus, RunStatus, PhaseStatus | null]>([
  ['plans', 'pending', 'plan_queued', 'queued'],
  ['plans', 'queued', 'planning', 'running'],
  ['plans', 'running', 'planned', 'finished'],
  ['plans', 'running', 'planned_and_saved', 'finished'],
  ['plans', 'running', 'errored', 'errored'],
  ['plans', 'queued', 'canceled', 'canceled'],
  ['plans', 'pending', 'discarded', 'unreachable'],
  ['plans', 'running', 'apply_queued', null],
  ['applies', 'pending', 'planned', null],
  ['applies', 'pending', 'planned_and_finished', 'unreachable'],
  ['applies', 'pending', 'apply_queued', 'queued'],
  ['applies', 'queued', 'applying', 'running'],
  ['applies', 'running', 'applied', 'finished'],
  ['applies', 'running', 'force_canceled', 'canceled'],
])('of %s, %s while the run is %s → %s', (table, phase, run, expected) => {
  expect(phaseAfter(table, phase, run)).toBe(expected);
});

test('what is over stays as it is, whatever the run does', () => {
  for (const phase of ['finished', 'errored', 'canceled', 'unreachable'] as const) {
    for (const run of runStatuses) expect(phaseAfter('plans', phase, run)).toBe(null);
  }
});
