/** What an actor may do with the connections of an organization to version control. */
import type { Actor } from '../core/access/actor.ts';
import { organizationPowersOf } from './organization-access.ts';
import { oauthPowers, policy } from './policy.ts';

/** Ids of the organizations whose connections the actor may read. */
export function organizationsOfOauth(actor: Actor): string[] {
  return [...actor.standings.keys()].filter(id => oauthPowersOn(actor, id) !== 0);
}

/** What the actor may do with the connections of an organization, and with their tokens. */
export function oauthPowersOn(actor: Actor, organizationId: string): number {
  const powers = organizationPowersOf(actor, organizationId);
  const may = (action: 'organization:list-oauth-clients' | 'organization:manage-oauth-clients') =>
    (powers & policy[action].anyOf) !== 0;
  const { bit } = oauthPowers;
  return (
    (may('organization:list-oauth-clients') ? bit.read : 0) |
    (may('organization:manage-oauth-clients') ? bit.manage : 0)
  );
}
