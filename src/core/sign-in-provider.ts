/**
 * What a provider of single sign-on is, whoever sets it up: the environment and site administrators say the same of one,
 * under the same names and the same rules.
 */
import { X509Certificate } from 'node:crypto';
import { type Static, type TSchema, Type } from 'typebox';
import { boolean, nullable, word } from './jsonapi/fields.ts';
import { ajv } from './jsonapi/validator.ts';
import { limits } from './limits.ts';

const shortText = Type.String({
  minLength: 1,
  maxLength: 128,
  pattern: '^\\P{C}+$',
  'x-rule': 'must be printable text',
});
const address = Type.String({
  pattern: '^https?://[^\\s]+$',
  maxLength: 2048,
  'x-rule': 'must be an http or https URL',
});

/** What a body may say of one. Names are those of the API. */
export const providerMembers = {
  name: Type.String({
    pattern: '^[a-z0-9](-?[a-z0-9])*$',
    maxLength: 40,
    'x-rule': 'must be small letters and numbers, with single - between them',
  }),
  kind: word('openid-connect', 'saml'),
  label: shortText,
  issuer: Type.String({ pattern: '^[^\\s\\p{C}]+$', maxLength: 1024, 'x-rule': 'must be text without spaces' }),
  'client-id': nullable(shortText),
  'client-secret': nullable(Type.String({ minLength: 1, maxLength: 4096 })),
  scopes: Type.String({
    pattern: '^openid( [!#-\\[\\]-~]+)*$',
    maxLength: 512,
    'x-rule': 'must be words with one space between them, of which the first is openid',
  }),
  'sign-in-url': nullable(address),
  certificates: nullable(Type.String({ maxLength: 32_768 })),
  'groups-claim': shortText,
  'username-claim': shortText,
  'trusts-addresses': boolean,
  'creates-accounts': boolean,
  'address-domains': listOf('^[^\\s@\\p{C}]+\\.[^\\s@\\p{C}]+$', 'must be a list of domains, such as example.com'),
  organizations: listOf('^[A-Za-z0-9_-]+$', 'must be a list of names of organizations'),
} as const;

function listOf(pattern: string, rule: string) {
  const one = Type.String({ pattern, maxLength: 253, 'x-rule': rule });
  return Type.Array(one, { maxItems: limits.providerLists_items.value });
}

type Members = typeof providerMembers;
export type GivenProvider = { -readonly [Name in keyof Members]?: Static<Members[Name]> };

/** One that can be asked. */
export interface SignInProvider {
  name: string;
  kind: 'openid-connect' | 'saml';
  label: string;
  issuer: string;
  client_id: string | null;
  client_secret: string | null;
  scopes: string;
  sign_in_url: string | null;
  certificates: string | null;
  groups_claim: string;
  username_claim: string;
  /** Whether an address of which it says nothing else counts as the person's. */
  trusts_addresses: boolean;
  creates_accounts: boolean;
  /** All of them, where there is none. */
  address_domains: readonly string[];
  organizations: readonly string[];
}

/** Pure: what a provider has of which nobody said anything. Companies' directories are what SAML asks. */
export function initially(kind: SignInProvider['kind'], name: string): GivenProvider {
  const isSaml = kind === 'saml';
  return {
    label: name,
    'client-id': null,
    'client-secret': null,
    scopes: 'openid profile email',
    'sign-in-url': null,
    certificates: null,
    'groups-claim': isSaml ? 'MemberOf' : 'groups',
    'username-claim': isSaml ? 'Username' : 'preferred_username',
    'trusts-addresses': isSaml,
    'creates-accounts': true,
    'address-domains': [],
    organizations: [],
  };
}

/** Pure: what is missing of a provider, or does not go together, each with the member that it is about. */
export function providerFaults(given: GivenProvider): [keyof GivenProvider, string][] {
  const faults: [keyof GivenProvider, string][] = [];
  const { issuer = '', certificates } = given;
  if (given.kind === 'openid-connect') {
    const url = URL.canParse(issuer) ? new URL(issuer) : undefined;
    const isPlain = url && /^https?:$/.test(url.protocol) && !url.search && !url.hash && !url.username;
    if (!isPlain) faults.push(['issuer', 'must be an http or https URL without a query']);
    if (!given['client-id']) faults.push(['client-id', "can't be blank"]);
  }
  if (given.kind === 'saml') {
    if (!given['sign-in-url']) faults.push(['sign-in-url', "can't be blank"]);
    if (!certificates) faults.push(['certificates', "can't be blank"]);
    else if (!areCertificates(certificates)) faults.push(['certificates', 'must be certificates in PEM form']);
  }
  return faults;
}

/** Each certificate of a text of them, as it stands there. */
export function certificatesIn(text: string): string[] {
  return text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
}

function areCertificates(text: string): boolean {
  const each = certificatesIn(text);
  try {
    return each.length > 0 && each.every(one => new X509Certificate(one));
  } catch {
    return false;
  }
}

const optional = Object.entries(providerMembers).map(([name, schema]) => [name, Type.Optional(schema as TSchema)]);
const one = Type.Object({ ...Object.fromEntries(optional), ...requiredMembers() }, { additionalProperties: false });
const list = Type.Array(one, { minItems: 1, maxItems: limits.signInProviders_items.value });

function requiredMembers() {
  const { name, kind, issuer } = providerMembers;
  return { name, kind, issuer };
}

/** Providers as the environment gives them: one as a JSON object, or a list of several. Secrets are quoted nowhere. */
export function signInProviders(text: string): readonly SignInProvider[] {
  const given = parsed(text);
  const validate = ajv.compile(list);
  if (!validate(given)) {
    const [{ instancePath, parentSchema, message, params } = { instancePath: '' }] = validate.errors ?? [];
    const member = (params as { additionalProperty?: string })?.additionalProperty ?? '';
    const rule = (parentSchema as { 'x-rule'?: string } | undefined)?.['x-rule'] ?? message;
    throw new Error(`is wrong at ${instancePath || '/'}${member && ` (${member})`}: ${rule}.`);
  }
  const providers = given as GivenProvider[];
  if (new Set(providers.map(({ name }) => name)).size < providers.length) throw new Error('names a provider twice.');
  return providers.map((provider, position) => {
    const whole = { ...initially(provider.kind!, provider.name!), ...provider };
    const [fault] = providerFaults(whole);
    if (fault) throw new Error(`is wrong at /${position}/${fault[0]}: ${fault[1]}.`);
    return inColumns(whole);
  });
}

function parsed(text: string): unknown[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : [value];
  } catch {
    throw new Error('must be JSON: an object for one provider, or a list of several.');
  }
}

function inColumns(given: GivenProvider): SignInProvider {
  const columns = Object.entries(given).map(([name, value]) => [name.replaceAll('-', '_'), value]);
  return Object.fromEntries(columns) as SignInProvider;
}
