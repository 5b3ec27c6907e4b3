/** What gives somebody powers on a record: one by one, from the records and with the functions that decide about requests. */
import { type AccessKey, accessKeys, organizationAccessBits } from '../../access/organization-access.ts';
import type { Actor, Standing } from '../../core/access/actor.ts';
import type { Powers } from '../../core/access/powers.ts';
import type { Fragment, Sql } from '../../core/store/store.ts';

export type Via =
  | 'membership'
  | 'ownership'
  | 'organization-access'
  | 'project-access'
  | 'workspace-access'
  | 'team-membership'
  | 'organization-token';

/** The team through which powers come, and its keys of organization access. */
export interface GrantingTeam {
  id: string;
  name: string;
  is_owners: boolean;
  organization_access: number;
  /** Whether whoever asks may see it. */
  is_visible: boolean;
}

export interface Grant<Kind extends string> {
  via: Via;
  /** Null where it comes through no team. */
  team: GrantingTeam | null;
  /** The record of access, where it comes from one, and what that says. */
  record: { type: 'team-workspaces' | 'team-projects'; id: string; access: string } | null;
  powers: Powers<Kind>;
}

/** How an organization's own settings give powers on records of a kind. */
export type FromOrganization<Kind extends string> = (actor: Actor, organizationId: string) => Powers<Kind>;

/** Somebody of whom nothing is known but this standing: what it gives, it gives alone. */
export function standingAlone(organizationId: string, standing: Partial<Standing>): Actor {
  const whole = { isMember: true, isOwner: false, organizationAccess: 0, ...standing };
  return {
    kind: 'user',
    userId: '',
    username: '',
    isSiteAdmin: false,
    tokenId: '',
    organizationId: null,
    teamId: null,
    teamIds: [],
    standings: new Map([[organizationId, whole]]),
    sessionId: null,
    withheld: [],
    stamp: '',
    endsAt: null,
  };
}

/** What membership gives, each team by itself, and the token of an organization. */
export function organizationGrants<Kind extends string>(
  target: Actor | null,
  teams: readonly GrantingTeam[],
  organizationId: string,
  powersFrom: FromOrganization<Kind>,
): Grant<Kind>[] {
  const grant = (via: Via, team: GrantingTeam | null, actor: Actor): Grant<Kind> => ({
    via,
    team,
    record: null,
    powers: powersFrom(actor, organizationId),
  });
  if (target?.kind === 'organization') return [grant('organization-token', null, target)].filter(isSome);
  const nothing = standingAlone(organizationId, {});
  const isMember = target?.standings.get(organizationId)?.isMember ?? false;
  const ofTeams = teams.map(team =>
    team.is_owners
      ? grant('ownership', team, standingAlone(organizationId, { isOwner: true }))
      : grant(
          'organization-access',
          team,
          standingAlone(organizationId, { isMember: false, organizationAccess: team.organization_access }),
        ),
  );
  return [...(isMember ? [grant('membership', null, nothing)] : []), ...ofTeams].filter(isSome);
}

export const isSome = <Kind extends string>({ powers }: Grant<Kind>): boolean => powers !== 0;

/** The keys of organization access that give one of the powers, each by itself. */
export function keysGiving<Kind extends string>(
  organizationId: string,
  powersFrom: FromOrganization<Kind>,
  anyOf: Powers<Kind>,
  among: number = organizationAccessBits(Object.fromEntries(accessKeys.map(key => [key, true]))),
): AccessKey[] {
  return accessKeys.filter(key => {
    const organizationAccess = organizationAccessBits({ [key]: true }) & among;
    const alone = standingAlone(organizationId, { isMember: false, organizationAccess });
    return (powersFrom(alone, organizationId) & anyOf) !== 0;
  });
}

/** Those of the target's teams that are in the organization. */
export async function teamsOf(
  sql: Sql,
  target: Actor,
  organizationId: string,
  isVisible: Fragment,
): Promise<GrantingTeam[]> {
  return sql<GrantingTeam[]>`
    select teams.id, teams.name, teams.is_owners, teams.organization_access, ${isVisible} as is_visible from teams
    where teams.id = any(${target.teamIds as string[]}) and teams.organization_id = ${organizationId}
    order by teams.name, teams.id`;
}
