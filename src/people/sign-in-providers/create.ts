/** §1 Set up a provider of single sign-on, as a site administrator. */
import { policy } from '../../access/policy.ts';
import { attributeFault } from '../../core/errors.ts';
import { documentBody } from '../../core/jsonapi/body.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { columns } from '../../core/jsonapi/resource.ts';
import { limits } from '../../core/limits.ts';
import { initially } from '../../core/sign-in-provider.ts';
import { newId } from '../../core/store/ids.ts';
import { row } from '../../core/store/store.ts';
import { site } from '../../organizations/site/site.ts';
import { faultsOf, givenProvider, providerById, sealedSecret, signInProviders } from './provider.ts';

export const createProvider = endpoint({
  operation: 'sign-in-providers.create',
  section: '§1',
  summary: 'Set up a provider of single sign-on',
  method: 'POST',
  paths: ['/admin/sign-in-providers'],
  subject: site,
  needs: policy['site:administer'],
  body: documentBody(givenProvider, { required: ['name', 'kind', 'issuer'] }),
  answer: { status: 201, document: signInProviders, reads: providerById },
  errors: ['name-taken'],
  check: async ({ sql, config, body: { attributes }, faults }) => {
    const { kind, name } = attributes;
    if (!kind || !name) return attributes;
    const whole = { ...initially(kind, name), ...attributes };
    faults.push(...faultsOf(whole, config));
    const [counted] = await sql<{ count: number }[]>`select count(*) as count from sign_in_providers`;
    const most = limits.signInProviders_items.value;
    if (counted!.count >= most) faults.push(attributeFault('name', `A site has at most ${most} providers`));
    return whole;
  },
  handle: async ({ sql, config, body: { attributes } }, whole) => {
    const id = newId('idp');
    await sql`
      insert into sign_in_providers ${row(sql, {
        id,
        ...columns(signInProviders, whole),
        ...sealedSecret(config, id, attributes),
      })}`;
    return id;
  },
});
