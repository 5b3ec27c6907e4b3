/** What a program of this folder is, and what it finds. */

/** What whoever runs a program may say. */
export interface Told {
  /** A short run: the same questions, fewer of each. */
  isQuick: boolean;
  /** Another bundle than `dist/main.js`: one broken on purpose, to see that the program sees it. */
  program: string | undefined;
  /** For the servers, as NAME=value: settings that break something on purpose. */
  environment: Record<string, string>;
  /** Where another PostgreSQL's programs are. */
  postgres: string | undefined;
  /** A directory of migrations in place of ours. */
  migrations: string | undefined;
  /** How much of what the program counts, in place of its own number. */
  count: number | undefined;
  seed: number;
  /** Says how far it is. */
  say: (text: string) => void;
}

export interface Finding {
  what: string;
  found: string;
  goal: string;
  holds: boolean;
}

export type Program = (told: Told) => Promise<Finding[]>;

/** A number that may not be greater than the goal. */
export function atMost(what: string, found: number, goal: number, unit = ''): Finding {
  const written = (value: number) => `${Number.isInteger(value) ? value : value.toFixed(value < 10 ? 2 : 0)}${unit}`;
  return { what, found: written(found), goal: `≤ ${written(goal)}`, holds: found <= goal };
}

/** A number without a goal of its own: how much was looked at. Nothing was shown where it is none. */
export function seen(what: string, count: number): Finding {
  return { what, found: count.toLocaleString('en'), goal: '> 0', holds: count > 0 };
}
