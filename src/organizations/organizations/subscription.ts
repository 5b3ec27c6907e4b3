/** §1 Subscription: the feature set that a site administrator gives an organization. Its entitlement set follows. */
import { Type } from 'typebox';
import { policy, sitePowers } from '../../access/policy.ts';
import { relationshipFault } from '../../core/errors.ts';
import { documentBody, toOne } from '../../core/jsonapi/body.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { addressed, column, nullable, type Row, reference, timestamp } from '../../core/jsonapi/fields.ts';
import { records, type Subject } from '../../core/jsonapi/records.ts';
import { columns, resource } from '../../core/jsonapi/resource.ts';
import { row } from '../../core/store/store.ts';
import { isFeatureSet } from '../site/feature-sets.ts';

const count = nullable(Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1 }));

export const subscriptions = resource({
  type: 'subscriptions',
  sentAs: ['subscription'],
  attributes: {
    'agents-ceiling': column(count, { write: true }),
    'runs-ceiling': column(count, { write: true }),
    'contract-apply-limit': column(count, { write: true }),
    'contract-user-limit': column(count, { write: true }),
    'contract-start-at': column(nullable(timestamp), { write: true }),
    'end-at': column(nullable(timestamp), { write: true }),
  },
  relationships: {
    organization: addressed('organizations', 'name'),
    'feature-set': reference('feature-sets', 'feature_set_id'),
  },
});

interface Subscriber extends Subject<'site'> {
  organization_id: string;
  name: string;
}

/** Any organization: site administrators need not be members. */
const subscribers = records<Subscriber>({
  table: 'organizations',
  key: 'name',
  columns: sql => sql`
    organizations.id as organization_id, organizations.id as external_id, organizations.name as id, organizations.name`,
  from: sql => sql`organizations`,
  isVisible: (sql, actor) => sql`${actor.isSiteAdmin}::boolean`,
  powers: (_row, actor) => sitePowers.where({ administer: actor.isSiteAdmin }),
});

export const subscribe = endpoint({
  operation: 'subscriptions.create',
  section: '§1',
  summary: 'Give an organization a feature set, in place of the one before',
  method: 'POST',
  paths: ['/admin/organizations/:organization_name/subscription'],
  subject: subscribers.byId('organization_name'),
  needs: policy['site:administer'],
  body: documentBody(subscriptions, {
    typeIsOptional: true,
    relationships: { 'feature-set': toOne('feature-sets') },
    requiredRelationships: ['feature-set'],
  }),
  answer: { status: 200, document: subscriptions },
  errors: ['invalid-relationship'],
  check: ({ body: { relationships }, faults }) => {
    const id = relationships['feature-set'];
    if (id === undefined || (id !== null && isFeatureSet(id))) return;
    faults.push(relationshipFault('feature-set', 'Feature set does not exist'));
  },
  handle: async ({ sql, subject, body: { attributes, relationships } }) => {
    const id = subject.organization_id;
    await sql`delete from subscriptions where subscriptions.organization_id = ${id}`;
    const [made] = await sql<Row[]>`
      insert into subscriptions ${row(sql, {
        ...columns(subscriptions, attributes),
        organization_id: id,
        feature_set_id: relationships['feature-set'],
      })}
      returning subscriptions.*`;
    return { ...made, id, name: subject.name };
  },
});
