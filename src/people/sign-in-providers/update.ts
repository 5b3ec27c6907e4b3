/** §1 Change a provider of single sign-on. Its kind stays: another kind is another provider. */
import { policy } from '../../access/policy.ts';
import { attributeFault } from '../../core/errors.ts';
import { documentBody } from '../../core/jsonapi/body.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { columns } from '../../core/jsonapi/resource.ts';
import type { GivenProvider } from '../../core/sign-in-provider.ts';
import { row } from '../../core/store/store.ts';
import { faultsOf, givenProvider, providerById, sealedSecret, signInProviders } from './provider.ts';

export const updateProvider = endpoint({
  operation: 'sign-in-providers.update',
  section: '§1',
  summary: 'Change a provider of single sign-on',
  method: 'PATCH',
  paths: ['/admin/sign-in-providers/:sign_in_provider_id'],
  subject: providerById,
  needs: policy['sign-in-provider:manage'],
  body: documentBody(givenProvider),
  answer: { status: 200, document: signInProviders, reads: providerById },
  errors: ['name-taken'],
  check: ({ subject, config, body: { attributes }, faults }) => {
    if (attributes.kind !== undefined && attributes.kind !== subject.kind) {
      faults.push(attributeFault('kind', 'Kind cannot be changed: set up another provider'));
    }
    const { name, kind, issuer, certificates } = subject;
    const stored: GivenProvider = { name, kind, issuer, certificates };
    const others = { 'client-id': subject.client_id, 'sign-in-url': subject.sign_in_url };
    faults.push(...faultsOf({ ...stored, ...others, ...attributes }, config));
  },
  handle: async ({ sql, config, subject: { id }, body: { attributes }, note }) => {
    await sql`
      update sign_in_providers set ${row(sql, {
        id,
        ...columns(signInProviders, attributes),
        ...sealedSecret(config, id, attributes),
      })}
      where sign_in_providers.id = ${id}`;
    if (attributes['client-secret'] !== undefined) note({ secrets: ['client-secret changed'] });
  },
});
