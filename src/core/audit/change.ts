/** A change, as whoever makes it tells the audit trail: who did what to which record. */
import type { Actor } from '../access/actor.ts';

/** A record as the change found it, or left it: an event names whatever columns it has. */
// biome-ignore lint/suspicious/noExplicitAny: records of every type are told apart by their columns here.
export type ChangedRow = Record<string, any> & { id: string };

/** Terrane itself, where nobody asked, or an agent: its id and name say which of its jobs, or of the agents, acted. */
export interface SystemActor {
  kind: 'system' | 'agent';
  userId: string;
  username: string;
  tokenId: null;
}

export interface Change {
  operation: string;
  actor: Actor | SystemActor;
  /** The subject as it was before. */
  subject: ChangedRow;
  /** The record that the change made or left, where the answer carries one. */
  result: { type: string; row: ChangedRow } | null;
  notes: Record<string, unknown>;
  /** Organizations whom it concerns besides: each has an event of its own. */
  alsoIn?: readonly string[];
  /** Of a job of the system: the id that all events of one run of it have. */
  requestId: string;
  /** Null where no request came from anywhere. */
  remoteAddress: string | null;
}
