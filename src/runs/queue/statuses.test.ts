/** §2.2 What each status of a run lets happen, told from the other side: by what may happen, in which statuses. */
import { describe, expect, test } from 'vitest';
import { actionsOf, is, type RunStatus, runStatuses, statusesThat, timestampName } from './statuses.ts';

const noon_ms = Date.parse('2026-01-01T12:00:00Z');
const idle = { canceled_at: null, force_cancel_available_at: null };
const statusesWith = (action: keyof ReturnType<typeof actionsOf>, more: object = {}) =>
  runStatuses.filter(status => actionsOf({ status, ...idle, ...more }, noon_ms)[action]);

describe('§2.2 a run', () => {
  test('§5.4 can be canceled while it waits or is worked on, but not behind its apply', () => {
    expect(statusesWith('is-cancelable')).toEqual([
      ...['pending', 'fetching', 'fetching_completed', 'pre_plan_running', 'pre_plan_completed', 'queuing'],
      ...['plan_queued', 'planning', 'cost_estimating', 'policy_checking', 'post_plan_running', 'confirmed'],
      ...['pre_apply_running', 'pre_apply_completed', 'queuing_apply', 'apply_queued', 'applying'],
    ]);
  });

  test('§5.4 can be canceled once', () => {
    expect(statusesWith('is-cancelable', { canceled_at: '2026-01-01T11:59:59Z' })).toEqual([]);
  });

  test('§5.4 can be confirmed where its plan is done and nobody else has to decide first', () => {
    expect(statusesWith('is-confirmable')).toEqual([
      ...['planned', 'cost_estimated', 'policy_checked', 'post_plan_completed', 'planned_and_saved'],
    ]);
  });

  test('§5.4 can be discarded before it begins, and wherever somebody has to decide', () => {
    expect(statusesWith('is-discardable')).toEqual([
      ...['pending', 'pre_plan_awaiting_decision', 'planned', 'cost_estimated', 'policy_override', 'policy_checked'],
      ...['post_plan_awaiting_decision', 'post_plan_completed', 'planned_and_saved', 'pre_apply_awaiting_decision'],
    ]);
  });

  test('§5.4 can be ended by force while it is worked on, from the moment that was named', () => {
    const worked: RunStatus[] = [
      ...(['fetching', 'fetching_completed', 'pre_plan_completed', 'queuing', 'planning', 'cost_estimating'] as const),
      ...(['policy_checking', 'confirmed', 'pre_apply_completed', 'queuing_apply', 'applying'] as const),
      ...(['post_apply_running', 'post_apply_completed'] as const),
    ];
    const from = (force_cancel_available_at: string | null) =>
      statusesWith('is-force-cancelable', { force_cancel_available_at, canceled_at: '2026-01-01T11:00:00Z' });
    expect(from('2026-01-01T12:00:00.000Z')).toEqual(worked);
    expect(from('2026-01-01T12:00:00.001Z')).toEqual([]);
    expect(from(null)).toEqual([]);
    expect(statusesThat('works')).toEqual(worked);
  });

  test('waits for its turn or for run tasks', () => {
    expect(statusesThat('waits')).toEqual([
      ...['pending', 'pre_plan_running', 'plan_queued', 'post_plan_running', 'pre_apply_running', 'apply_queued'],
    ]);
  });

  test('has come to its end, and nothing can be done with it', () => {
    const ends = statusesThat('final');
    expect(ends).toEqual([
      ...['applied', 'planned_and_finished', 'policy_soft_failed', 'discarded', 'errored', 'canceled'],
      ...['force_canceled', 'assessed'],
    ]);
    const past = { canceled_at: null, force_cancel_available_at: '2026-01-01T11:00:00Z' };
    for (const status of ends)
      expect(Object.values(actionsOf({ status, ...past }, noon_ms))).toEqual([false, false, false, false]);
  });

  test('waits, is worked on, rests or has ended: one of these in each status', () => {
    for (const status of runStatuses)
      expect([
        status,
        (['waits', 'works', 'rests', 'final'] as const).filter(trait => is(status, trait)).length,
      ]).toEqual([status, 1]);
  });

  test('says when it came to a status under the name of the status; what was fetched has a name of its own', () => {
    expect(timestampName('plan_queued')).toBe('plan-queued-at');
    expect(timestampName('pre_plan_awaiting_decision')).toBe('pre-plan-awaiting-decision-at');
    expect(timestampName('fetching_completed')).toBe('fetched-at');
    expect(timestampName('fetching')).toBe('fetching-at');
  });

  test('is judged by the clock of now, where no other is given', () => {
    const run = { status: 'applying', canceled_at: null } as const;
    const at = (ms: number) => new Date(Date.now() + ms).toISOString();
    expect(actionsOf({ ...run, force_cancel_available_at: at(-1000) })['is-force-cancelable']).toBe(true);
    expect(actionsOf({ ...run, force_cancel_available_at: at(60_000) })['is-force-cancelable']).toBe(false);
  });
});
