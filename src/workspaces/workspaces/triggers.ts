/** §4.2 which files start a run: prefixes or patterns, one at a time. What a body asks → what is stored. Pure. */
import { attributeFault, type Fault } from '../../core/errors.ts';
import type { VcsRepoGiven } from './fields.ts';

export interface TriggersGiven {
  'file-triggers-enabled'?: boolean;
  'trigger-prefixes'?: string[];
  'trigger-patterns'?: string[];
  'vcs-repo'?: VcsRepoGiven | null;
}

export interface Triggers {
  file_triggers_enabled: boolean;
  trigger_prefixes: string[];
  trigger_patterns: string[];
}

/** What a new workspace has until its body says otherwise. */
export const noTriggers: Triggers = { file_triggers_enabled: true, trigger_prefixes: [], trigger_patterns: [] };

/** Giving one list takes the other away. */
export function settleTriggers(given: TriggersGiven, before: Triggers): { triggers: Triggers; faults: Fault[] } {
  const { 'trigger-prefixes': prefixes, 'trigger-patterns': patterns } = given;
  const triggers: Triggers = {
    file_triggers_enabled: given['file-triggers-enabled'] ?? before.file_triggers_enabled,
    trigger_prefixes: prefixes ?? (patterns ? [] : before.trigger_prefixes),
    trigger_patterns: patterns ?? (prefixes ? [] : before.trigger_patterns),
  };
  return { triggers, faults: [...rivalFaults(given), ...patternFaults(given, triggers)] };
}

/** Of what one body gives: the two lists and the expression for tags rule each other out. */
function rivalFaults(given: TriggersGiven): Fault[] {
  const rivals = [
    ['trigger-prefixes', given['trigger-prefixes']?.length],
    ['trigger-patterns', given['trigger-patterns']?.length],
    ['vcs-repo.tags-regex', given['vcs-repo']?.['tags-regex']],
  ] as const;
  const [first, ...others] = rivals.filter(([, isMeant]) => isMeant).map(([name]) => name);
  return others.map(name => attributeFault(name, `${name} cannot be given together with ${first}`));
}

/** The text is the one that clients look for. */
function patternFaults(given: TriggersGiven, { file_triggers_enabled, trigger_patterns }: Triggers): Fault[] {
  const isAsked = given['trigger-patterns'] !== undefined || given['file-triggers-enabled'] !== undefined;
  if (!isAsked || file_triggers_enabled || trigger_patterns.length === 0) return [];
  const reason = "'trigger_patterns' cannot be populated when 'file_triggers_enabled' is set to false.";
  return [attributeFault('trigger-patterns', reason)];
}
