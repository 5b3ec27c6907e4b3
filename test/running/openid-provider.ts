/** A real provider of OpenID Connect on loopback, with people whom the test makes up. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';

export interface Claims {
  email?: string;
  email_verified?: boolean;
  preferred_username?: string;
  groups?: string[];
  department?: string[];
}

export interface OpenIdProvider {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** What it says of whom, by their names there. */
  people: Map<string, Claims>;
  /** Who is at the browser; without anybody there is a page that asks. */
  atBrowser: string | null;
  close: () => Promise<void>;
}

/** `callbacks` are the addresses that it sends people back to. */
export async function openIdProvider(callbacks: string[]): Promise<OpenIdProvider> {
  const server = createServer();
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = async () => {
    server.closeAllConnections();
    await new Promise(done => server.close(done));
  };
  const known: OpenIdProvider = {
    issuer,
    clientId: 'terrane',
    clientSecret: 'the secret that Terrane shares with its provider',
    people: new Map(),
    atBrowser: null,
    close,
  };
  const provider = new Provider(issuer, {
    clients: [{ client_id: known.clientId, client_secret: known.clientSecret, redirect_uris: callbacks }],
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified'],
      profile: ['preferred_username', 'groups', 'department'],
    },
    features: { devInteractions: { enabled: false } },
    cookies: { keys: ['of the tests'] },
    findAccount: (_context, id) => ({ accountId: id, claims: async () => ({ sub: id, ...known.people.get(id) }) }),
    interactions: { url: (_context, interaction) => `/interaction/${interaction.uid}` },
    // Nobody is asked whether Terrane may know who they are.
    loadExistingGrant: async context => {
      const { client, session } = context.oidc;
      const grant = new context.oidc.provider.Grant({ clientId: client!.clientId, accountId: session!.accountId! });
      grant.addOIDCScope('openid profile email');
      await grant.save();
      return grant;
    },
  });
  const answer = provider.callback();
  server.on('request', async (request, response) => {
    const url = new URL(request.url!, issuer);
    if (!url.pathname.startsWith('/interaction/')) return answer(request, response);
    const name = known.atBrowser ?? url.searchParams.get('name');
    if (name) return provider.interactionFinished(request, response, { login: { accountId: name } });
    response.setHeader('content-type', 'text/html');
    return response.end('<form><label>Name <input name="name"></label><button>Continue</button></form>');
  });
  return known;
}
