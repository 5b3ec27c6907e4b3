/** Who is calling: a user, a team, an organization or a reader of its audit, as the token says, and what that gives in each organization. */

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
  /** The same person in organizations that take no users' tokens: nothing is done or shown by it but 401 for 404. */
  withheld: Actor | null;
}

const stranger: Standing = { isMember: false, isOwner: false, organizationAccess: 0 };

export function standingIn(actor: Actor, organizationId: string): Standing {
  return actor.standings.get(organizationId) ?? stranger;
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
