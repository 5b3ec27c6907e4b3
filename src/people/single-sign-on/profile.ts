/** What a provider says of a person, whichever way it says it. Every text and every list is bounded. */
import { limits } from '../../core/limits.ts';
import type { SignInProvider } from '../../core/sign-in-provider.ts';
import { SignInRefusal } from './refusal.ts';

export interface Profile {
  issuer: string;
  /** The provider's own name for the person, which stays. */
  subject: string;
  address: string | null;
  /** Null where the provider says nothing of it. */
  isAddressVerified: boolean | null;
  username: string | null;
  /** Null where it could not say: then nothing follows from them. */
  groups: readonly string[] | null;
}

/** Throws `provider-unusable` where a provider names somebody so that nobody can be known by it. */
export function profileSubject(subject: unknown): string {
  if (typeof subject === 'string' && subject !== '' && subject.length <= limits.claimText_characters.value)
    return subject;
  throw new SignInRefusal('provider-unusable', 'The provider names nobody, or at too great length.');
}

export function claimText(value: unknown): string | null {
  const isUsable = typeof value === 'string' && value !== '' && value.length <= limits.claimText_characters.value;
  return isUsable ? value : null;
}

/** One group, or a list of them; what is no text is none. */
export function claimGroups(value: unknown): string[] {
  const given = Array.isArray(value) ? value : [value];
  const groups = new Set(given.map(claimText).filter(group => group !== null));
  if (groups.size > limits.claimGroups_items.value) {
    throw new SignInRefusal(
      'provider-unusable',
      `The provider names more than ${limits.claimGroups_items.value} groups.`,
    );
  }
  return [...groups];
}

/**
 * The address by which the account of a person is found or made. Throws where there is none, where nobody vouches for it, or
 * where the provider may not speak for its domain.
 */
export function provenAddress({ address, isAddressVerified }: Profile, provider: SignInProvider): string {
  if (!address || address.length > 254 || !/^[^\s@\p{C}]+@[^\s@\p{C}]+$/u.test(address)) {
    throw new SignInRefusal('address-missing');
  }
  if (!(isAddressVerified ?? provider.trusts_addresses)) throw new SignInRefusal('address-unverified');
  const domain = address.slice(address.indexOf('@') + 1).toLowerCase();
  const domains = provider.address_domains;
  if (domains.length > 0 && !domains.some(one => one.toLowerCase() === domain)) {
    throw new SignInRefusal('address-foreign', `Addresses at ${domain} are not taken from this provider.`);
  }
  return address;
}
