/** What the switches of a team mean together: what is implied, what comes along, and what the sum says. */
import { type Permission, permissions } from '../texts/teams.ts';

export type Switches = Record<string, boolean>;

const byKey = new Map(permissions.map(permission => [permission.key, permission]));
export const labelOf = (key: string) => byKey.get(key)?.label ?? key;

/** On because another is on; it cannot be switched by itself. */
export function isImplied({ impliedBy }: Permission, on: Switches): boolean {
  return impliedBy !== undefined && on[impliedBy] === true;
}

/** Switches one, and what it needs with it when on, and what needs it when off. */
export function switched(on: Switches, key: string, isOn: boolean): Switches {
  const next = { ...on, [key]: isOn };
  if (isOn) {
    const needed = byKey.get(key)?.needs;
    return needed && !next[needed] ? switched(next, needed, true) : next;
  }
  return permissions
    .filter(({ needs }) => needs === key && next[needs] === false && next[key] === false)
    .reduce((sum, { key: dependent }) => (sum[dependent] ? switched(sum, dependent, false) : sum), next);
}

/** The switches that differ, by what they would be. */
export function changes(before: Switches, after: Switches): Switches {
  const keys = permissions.map(({ key }) => key);
  return Object.fromEntries(
    keys.filter(key => (before[key] ?? false) !== (after[key] ?? false)).map(key => [key, after[key] ?? false]),
  );
}
