/** §1 Provider of single sign-on, as site administrators set it up: the document, the SELECT and the finder. */
import { signInProviderPowers } from '../../access/policy.ts';
import type { Config } from '../../core/config.ts';
import { attributeFault, type Fault } from '../../core/errors.ts';
import type { WriteOf } from '../../core/jsonapi/body.ts';
import { boolean, column, computed, nullable, text, texts, timestamp, word } from '../../core/jsonapi/fields.ts';
import { records, type Subject } from '../../core/jsonapi/records.ts';
import { type RowOf, resource } from '../../core/jsonapi/resource.ts';
import { providerFaults, providerMembers, type SignInProvider } from '../../core/sign-in-provider.ts';
import { open, seal } from '../../core/store/secrets.ts';
import type { Sql } from '../../core/store/store.ts';
import { addressesOf } from './addresses.ts';

interface StoredProviderRow extends Subject<'sign-in-provider'> {
  name: string;
  kind: 'openid-connect' | 'saml';
  has_client_secret: boolean;
}

const addressesOfRow = (publicUrl: string, row: StoredProviderRow) =>
  addressesOf(publicUrl, { name: row.name, kind: row.kind });

const attributes = {
  name: column(text, { write: providerMembers.name }),
  kind: column(word('openid-connect', 'saml'), { write: true }),
  /** What the button says. */
  label: column(text, { write: providerMembers.label }),
  issuer: column(text, { write: providerMembers.issuer }),
  'client-id': column(nullable(text), { write: providerMembers['client-id'] }),
  'has-client-secret': computed(boolean, (row: StoredProviderRow) => row.has_client_secret),
  scopes: column(text, { write: providerMembers.scopes }),
  'sign-in-url': column(nullable(text), { write: providerMembers['sign-in-url'] }),
  certificates: column(nullable(text), { write: providerMembers.certificates }),
  'groups-claim': column(text, { write: providerMembers['groups-claim'] }),
  'username-claim': column(text, { write: providerMembers['username-claim'] }),
  'trusts-addresses': column(boolean, { write: true }),
  'creates-accounts': column(boolean, { write: true }),
  'address-domains': column(texts, { write: providerMembers['address-domains'] }),
  organizations: column(texts, { write: providerMembers.organizations }),
  /** What the provider is told of this site: where it sends people back to, and what it may know of it. */
  'callback-url': computed(text, (row: StoredProviderRow, { publicUrl }) => addressesOfRow(publicUrl, row).callback),
  'metadata-url': computed(
    nullable(text),
    (row: StoredProviderRow, { publicUrl }) => addressesOfRow(publicUrl, row).metadata,
  ),
  'created-at': column(timestamp),
};

export const signInProviders = resource({
  type: 'sign-in-providers',
  attributes,
  relationships: {},
  links: row => ({ self: `/api/v2/admin/sign-in-providers/${row.id}` }),
});

/** The document with the secret that bodies carry and answers do not. */
export const givenProvider = resource({
  type: signInProviders.type,
  attributes: {
    ...attributes,
    'client-secret': column(nullable(text), { write: providerMembers['client-secret'] }),
  },
  relationships: {},
});

export interface StoredProvider extends RowOf<typeof attributes>, StoredProviderRow {}

/** Site administrators alone; everybody else knows of providers what the page for signing in shows. */
export const providerRecords = records<StoredProvider>({
  table: 'sign_in_providers',
  columns: sql => sql`
    sign_in_providers.id, sign_in_providers.name, sign_in_providers.kind, sign_in_providers.label,
    sign_in_providers.issuer, sign_in_providers.client_id, sign_in_providers.scopes, sign_in_providers.sign_in_url,
    sign_in_providers.certificates, sign_in_providers.groups_claim, sign_in_providers.username_claim,
    sign_in_providers.trusts_addresses, sign_in_providers.creates_accounts, sign_in_providers.address_domains,
    sign_in_providers.organizations, sign_in_providers.created_at,
    sign_in_providers.sealed_client_secret is not null as has_client_secret`,
  from: sql => sql`sign_in_providers`,
  isVisible: (sql, actor) => sql`${actor.isSiteAdmin}::boolean`,
  powers: (_row, actor) => (actor.isSiteAdmin ? signInProviderPowers.all : signInProviderPowers.none),
});

export const providerById = providerRecords.byId('sign_in_provider_id');

type Given = WriteOf<(typeof givenProvider)['attributes']>;

/** What is wrong with a provider that would be so. */
export function faultsOf(whole: Given, { signInProviders: ofEnvironment = [] }: Config): Fault[] {
  const faults = providerFaults(whole).map(([member, reason]) =>
    attributeFault(member, `${sentenceOf(member)} ${reason}`),
  );
  if (ofEnvironment.some(({ name }) => name === whole.name)) {
    faults.push(attributeFault('name', 'Name is that of a provider of the environment'));
  }
  return faults;
}

const sentenceOf = (member: string) => `${member[0]!.toUpperCase()}${member.slice(1).replaceAll('-', ' ')}`;

export const secretContext = (id: string) => `sign-in-providers/${id}/client-secret`;

/** The column of the secret that a body gives. */
export function sealedSecret(config: Config, id: string, { 'client-secret': given }: Given) {
  if (given === undefined) return {};
  return { sealed_client_secret: given === null ? null : seal(config, given, secretContext(id)) };
}

/** Every provider there is, those of the environment first. */
export async function allProviders(sql: Sql, config: Config): Promise<SignInProvider[]> {
  const stored = await sql<(SignInProvider & { id: string; sealed_client_secret: Buffer | null })[]>`
    select sign_in_providers.* from sign_in_providers order by lower(sign_in_providers.label), sign_in_providers.id`;
  const given = config.signInProviders ?? [];
  const names = new Set(given.map(({ name }) => name));
  // One of the environment takes the place of one of its name that was there before.
  const others = stored.filter(({ name }) => !names.has(name));
  return [
    ...given,
    ...others.map(({ sealed_client_secret: sealed, ...provider }) => ({
      ...provider,
      client_secret: sealed && open(config, sealed, secretContext(provider.id)),
    })),
  ];
}
