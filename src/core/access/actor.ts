/** Who is calling: a user, a team, an organization or a reader of its audit, as the token or the session says, and what that gives in each organization. */
import type { ErrorName } from '../errors.ts';
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

/** What the engine of a run works for. */
export interface RunScope {
  runId: string;
  workspaceId: string;
  organizationId: string;
  /** Only an apply writes state. A run task works for no engine: it reads the run, and brings its result. */
  phase: 'plan' | 'apply' | 'task';
  /** Of a run task. */
  taskResultId?: string | null;
}

export interface Actor {
  /** A visitor has shown nothing yet: endpoints that are open to everybody know one. */
  kind: 'user' | 'team' | 'organization' | 'audit-trails' | 'run' | 'visitor';
  /** The account: the person, or the service account of the team or organization. */
  userId: string;
  username: string;
  isSiteAdmin: boolean;
  /** The token that was shown, or the session; null for a visitor, and where an address of content was shown. */
  tokenId: string | null;
  /** The session, where that is what was shown. */
  sessionId: string | null;
  /** The organization or team that a token of that kind belongs to. */
  organizationId: string | null;
  teamId: string | null;
  /** Of a run's token: what it is let into. */
  run?: RunScope;
  /** Every team the caller is on, in all organizations. */
  teamIds: readonly string[];
  standings: ReadonlyMap<string, Standing>;
  /** The same person in organizations that want another way of signing in: only to be told which one. */
  withheld: readonly Withheld[];
  /** What of all this changed last in PostgreSQL: while it says the same, nothing about the caller has changed. */
  stamp: string;
  /** When an organization stops to take what was shown, by its age: then the caller is read anew. Null where none does. */
  endsAt: string | null;
}

/** Organizations that refuse a caller for the same reason, and its standing in them. */
export interface Withheld {
  refusal: ErrorName;
  actor: Actor;
}

/**
 * What a caller shows to say who it is: a token, or the secret of a session, as its hash; or an address of content, which
 * stands for whom it was given to.
 */
export type Credential =
  | { kind: 'token'; hash: Buffer }
  | { kind: 'session'; hash: Buffer }
  | { kind: 'address'; givenTo: string };

/** Whoever shows nothing. */
export const visitor: Actor = {
  kind: 'visitor',
  userId: 'visitor',
  username: 'visitor',
  isSiteAdmin: false,
  tokenId: null,
  sessionId: null,
  organizationId: null,
  teamId: null,
  teamIds: [],
  standings: new Map(),
  withheld: [],
  stamp: '',
  endsAt: null,
};

/** How the server knows who asks. The edge hands it to what decides about requests. */
export interface Callers {
  /** As this process read the caller last: a guess, until a statement that carries `proof` has proved it. */
  remembered: (credential: Credential) => Actor | undefined;
  /** Who it is now; null for nobody. */
  read: (sql: Sql, credential: Credential) => Promise<Actor | null>;
  /** An expression whose value is the actor's `stamp` while nothing about it has changed; null for nobody. */
  proof: (sql: Sql, credential: Credential, actor: Actor) => Fragment;
}

const withoutStanding: Standing = { isMember: false, isOwner: false, organizationAccess: 0 };

export function standingIn(actor: Actor, organizationId: string): Standing {
  return actor.standings.get(organizationId) ?? withoutStanding;
}

/** Ids of the organizations in which the actor's standing is such. */
export function organizationsWhere(actor: Actor, holds: (standing: Standing, id: string) => boolean): string[] {
  return [...actor.standings].filter(([id, standing]) => holds(standing, id)).map(([id]) => id);
}

/** Whom an address that the actor is shown is given to: its run, or its account, whichever of its tokens it uses. */
export const addressee = (actor: Actor): string => actor.run?.runId ?? actor.userId;

/** Whose a workspace's lock is (§3). */
export interface Holder {
  type: 'users' | 'teams' | 'runs';
  id: string;
}

/** A run's token is the run's. A team's token locks as the team, so that any other token of it may unlock; an organization's as its account. */
export function holderOf(actor: Actor): Holder {
  if (actor.run) return { type: 'runs', id: actor.run.runId };
  return actor.kind === 'team' ? { type: 'teams', id: actor.teamId! } : { type: 'users', id: actor.userId };
}
