/** One thing that must hold in a database, and where it does not. */
import type { Config } from '../../core/config.ts';
import type { Sql } from '../../core/store/store.ts';

export interface Finding {
  /** How many records were looked at. */
  looked: number;
  /** How many do not hold. */
  wrong: number;
  /** What is wrong with the first of them, in sentences. */
  problems: string[];
}

export interface Check {
  name: string;
  means: string;
  look: (sql: Sql, config: Config) => Promise<Finding>;
}

/** Of a check that fails, so many records are named. */
export const shownProblems = 20;

/** Collects what is wrong, and names the first few. */
export function finding(): Finding & { add: (problem: string) => void } {
  const found = {
    ...{ looked: 0, wrong: 0, problems: [] as string[] },
    add: (problem: string) => {
      found.wrong += 1;
      if (found.problems.length < shownProblems) found.problems.push(problem);
    },
  };
  return found;
}

/** A check that one statement makes: a row with `looked`, and in `problems` a sentence for each record that does not hold. */
export function byStatement(
  name: string,
  means: string,
  ask: (sql: Sql) => Promise<readonly { looked: number; problems: string[] | null }[]>,
): Check {
  return {
    name,
    means,
    look: async sql => {
      const [row] = await ask(sql);
      const problems = row?.problems ?? [];
      return { looked: row?.looked ?? 0, wrong: problems.length, problems: problems.slice(0, shownProblems) };
    },
  };
}
