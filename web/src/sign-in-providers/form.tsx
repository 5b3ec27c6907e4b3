/** What a provider of single sign-on is. What is not said the server chooses; what is sealed is never shown again. */
import { useState } from 'react';
import { signInProviders as text } from '../texts/sign-in-providers.ts';
import { CreateDialog } from '../ui/create-dialog.tsx';
import { type Field, FieldInput } from '../ui/field.tsx';
import { createProvider, type Kind, type Provider, type ProviderAttributes, updateProvider } from './providers.ts';

interface Props {
  /** Null: a new one. */
  provider: Provider | null;
  onClose: () => void;
}

type ProviderField = Field<keyof ProviderAttributes>;

const words = { isMono: true, kind: 'text' } as const;

const ofKind = (kind: Kind, provider: Provider | null): ProviderField[] =>
  kind === 'openid-connect'
    ? [
        { ...words, key: 'issuer', label: text.issuer, hint: text.issuerHint },
        { ...words, key: 'client-id', label: text.clientId },
        {
          key: 'client-secret',
          label: text.clientSecret,
          hint: provider?.attributes['has-client-secret'] ? text.clientSecretKeep : text.clientSecretHint,
          kind: 'secret',
        },
        { ...words, key: 'scopes', label: text.scopes, hint: text.scopesHint },
      ]
    : [
        { ...words, key: 'issuer', label: text.entityIdThere },
        { ...words, key: 'sign-in-url', label: text.signInUrl, hint: text.signInUrlHint },
        { key: 'certificates', label: text.certificates, hint: text.certificatesHint, kind: 'lines', isMono: true },
      ];

const ofBoth: ProviderField[] = [
  { ...words, key: 'username-claim', label: text.usernameClaim, hint: text.usernameClaimHint },
  { ...words, key: 'groups-claim', label: text.groupsClaim, hint: text.groupsClaimHint },
  { key: 'trusts-addresses', label: text.trusts, hint: text.trustsHint, kind: 'switch' },
  { key: 'creates-accounts', label: text.creates, hint: text.createsHint, kind: 'switch' },
  { key: 'address-domains', label: text.domains, hint: text.domainsHint, kind: 'lines' },
  { key: 'organizations', label: text.organizations, hint: text.organizationsHint, kind: 'lines' },
];

const empty = { 'creates-accounts': true, 'address-domains': [], organizations: [] };
/** SAML has no word for a verified address: nobody new would get in without trust. */
const initially: Record<Kind, Partial<ProviderAttributes>> = {
  'openid-connect': { ...empty, 'trusts-addresses': false },
  saml: { ...empty, 'trusts-addresses': true },
};

const kindField: Field = {
  key: 'kind',
  label: text.kind,
  hint: text.kindHint,
  kind: 'choice',
  options: Object.entries(text.kinds).map(([value, label]) => ({ value, label })),
};

export function ProviderDialog({ provider, onClose }: Props) {
  const [kind, setKind] = useState<Kind>(provider?.attributes.kind ?? 'openid-connect');
  const fields: ProviderField[] = [
    { key: 'label', label: text.label, hint: text.labelHint, kind: 'text' },
    { ...words, key: 'name', label: text.name, hint: text.nameHint },
    ...ofKind(kind, provider),
    ...ofBoth,
  ];
  const settle = (given: ProviderAttributes) => {
    const attributes = stated(fields, given);
    return provider ? updateProvider(provider.id, attributes) : createProvider({ ...attributes, kind });
  };
  return (
    <CreateDialog
      title={provider ? text.editTitle(provider.attributes.label) : text.addSubmit}
      submit={provider ? text.saveSubmit : text.addSubmit}
      initial={provider ? settable(fields, provider) : initially[kind]}
      fields={fields}
      create={settle}
      onClose={onClose}
    >
      {!provider && (
        <FieldInput
          field={kindField}
          value={kind}
          error={undefined}
          onChange={value => value && setKind(value as Kind)}
        />
      )}
    </CreateDialog>
  );
}

/** What fields of this kind hold. An empty one says nothing, so that the server chooses, or keeps what there is. */
function stated(fields: readonly ProviderField[], given: ProviderAttributes): ProviderAttributes {
  const held = (value: unknown) => (Array.isArray(value) ? value.filter(line => line !== '') : value);
  const named = fields.map(({ key }) => [key, held(given[key])] as const);
  return Object.fromEntries(named.filter(([, value]) => value !== undefined && value !== '')) as ProviderAttributes;
}

/** What can be changed of what there is. The secret is not there: nobody is shown it. */
function settable(fields: readonly ProviderField[], { attributes }: Provider): Partial<ProviderAttributes> {
  const held = attributes as Record<string, unknown>;
  return Object.fromEntries(fields.filter(({ key }) => key in held).map(({ key }) => [key, held[key]]));
}
