/** Where people go to sign in by a provider, and come back to: what its administrators enter there. */
import type { SignInProvider } from '../../core/sign-in-provider.ts';

export interface SignInAddresses {
  /** Where a person begins. */
  start: string;
  /** Where the provider sends people back to. */
  callback: string;
  /** What this site says of itself; of SAML its name as well. */
  metadata: string | null;
}

export function addressesOf(publicUrl: string, { name, kind }: Pick<SignInProvider, 'name' | 'kind'>): SignInAddresses {
  const start = `${publicUrl}/sso/${name}`;
  if (kind === 'openid-connect') return { start, callback: `${start}/callback`, metadata: null };
  return { start, callback: `${start}/assertions`, metadata: `${start}/metadata` };
}
