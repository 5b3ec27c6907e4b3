/** §1 Show a provider of single sign-on, without its secret. */
import { policy } from '../../access/policy.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { providerById, signInProviders } from './provider.ts';

export const showProvider = endpoint({
  operation: 'sign-in-providers.show',
  section: '§1',
  summary: 'Show a provider of single sign-on',
  method: 'GET',
  paths: ['/admin/sign-in-providers/:sign_in_provider_id'],
  subject: providerById,
  needs: policy['sign-in-provider:read'],
  answer: { status: 200, document: signInProviders },
  handle: ({ subject }) => subject,
});
