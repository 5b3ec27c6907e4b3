/** Organization memberships (§1). */
import { acceptInvitation } from './accept.ts';
import { inviteMember } from './create.ts';
import { removeMember } from './delete.ts';
import { listMemberships, listOwnMemberships } from './list.ts';
import { showMembership } from './show.ts';

export const organizationMembershipEndpoints = [
  listMemberships,
  inviteMember,
  listOwnMemberships,
  showMembership,
  acceptInvitation,
  removeMember,
];
