/** Records that belong to an organization and to nobody in it: what may be done with each follows from what may be done there. */
import { type Actor, organizationsWhere } from '../core/access/actor.ts';
import type { Powers, PowerTable } from '../core/access/powers.ts';
import type { Requirement } from '../core/jsonapi/records.ts';
import { meets } from './organization-access.ts';
import { agentPoolPowers, oauthPowers, policy, reservedTagKeyPowers, runTaskPowers, sshKeyPowers } from './policy.ts';

interface Owned<Kind extends string> {
  powersIn: (actor: Actor, organizationId: string) => Powers<Kind>;
  /** Ids of the organizations in which the actor may do anything with such records. */
  organizationsOf: (actor: Actor) => string[];
}

function owned<Kind extends string, Name extends string>(
  table: PowerTable<Kind, Name>,
  needs: Readonly<Record<Name, Requirement<'organization'>>>,
): Owned<Kind> {
  const powersIn = (actor: Actor, id: string) => table.of(...table.names.filter(name => meets(actor, id, needs[name])));
  return {
    powersIn,
    organizationsOf: actor => organizationsWhere(actor, (_standing, id) => powersIn(actor, id) !== table.none),
  };
}

export const agentPoolAccess = owned(agentPoolPowers, {
  read: policy['organization:list-agent-pools'],
  manage: policy['organization:manage-agent-pools'],
});
export const oauthAccess = owned(oauthPowers, {
  read: policy['organization:list-oauth-clients'],
  manage: policy['organization:manage-oauth-clients'],
});
export const reservedTagKeyAccess = owned(reservedTagKeyPowers, {
  read: policy['organization:list-reserved-tag-keys'],
  manage: policy['organization:manage-reserved-tag-keys'],
});
export const runTaskAccess = owned(runTaskPowers, {
  read: policy['organization:list-run-tasks'],
  manage: policy['organization:manage-run-tasks'],
});
export const sshKeyAccess = owned(sshKeyPowers, {
  read: policy['organization:list-ssh-keys'],
  manage: policy['organization:manage-ssh-keys'],
});
