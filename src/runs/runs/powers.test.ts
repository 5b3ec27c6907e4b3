import { expect, test } from 'vitest';
import { runPowers } from '../../access/policy.ts';
import {
  type WorkspaceLevel,
  workspaceAccessOf,
  workspacePowers,
  workspacePowersFrom,
} from '../../access/workspace-levels.ts';
import type { Actor } from '../../core/access/actor.ts';
import type { Powers } from '../../core/access/powers.ts';
import { powersOnRun, type Run, runPowersFrom, runs } from './run.ts';

const named = (powers: Powers<'run'>) => runPowers.names.filter(name => runPowers.has(powers, name));
const at = (level: WorkspaceLevel, isPlanOnly: boolean) =>
  named(runPowersFrom(workspacePowersFrom(level, workspaceAccessOf[level]), isPlanOnly));

const ofWriters = ['read', 'comment', 'apply', 'discard', 'cancel', 'force-execute', 'read-errored-state'];

test.each<[WorkspaceLevel, boolean, string[]]>([
  ['read', false, ['read']],
  ['read', true, ['read']],
  ['plan', false, ['read', 'comment']],
  ['plan', true, ['read', 'comment', 'discard', 'cancel']],
  ['write', false, ofWriters],
  ['write', true, ofWriters],
])('§5.4 who has %s on the workspace, of a run that only plans: %s, may %j', (level, isPlanOnly, expected) => {
  expect(at(level, isPlanOnly)).toEqual(expected);
});

test('§5.4 an admin may do everything with a run, but write the state of its engine', () => {
  const expected = runPowers.names.filter(name => name !== 'write-errored-state');
  expect(at('admin', false)).toEqual(expected);
});

test('§5.4 without reading the workspace nothing is given, and each power needs its own', () => {
  const all = workspacePowers.names.filter(name => name !== 'read');
  expect(named(runPowersFrom(workspacePowers.of(...all), true))).toEqual([]);
  const given = (...names: (typeof all)[number][]) => named(runPowersFrom(workspacePowers.of('read', ...names), false));
  expect(given('administer')).toEqual(['read', 'read-json-output']);
  expect(given('apply')).toEqual(['read', 'comment', 'apply', 'discard', 'cancel', 'force-execute']);
  expect(given('apply', 'administer')).toContain('force-cancel');
  expect(given('override-policies')).toEqual(['read', 'override-policies']);
  expect(given('write-state')).toEqual(['read', 'read-errored-state']);
});

test('§2.2 each permission of a run shows one power, and no other', () => {
  const shown = (power: (typeof runPowers.names)[number]) => {
    const row = { powers: runPowers.bit[power] } as Run;
    const permissions = runs.attributes.permissions.value(row, undefined as never) as Record<string, boolean>;
    return Object.entries(permissions).flatMap(([name, isGiven]) => (isGiven ? [name] : []));
  };
  expect(Object.fromEntries(runPowers.names.map(power => [power, shown(power)]))).toEqual({
    read: [],
    comment: ['can-comment'],
    apply: ['can-apply'],
    discard: ['can-discard'],
    cancel: ['can-cancel'],
    'force-cancel': ['can-force-cancel'],
    'force-execute': ['can-force-execute'],
    'override-policies': ['can-override-policy-check'],
    'read-json-output': [],
    'read-errored-state': [],
    'write-errored-state': [],
  });
});

test('§5.4 a run task reads the run that it was asked about and its parts, and no other run', () => {
  const task = { run: { phase: 'task', runId: 'run-1' } } as Actor;
  const on = (row: { id: string; run_id?: string }) => named(powersOnRun({ ...row, plan_only: false } as never, task));
  expect(on({ id: 'run-1' })).toEqual(['read', 'read-json-output']);
  expect(on({ id: 'plan-1', run_id: 'run-1' })).toEqual(['read', 'read-json-output']);
  expect(on({ id: 'run-2' })).toEqual([]);
  expect(on({ id: 'run-1', run_id: 'run-2' })).toEqual([]);
});
