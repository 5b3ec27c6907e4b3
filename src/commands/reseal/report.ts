/** What is told of sealed values. */

/** How many values of a column a key has sealed. */
export interface Use {
  table: string;
  column: string;
  keyId: string;
  count: number;
}

/** A value that stays as it is, since it does not open. */
export interface Problem {
  table: string;
  column: string;
  id: string;
  reason: string;
}

export interface Resealed {
  count: number;
  problems: Problem[];
}
