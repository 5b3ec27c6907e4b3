/** Tokens of connections to version control. */
import { deleteOauthToken, showOauthToken, updateOauthToken } from './by-id.ts';
import { listOauthTokens } from './list.ts';

export const oauthTokenEndpoints = [listOauthTokens, showOauthToken, updateOauthToken, deleteOauthToken];
