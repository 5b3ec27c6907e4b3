/** Connections to version control, in the order of their use. */
import { createOauthClient } from './create.ts';
import { deleteOauthClient } from './delete.ts';
import { listOauthClients } from './list.ts';
import { addOauthClientProjects, removeOauthClientProjects } from './projects.ts';
import { showOauthClient } from './show.ts';
import { listTokensOfClient } from './tokens.ts';
import { updateOauthClient } from './update.ts';
import { rotateWebhookSecret } from './webhook-secret.ts';

export const oauthClientEndpoints = [
  listOauthClients,
  createOauthClient,
  showOauthClient,
  updateOauthClient,
  deleteOauthClient,
  addOauthClientProjects,
  removeOauthClientProjects,
  listTokensOfClient,
  rotateWebhookSecret,
];
