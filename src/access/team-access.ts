/** What the access records of teams on workspaces and on projects have in common (§5.4). */

import type { Actor } from '../core/access/actor.ts';
import type { Powers } from '../core/access/powers.ts';
import { attributeFault, type Fault } from '../core/errors.ts';
import { teamAccessPowers } from './policy.ts';

/** A level other than custom fixes every detail: those that a body gives all the same, each at its place. */
export function readOnlyFaults(level: string, given: readonly string[], place = ''): Fault[] {
  if (level === 'custom') return [];
  return given.map(name => {
    const words = name.replaceAll('-', ' ');
    const label = words.charAt(0).toUpperCase() + words.slice(1);
    const reason = `${label} is read-only when access level is '${level}'; use the 'custom' access level to set this attribute.`;
    return attributeFault(`${place}${name}`, reason);
  });
}

/** Who sees all records of a workspace or project sees this one, and so does its team. */
export function teamAccessPowersOn(
  row: { team_id: string },
  actor: Actor,
  on: { seesAll: boolean; manages: boolean },
): Powers<'team-access'> {
  const isOwn = actor.teamIds.includes(row.team_id);
  return teamAccessPowers.where({ read: on.seesAll || on.manages || isOwn, manage: on.manages });
}
