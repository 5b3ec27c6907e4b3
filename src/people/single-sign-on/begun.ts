/** What a browser keeps while its person is at a provider: sealed, so that no server remembers who may come back. */
import type { Config } from '../../core/config.ts';
import { limits } from '../../core/limits.ts';
import { open, seal } from '../../core/store/secrets.ts';
import type { OpenIdSecrets } from './openid.ts';
import { SignInRefusal } from './refusal.ts';

export interface Begun {
  provider: string;
  /** Where in the interface the person wanted to go. */
  target: string;
  ends_ms: number;
  openId?: OpenIdSecrets;
  /** Of SAML: the id of the request that the assertion must answer. */
  requestId?: string;
}

const context = 'single sign-on/begun';

export function sealBegun(config: Config, begun: Omit<Begun, 'ends_ms'>): string {
  const ends_ms = Date.now() + limits.signInTime_ms.value;
  return seal(config, JSON.stringify({ ...begun, ends_ms }), context).toString('base64url');
}

/** Throws `not-begun-here` unless this browser began it, with this provider, a short time ago. */
export function openBegun(config: Config, sealed: string | undefined, provider: string): Begun {
  const begun = sealed && opened(config, sealed);
  if (!begun || begun.provider !== provider || begun.ends_ms < Date.now()) throw new SignInRefusal('not-begun-here');
  return begun;
}

function opened(config: Config, sealed: string): Begun | undefined {
  try {
    return JSON.parse(open(config, Buffer.from(sealed, 'base64url'), context)) as Begun;
  } catch {
    return undefined;
  }
}

/** A screen of the interface, and no other site's: browsers take `//` and `\` for the begin of another host. */
export function targetIn(given: unknown): string {
  const isOurs = typeof given === 'string' && given.length <= 1024 && /^\/app\/[^\\\p{C}]*$/u.test(given);
  return isOurs && new URL(given, 'http://here').pathname.startsWith('/app/') ? given : '/app/';
}
