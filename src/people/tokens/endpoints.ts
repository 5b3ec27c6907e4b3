/** §5.6: tokens of people, of teams, of organizations, and any by its id. */
import { deleteToken, showToken } from './by-id.ts';
import { createOrganizationToken, deleteOrganizationToken, showOrganizationToken } from './organization-token.ts';
import { createTeamToken, deleteTeamToken, showTeamToken } from './team-token.ts';
import { createDescribedTeamToken, listTeamTokens, listTokensOfTeam } from './team-tokens.ts';
import { createUserToken, listUserTokens } from './user-tokens.ts';

export const tokenEndpoints = [
  createUserToken,
  listUserTokens,
  createTeamToken,
  showTeamToken,
  deleteTeamToken,
  createDescribedTeamToken,
  listTokensOfTeam,
  listTeamTokens,
  createOrganizationToken,
  showOrganizationToken,
  deleteOrganizationToken,
  showToken,
  deleteToken,
];
