/** Rows of the access matrix for connections to version control, and for the audit. */
import { bodyOf, randomName } from '../../builders/records.ts';
import type { Fresh, Row, Rows } from './fresh.ts';
import { elsewhere } from './surroundings.ts';

const connection = {
  'service-provider': 'github',
  'http-url': 'https://github.example',
  'api-url': 'https://api.github.example',
  'oauth-token-string': 'a token',
};

/** The default project: whoever manages connections may name the projects that they see. */
const withProject: Row = async ({ world, oauth }: Fresh) => ({
  ...(await oauth()),
  body: { data: [{ type: 'projects', id: world.acme.projectId }] },
});

export const connectionRows: Rows = {
  'oauth-clients.list': ({ organization }) => organization(),
  'oauth-clients.create': ({ organization }) => ({ ...organization(), body: bodyOf('oauth-clients', connection) }),
  'oauth-clients.show': ({ oauth }) => oauth(),
  'oauth-clients.update': async ({ oauth }) => ({
    ...(await oauth()),
    body: bodyOf('oauth-clients', { name: randomName('connection') }),
  }),
  'oauth-clients.delete': ({ oauth }) => oauth(),
  'oauth-clients.add-projects': withProject,
  'oauth-clients.remove-projects': withProject,
  'oauth-clients.rotate-webhook-secret': ({ oauth }) => oauth(),
  'webhook-deliveries.list': ({ oauth }) => oauth(),
  'oauth-tokens.list': ({ organization }) => organization(),
  'oauth-tokens.list-of-client': ({ oauth }) => oauth(),
  'oauth-tokens.show': ({ oauth }) => oauth(),
  'oauth-tokens.update': async ({ oauth }) => ({
    ...(await oauth()),
    body: bodyOf('oauth-tokens', { 'ssh-key': 'a key' }),
  }),
  'oauth-tokens.delete': ({ oauth }) => oauth(),
};

export const auditRows: Rows = {
  'audit-events.list': ({ organization }) => organization(),
  'audit-events.list-of-site': () => ({ params: {} }),
  'audit-configurations.show': ({ organization }) => organization(),
  'audit-configurations.update': ({ organization }) => ({
    ...organization(),
    body: bodyOf('audit-configurations', { 'audit-trails': { enabled: true } }),
  }),
  // Where nobody owns more than one organization: here a cell may have founded another.
  'audit-trail.show': async (fresh, caller) => ({ ...(await elsewhere(fresh, caller)), params: {} }),
};
