/** §1 Delete a provider of single sign-on. Who signed in by it keeps the account, and is known again where it comes back. */
import { policy } from '../../access/policy.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { providerById } from './provider.ts';

export const deleteProvider = endpoint({
  operation: 'sign-in-providers.delete',
  section: '§1',
  summary: 'Delete a provider of single sign-on',
  method: 'DELETE',
  paths: ['/admin/sign-in-providers/:sign_in_provider_id'],
  subject: providerById,
  needs: policy['sign-in-provider:manage'],
  answer: { status: 204 },
  handle: async ({ sql, subject }) => {
    await sql`delete from sign_in_providers where sign_in_providers.id = ${subject.id}`;
  },
});
