import { describe, expect, test } from 'vitest';
import { noTriggers, settleTriggers, type Triggers, type TriggersGiven } from './triggers.ts';

const prefixed: Triggers = { ...noTriggers, trigger_prefixes: ['modules'] };
const patterned: Triggers = { ...noTriggers, trigger_patterns: ['**/*.tf'] };
const pointers = (given: TriggersGiven, before: Triggers) =>
  settleTriggers(given, before).faults.map(({ source }) => source && 'pointer' in source && source.pointer);
const at = (...names: string[]) => names.map(name => `/data/attributes/${name}`);

describe('§4.2 which files start a run', () => {
  test('§4.2 a new workspace asks every change, and what a body leaves out is kept', () => {
    expect(settleTriggers({}, noTriggers)).toEqual({
      triggers: { file_triggers_enabled: true, trigger_prefixes: [], trigger_patterns: [] },
      faults: [],
    });
    for (const before of [prefixed, patterned])
      expect(settleTriggers({ 'file-triggers-enabled': true }, before)).toEqual({ triggers: before, faults: [] });
    expect(settleTriggers({ 'file-triggers-enabled': false }, prefixed)).toEqual({
      triggers: { ...prefixed, file_triggers_enabled: false },
      faults: [],
    });
    expect(settleTriggers({}, { ...prefixed, file_triggers_enabled: false }).triggers.file_triggers_enabled).toBe(
      false,
    );
  });

  test('§4.2 giving one list takes the other away, also an empty one', () => {
    expect(settleTriggers({ 'trigger-patterns': ['a/*'] }, prefixed).triggers).toEqual({
      ...noTriggers,
      trigger_patterns: ['a/*'],
    });
    expect(settleTriggers({ 'trigger-prefixes': ['a'] }, patterned).triggers).toEqual({
      ...noTriggers,
      trigger_prefixes: ['a'],
    });
    expect(settleTriggers({ 'trigger-patterns': [] }, prefixed).triggers).toEqual(noTriggers);
    expect(settleTriggers({ 'trigger-prefixes': [] }, patterned).triggers).toEqual(noTriggers);
  });

  test('§4.2 prefixes, patterns and the expression for tags rule each other out, where they say something', () => {
    const [prefixes, patterns] = [{ 'trigger-prefixes': ['a'] }, { 'trigger-patterns': ['a/*'] }];
    const tags = { 'vcs-repo': { 'tags-regex': '^v' } };
    expect(pointers({ ...prefixes, ...patterns }, noTriggers)).toEqual(at('trigger-patterns'));
    expect(pointers({ ...prefixes, ...tags }, noTriggers)).toEqual(at('vcs-repo/tags-regex'));
    expect(pointers({ ...prefixes, ...patterns, ...tags }, noTriggers)).toEqual(
      at('trigger-patterns', 'vcs-repo/tags-regex'),
    );
    const [fault] = settleTriggers({ ...patterns, ...tags }, noTriggers).faults;
    expect(JSON.stringify(fault)).toContain('vcs-repo.tags-regex cannot be given together with trigger-patterns');
    expect(pointers({ 'trigger-prefixes': [], ...patterns }, noTriggers)).toEqual([]);
    expect(pointers({ ...prefixes, 'trigger-patterns': [] }, noTriggers)).toEqual([]);
    expect(pointers({ ...prefixes, 'vcs-repo': { 'tags-regex': '' } }, noTriggers)).toEqual([]);
    expect(pointers({ ...prefixes, 'vcs-repo': null }, noTriggers)).toEqual([]);
  });

  test('§4.2 patterns count for nothing while every change starts a run: to ask for both is a fault', () => {
    const off = { 'file-triggers-enabled': false };
    expect(pointers({ ...off, 'trigger-patterns': ['a/*'] }, noTriggers)).toEqual(at('trigger-patterns'));
    expect(pointers(off, patterned)).toEqual(at('trigger-patterns'));
    expect(pointers({ 'trigger-patterns': ['a/*'] }, { ...noTriggers, file_triggers_enabled: false })).toEqual(
      at('trigger-patterns'),
    );
    expect(pointers({ ...off, 'trigger-patterns': [] }, patterned)).toEqual([]);
    expect(pointers({ ...off, 'trigger-prefixes': ['a'] }, patterned)).toEqual([]);
    // A body that says nothing of either leaves what is there alone.
    expect(pointers({}, { ...patterned, file_triggers_enabled: false })).toEqual([]);
  });
});
