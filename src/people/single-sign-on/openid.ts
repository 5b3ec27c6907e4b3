/** OpenID Connect: the authorization code with PKCE, state and nonce. Every request goes by the guarded way out. */
import * as client from 'openid-client';
import type { Config } from '../../core/config.ts';
import { limits } from '../../core/limits.ts';
import { fetchOutside, OutboundError } from '../../core/outbound.ts';
import type { SignInProvider } from '../../core/sign-in-provider.ts';
import { claimGroups, claimText, type Profile, profileSubject } from './profile.ts';
import { SignInRefusal } from './refusal.ts';
import { remembered } from './remembered.ts';

/** What the browser keeps between the two halves, sealed. */
export interface OpenIdSecrets {
  state: string;
  nonce: string;
  verifier: string;
}

/** Where the browser is sent, and what it brings back with the answer. Throws SignInRefusal. */
export async function beginOpenId(
  config: Config,
  provider: SignInProvider,
  callback: string,
): Promise<{ address: string; openId: OpenIdSecrets }> {
  const secrets = {
    state: client.randomState(),
    nonce: client.randomNonce(),
    verifier: client.randomPKCECodeVerifier(),
  };
  const known = await asking(config, provider);
  try {
    const address = client.buildAuthorizationUrl(known, {
      redirect_uri: callback,
      scope: provider.scopes,
      state: secrets.state,
      nonce: secrets.nonce,
      code_challenge: await client.calculatePKCECodeChallenge(secrets.verifier),
      code_challenge_method: 'S256',
    });
    return { address: address.href, openId: secrets };
  } catch (error) {
    throw refusalFor(error);
  }
}

/** Who came back, by what the provider answers for the code at `address`. Throws SignInRefusal. */
export async function finishOpenId(
  config: Config,
  provider: SignInProvider,
  address: URL,
  secrets: OpenIdSecrets,
): Promise<Profile> {
  const known = await asking(config, provider);
  try {
    const granted = await client.authorizationCodeGrant(known, address, {
      expectedState: secrets.state,
      expectedNonce: secrets.nonce,
      pkceCodeVerifier: secrets.verifier,
      idTokenExpected: true,
    });
    keptKeys.set(keyOf(provider), client.getJwksCache(known));
    const told: Record<string, unknown> = granted.claims()!;
    const subject = profileSubject(told['sub']);
    const isAllSaid = claimText(told['email']) && told[provider.groups_claim] !== undefined;
    const asksMore = !isAllSaid && known.serverMetadata().userinfo_endpoint !== undefined;
    const more = asksMore ? await client.fetchUserInfo(known, granted.access_token, subject) : {};
    return profileOf(provider, { ...more, ...told }, subject);
  } catch (error) {
    throw refusalFor(error);
  }
}

function profileOf(provider: SignInProvider, told: Record<string, unknown>, subject: string): Profile {
  const groups = told[provider.groups_claim];
  // Where there are too many for a token, some providers only say where to ask for them.
  const isElsewhere = Object.hasOwn((told['_claim_names'] ?? {}) as object, provider.groups_claim);
  return {
    issuer: provider.issuer,
    subject,
    address: claimText(told['email']),
    isAddressVerified: typeof told['email_verified'] === 'boolean' ? told['email_verified'] : null,
    username: claimText(told[provider.username_claim]),
    groups: isElsewhere ? null : groups === undefined ? [] : claimGroups(groups),
  };
}

const hour_ms = 3_600_000;
const keyOf = ({ issuer, client_id }: SignInProvider) => `${issuer} ${client_id}`;
const keptMetadata = remembered<client.ServerMetadata>(hour_ms);
const keptKeys = remembered<client.ExportedJWKSCache | undefined>(hour_ms);

/** The client of one request: all that it asks together ends in time. */
async function asking(config: Config, provider: SignInProvider): Promise<client.Configuration> {
  const { issuer, client_id: clientId, client_secret: secret } = provider;
  const ends_ms = Date.now() + limits.outbound_ms.value;
  const ask: client.CustomFetch = (address, { method, headers, body }) =>
    fetchOutside(config, address, {
      method,
      headers,
      ...(body && { body: body as string }),
      time_ms: Math.max(1, ends_ms - Date.now()),
    });
  const metadata = keptMetadata.get(keyOf(provider)) ?? (await discoveredOnce(provider, ask));
  keptMetadata.set(keyOf(provider), metadata);
  const known = new client.Configuration(metadata, clientId!, tolerant, authenticationBy(secret, metadata));
  known[client.customFetch] = ask;
  known.timeout = limits.outbound_ms.value / 1000;
  if (new URL(issuer).protocol === 'http:') client.allowInsecureRequests(known);
  // The signature of what comes straight from the provider is checked like any other.
  client.enableNonRepudiationChecks(known);
  const keys = keptKeys.get(keyOf(provider));
  if (keys) client.setJwksCache(known, keys);
  return known;
}

/** Clocks of two machines differ by that much at most. */
const tolerant: Partial<client.ClientMetadata> = { [client.clockTolerance]: limits.clockSkew_s.value };

const underWay = new Map<string, Promise<client.ServerMetadata>>();

/** However many people press the button, a provider that is down is asked once at a time. */
function discoveredOnce(provider: SignInProvider, ask: client.CustomFetch): Promise<client.ServerMetadata> {
  const key = keyOf(provider);
  const asked = underWay.get(key) ?? discovered(provider, ask).finally(() => underWay.delete(key));
  underWay.set(key, asked);
  return asked;
}

async function discovered(
  { issuer, client_id: clientId }: SignInProvider,
  ask: client.CustomFetch,
): Promise<client.ServerMetadata> {
  const address = new URL(issuer);
  try {
    const found = await client.discovery(address, clientId!, undefined, undefined, {
      [client.customFetch]: ask,
      timeout: limits.outbound_ms.value / 1000,
      ...(address.protocol === 'http:' && { execute: [client.allowInsecureRequests] }),
    });
    return found.serverMetadata();
  } catch (error) {
    throw refusalFor(error);
  }
}

function authenticationBy(secret: string | null, metadata: client.ServerMetadata): client.ClientAuth {
  if (secret === null) return client.None();
  const known = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  return known.includes('client_secret_basic') ? client.ClientSecretBasic(secret) : client.ClientSecretPost(secret);
}

/** The texts of these errors name what is wrong, and quote nothing of what was sent. */
function refusalFor(error: unknown): SignInRefusal {
  if (error instanceof SignInRefusal) return error;
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at instanceof OutboundError) return new SignInRefusal('provider-unreachable', at.message, error);
  }
  if (error instanceof client.AuthorizationResponseError) {
    return new SignInRefusal('provider-refused', `The provider says ${claimText(error.error)?.slice(0, 64)}.`, error);
  }
  return new SignInRefusal('provider-unusable', error instanceof Error ? error.message : 'unreadable', error);
}
