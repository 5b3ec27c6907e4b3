/** Who is calling: a user, a team, an organization or a reader of its audit, as the token says, and what that gives in each organization. */
import type { Fragment, Sql } from '../store/store.ts';

/** The caller's standing in one organization, collected while the token is looked up. */
export interface Standing {
  /** An active member, a team of it or the organization itself: someone who may know that it exists. */
  isMember: boolean;
  /** On the owners team, or with a token that acts as an owner (§5.2). */
  isOwner: boolean;
  /** The union of the organization-access keys of the caller's teams, as bits. */
  organizationAccess: number;
}

export interface Actor {
  kind: 'user' | 'team' | 'organization' | 'audit-trails';
  /** The account: the person, or the service account of the team or organization. */
  userId: string;
  username: string;
  isSiteAdmin: boolean;
  tokenId: string;
  /** The organization or team that a token of that kind belongs to. */
  organizationId: string | null;
  teamId: string | null;
  /** Every team the caller is on, in all organizations. */
  teamIds: readonly string[];
  standings: ReadonlyMap<string, Standing>;
  /** The same person in the organizations that take no users' tokens: it may only be told why it is refused there. */
  withheld: Actor | null;
  /** A digest of all this as PostgreSQL had it: while it says the same, nothing about the caller has changed. */
  stamp: string;
}

/** What a caller shows to say who it is: the hash of a token. */
export type Credential = Buffer;

/** How the server knows who asks. The edge hands it to what decides about requests. */
export interface Callers {
  /** As this process read the caller last: a guess, until a statement that carries `proof` has proved it. */
  remembered: (credential: Credential) => Actor | undefined;
  /** Who it is now; null for nobody. */
  read: (sql: Sql, credential: Credential) => Promise<Actor | null>;
  /** An expression whose value is the caller's `stamp`; null for nobody. */
  proof: (sql: Sql, credential: Credential) => Fragment;
}

const stranger: Standing = { isMember: false, isOwner: false, organizationAccess: 0 };

export function standingIn(actor: Actor, organizationId: string): Standing {
  return actor.standings.get(organizationId) ?? stranger;
}

/** Ids of the organizations in which the actor's standing is such. */
export function organizationsWhere(actor: Actor, holds: (standing: Standing, id: string) => boolean): string[] {
  return [...actor.standings].filter(([id, standing]) => holds(standing, id)).map(([id]) => id);
}

/** Whose a workspace's lock is (§3). */
export interface Holder {
  type: 'users' | 'teams' | 'runs';
  id: string;
}

/** A team's token locks as the team, so that any other token of it may unlock; an organization's as its account. */
export function holderOf(actor: Actor): Holder {
  return actor.kind === 'team' ? { type: 'teams', id: actor.teamId! } : { type: 'users', id: actor.userId };
}
