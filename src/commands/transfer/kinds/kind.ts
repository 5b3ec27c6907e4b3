// What each kind of record knows: how it is read by names, and how it is written by ids.
import type { Place, Target } from '../place.ts';
import type { Content, Missing, MovedRecord } from '../record.ts';

/** One record on its way. `change` is what of it the target has otherwise: all of it where the target has none. */
export interface Step {
  record: MovedRecord;
  present: MovedRecord | undefined;
  change: Content;
  /** For what turns out while it is written. */
  note: (missing: Missing) => void;
}

export interface Kind {
  /** The type of its documents; where several kinds have one, of what they belong to as well. */
  type: string;
  /** For people, as in "12 projects". */
  title: string;
  read: (place: Place) => Promise<MovedRecord[]>;
  write: (target: Target, step: Step) => Promise<void>;
  /** What names workspaces, written when all of them are there. */
  link?: (target: Target, step: Step) => Promise<void>;
}
