/**
 * SAML 2.0: the request goes by the browser's address, the answer is posted by it. The library checks the signature of the
 * assertion, its times and its audience; who said it, to whom, and in answer to what is checked here, on what was signed.
 */
import { promisify } from 'node:util';
import type { SAML } from '@node-saml/node-saml';
import type { Config } from '../../core/config.ts';
import { limits } from '../../core/limits.ts';
import { certificatesIn, type SignInProvider } from '../../core/sign-in-provider.ts';
import { randomBase62 } from '../../core/store/ids.ts';
import type { SignInAddresses } from '../sign-in-providers/addresses.ts';
import { claimGroups, claimText, type Profile, profileSubject } from './profile.ts';
import { SignInRefusal } from './refusal.ts';

const skew_ms = limits.clockSkew_s.value * 1000;
const post = 'urn:oasis:names:tc:SAML:2.0:cm:bearer';
const transient = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient';

/** An assertion that may be taken, once. */
export interface Vouched {
  profile: Profile;
  assertionId: string;
  /** The request that it answers. */
  requestId: string;
  /** When it is good for nothing any more, on any clock. */
  ends: Date;
}

/** Where the browser is sent, and the id of the request that it carries. */
export async function beginSaml(
  config: Config,
  provider: SignInProvider,
  addresses: SignInAddresses,
): Promise<{ address: string; requestId: string }> {
  const requestId = `_${randomBase62(32)}`;
  const saml = await library(config, provider, addresses, requestId);
  const address = await saml.getAuthorizeUrlAsync('', undefined, {});
  return { address, requestId };
}

/** What a provider's administrators may read of this site instead of typing it. */
export async function samlMetadata(
  config: Config,
  provider: SignInProvider,
  addresses: SignInAddresses,
): Promise<string> {
  const certificate = config.samlCertificate ?? null;
  return (await library(config, provider, addresses)).generateServiceProviderMetadata(certificate, certificate);
}

/** Who an answer speaks of. Throws SignInRefusal unless the assertion is signed, for this site, and good now. */
export async function readAnswer(
  config: Config,
  provider: SignInProvider,
  addresses: SignInAddresses,
  answer: string,
): Promise<Vouched> {
  const xml = Buffer.from(answer, 'base64').toString('utf8');
  const isEncrypted = xml.includes('EncryptedData');
  refuseTypes(xml);
  if (isEncrypted) refuseWeakKeys(xml);
  else refuseSha1(xml);
  try {
    const saml = await library(config, provider, addresses);
    const { profile } = await saml.validatePostResponseAsync({ SAMLResponse: answer });
    if (!profile) throw unusable('It has no assertion.');
    if (isEncrypted) {
      const inside = await decrypted(xml, config.samlKey!);
      refuseTypes(inside);
      refuseSha1(inside);
    }
    return vouched(provider, addresses, profile as unknown as Signed);
  } catch (error) {
    if (error instanceof SignInRefusal) throw error;
    const message = error instanceof Error ? error.message : 'unreadable';
    const isNo = /^SAML provider returned/.test(message);
    throw new SignInRefusal(isNo ? 'provider-refused' : 'provider-unusable', message.slice(0, 500), error);
  }
}

/** Nobody's answer defines entities; whoever reads them on can be made to read without an end. */
function refuseTypes(xml: string): void {
  if (/<!DOCTYPE|<!ENTITY/i.test(xml)) throw unusable('It defines a type.');
}

