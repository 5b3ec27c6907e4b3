/** Tokens of connections to version control. */
import { deleteOauthToken, showOauthToken, updateOauthToken } from './by-id.ts';
import { listOauthTokens, listTokensOfClient } from './list.ts';

export const oauthTokenEndpoints = [
  listOauthTokens,
  listTokensOfClient,
  showOauthToken,
  updateOauthToken,
  deleteOauthToken,
];
