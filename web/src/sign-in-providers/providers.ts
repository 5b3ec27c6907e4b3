/** Providers of single sign-on, as the API tells of them to site administrators. */
import { queryOptions } from '@tanstack/react-query';
import { cache } from '../api/cache.ts';
import { answer, api, type Changed, documentOf, type New, type Resource } from '../api/client.ts';

export type Provider = Resource<'sign-in-providers'>;
export type Kind = Provider['attributes']['kind'];
export type ProviderAttributes = New<'sign-in-providers'>;

/** A site has a few at most. */
export const providersQuery = queryOptions({
  queryKey: ['admin', 'sign-in-providers'],
  queryFn: async () =>
    (await answer(api.GET('/admin/sign-in-providers', { params: { query: { 'page[size]': 100 } } }))).data,
});

const at = (id: string) => ({ params: { path: { sign_in_provider_id: id } } });

/** The page for signing in shows a button for each. */
const changed = () =>
  Promise.all([
    cache.invalidateQueries({ queryKey: ['admin', 'sign-in-providers'] }),
    cache.invalidateQueries({ queryKey: ['sign-in-options'] }),
  ]);

export async function createProvider(attributes: ProviderAttributes): Promise<void> {
  await answer(api.POST('/admin/sign-in-providers', { body: documentOf('sign-in-providers', attributes) }));
  await changed();
}

export async function updateProvider(id: string, attributes: Changed<'sign-in-providers'>): Promise<void> {
  await answer(
    api.PATCH('/admin/sign-in-providers/{sign_in_provider_id}', {
      ...at(id),
      body: documentOf('sign-in-providers', attributes),
    }),
  );
  await changed();
}

export async function deleteProvider({ id }: Provider): Promise<void> {
  await answer(api.DELETE('/admin/sign-in-providers/{sign_in_provider_id}', at(id)));
  await changed();
}