function refuseSha1(xml: string): void {
  if (/xmldsig#(rsa-|hmac-)?sha1\b/.test(xml)) throw unusable('It is signed with SHA-1, which can be forged.');
}

function refuseWeakKeys(xml: string): void {
  if (/xmlenc#(rsa-1_5|tripledes-cbc)\b/.test(xml)) throw unusable('It is encrypted in a way that can be broken.');
}

/** What the library has read, once more, since it does not show it: the one part that is encrypted, and the only assertion. */
async function decrypted(xml: string, key: string): Promise<string> {
  const count = (name: string) => xml.match(new RegExp(`<([^\\s<>/:]+:)?${name}[\\s>]`, 'g'))?.length ?? 0;
  const found = ['EncryptedData', 'EncryptedKey', 'CipherValue', 'Assertion'].map(count);
  if (found.join() !== '1,1,2,0') throw unusable('It has more than one encrypted part, or an assertion beside it.');
  const { decrypt } = await import('xml-encryption');
  return promisify(decrypt)(xml, { key });
}

/** Loaded where there is such a provider, since it takes 16 MB. */
async function library(
  { samlKey: key }: Config,
  provider: SignInProvider,
  { callback, metadata }: SignInAddresses,
  requestId = '',
): Promise<SAML> {
  const { SAML } = await import('@node-saml/node-saml');
  return new SAML({
    issuer: metadata!,
    audience: metadata!,
    callbackUrl: callback,
    entryPoint: provider.sign_in_url!,
    idpCert: certificatesIn(provider.certificates!),
    wantAssertionsSigned: true,
    // Many providers sign the assertion alone; nothing outside of it is believed.
    wantAuthnResponseSigned: false,
    acceptedClockSkewMs: skew_ms,
    maxAssertionAgeMs: limits.signInTime_ms.value,
    identifierFormat: null,
    disableRequestedAuthnContext: true,
    ...(key && { privateKey: key, signatureAlgorithm: 'sha256', decryptionPvk: key }),
    generateUniqueId: () => requestId || `_${randomBase62(32)}`,
  });
}

/** Of the elements that were signed: lists of what they hold, with `$` for attributes and `_` for text. */
interface Element {
  $?: Record<string, string>;
  _?: string;
}
interface Confirmation extends Element {
  SubjectConfirmationData?: Element[];
}
interface Assertion extends Element {
  Issuer?: Element[];
  Subject?: { SubjectConfirmation?: Confirmation[] }[];
  Conditions?: Element[];
}
interface Signed {
  nameID?: string;
  nameIDFormat?: string;
  attributes?: Record<string, unknown>;
  getAssertion: () => { Assertion: Assertion };
}

function vouched(provider: SignInProvider, { callback }: SignInAddresses, signed: Signed): Vouched {
  const assertion = signed.getAssertion().Assertion;
  if (assertion.Issuer?.[0]?._?.trim() !== provider.issuer) throw unusable('Another issuer signed it.');
  const conditionsEnd = momentOf(assertion.Conditions?.[0]?.$?.['NotOnOrAfter']);
  const confirmed = assertion.Subject?.[0]?.SubjectConfirmation?.map(one => confirmedBy(one, callback)).find(Boolean);
  if (!confirmed || conditionsEnd === null) throw unusable('It is not addressed to this site, or has no end.');
  const assertionId = claimText(assertion.$?.['ID']);
  if (!assertionId || !confirmed.requestId) throw unusable('It answers no request, or has no id.');
  if (signed.nameIDFormat === transient) throw unusable('Its name for the person is another one each time.');
  return {
    profile: profileOf(provider, signed),
    assertionId,
    requestId: confirmed.requestId,
    ends: new Date(Math.min(conditionsEnd, confirmed.ends_ms) + skew_ms),
  };
}

/** Undefined where it is meant for another address, or its time is over. */
function confirmedBy(
  { $: { Method: method } = {}, SubjectConfirmationData: [data] = [] }: Confirmation,
  callback: string,
) {
  const { Recipient: recipient, NotOnOrAfter: end, NotBefore: begin, InResponseTo: requestId } = data?.$ ?? {};
  const ends_ms = momentOf(end);
  if (method !== post || recipient !== callback || ends_ms === null) return undefined;
  const now_ms = Date.now();
  const isNow = now_ms - skew_ms < ends_ms && (momentOf(begin) ?? 0) <= now_ms + skew_ms;
  return isNow ? { ends_ms, requestId } : undefined;
}

function momentOf(text: string | undefined): number | null {
  const moment_ms = text === undefined ? Number.NaN : Date.parse(text);
  return Number.isNaN(moment_ms) ? null : moment_ms;
}

/** The address by the names that directories give it; else the name of the person, where that is one. */
const addressAttributes = [
  'email',
  'mail',
  'Email',
  'urn:oid:0.9.2342.19200300.100.1.3',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress',
];

function profileOf(provider: SignInProvider, { nameID, attributes = {} }: Signed): Profile {
  const one = (name: string) => claimText([attributes[name]].flat()[0]);
  const subject = profileSubject(nameID);
  const named = addressAttributes.map(one).find(text => text !== null);
  return {
    issuer: provider.issuer,
    subject,
    address: named ?? (subject.includes('@') ? subject : null),
    isAddressVerified: null,
    username: one(provider.username_claim),
    groups: claimGroups(attributes[provider.groups_claim] ?? []),
  };
}

const unusable = (detail: string) => new SignInRefusal('provider-unusable', detail);
