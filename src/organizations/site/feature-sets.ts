/** §1 Feature sets: what a site administrator can give an organization, as clients' set-up code asks for it. */
import { policy } from '../../access/policy.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { column, text, texts } from '../../core/jsonapi/fields.ts';
import { term } from '../../core/jsonapi/query.ts';
import { type RowOf, resource } from '../../core/jsonapi/resource.ts';
import type { Fragment, Sql } from '../../core/store/store.ts';
import { site } from './site.ts';

const attributes = {
  name: column(text),
  identifier: column(text),
  /** What it makes true in the entitlement set, beside what every organization has. */
  entitlements: column(texts),
};

export const featureSets = resource({
  type: 'feature-sets',
  attributes,
  relationships: {},
  load: async (_sql, _actor, ids) => all.filter(({ id }) => ids.includes(id)),
});

/** What an organization without any set has beside what every one has. */
const usual: string[] = ['global-run-tasks'];

const all: readonly RowOf<typeof attributes>[] = [
  { id: 'fs-free', name: 'Free', identifier: 'free', entitlements: [] },
  // By this name clients ask for it before they tell teams and projects of what happens.
  { id: 'fs-standard', name: 'Standard (entitlement)', identifier: 'standard_entitlement', entitlements: usual },
  {
    id: 'fs-business',
    name: 'Business',
    identifier: 'business',
    // Nothing that Terrane does not have; `operations` follows from what executes, whatever anybody subscribes to.
    entitlements: ['vcs-integrations', ...usual],
  },
];

export function isFeatureSet(id: string): boolean {
  return all.some(one => one.id === id);
}

/** The entitlements that a feature set adds. */
export function entitlementsOf(id: string | null): readonly string[] {
  return id === null ? usual : (all.find(one => one.id === id)?.entitlements ?? []);
}

/** Whether an organization may have tasks that are asked in all of its workspaces. */
export function mayAskEverywhere(sql: Sql, organizationId: Fragment): Fragment {
  const without = all.filter(({ entitlements }) => !entitlements.includes('global-run-tasks')).map(({ id }) => id);
  return sql`not exists (
    select from subscriptions
    where subscriptions.organization_id = ${organizationId} and subscriptions.feature_set_id = any(${without})
      and (subscriptions.end_at is null or subscriptions.end_at > now())
  )`;
}

export const listFeatureSets = endpoint({
  operation: 'feature-sets.list',
  section: '§1',
  summary: 'List the feature sets that organizations can be given',
  method: 'GET',
  paths: ['/admin/feature-sets'],
  subject: site,
  needs: policy['site:administer'],
  query: { q: term('Sets whose name contains this, whatever its case') },
  answer: { status: 200, collection: featureSets, pages: 'always' },
  handle: ({ query, page }) => {
    const search = (query.q ?? '').toLowerCase();
    const found = all.filter(({ name }) => name.toLowerCase().includes(search));
    return { rows: found.slice(page.offset, page.offset + page.size), total: found.length };
  },
});
