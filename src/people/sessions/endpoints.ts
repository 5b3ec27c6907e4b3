/** Sessions (§1): one's own, any by its id, and those of others for site administrators. Signing in starts one: sign-in/. */
import { endSession, showSession } from './by-id.ts';
import { endSessionsOfUser, listSessionsOfUser } from './of-user.ts';
import { endOtherSessions, listOwnSessions, showOwnSession, signOut } from './own.ts';

export const sessionEndpoints = [
  showOwnSession,
  signOut,
  listOwnSessions,
  endOtherSessions,
  showSession,
  endSession,
  listSessionsOfUser,
  endSessionsOfUser,
];
