/** §1 Entitlement set: what an organization can do here. True is only what Terrane really does. */

import { policy } from '../../access/policy.ts';
import type { Actor } from '../../core/access/actor.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { type Attribute, boolean, computed, integer, nullable, type Row } from '../../core/jsonapi/fields.ts';
import { resource } from '../../core/jsonapi/resource.ts';
import type { Sql } from '../../core/store/store.ts';
import { somethingExecutes } from '../executors.ts';
import { entitlementsOf } from '../site/feature-sets.ts';
import { organizationByName } from './organization.ts';

const yes = ['agents', 'audit-logging', 'run-tasks', 'state-storage', 'teams'] as const;

/** Not in every organization, or not at all. */
const no = [
  'can-apply',
  'configuration-designer',
  'cost-estimation',
  'global-run-tasks',
  'infragraph',
  'infragraph-with-nrtu',
  'module-tests-agent-support',
  'module-tests-generation',
  'no-code-modules',
  'policy-enforcement',
  'private-module-registry',
  'private-policy-agents',
  'private-run-tasks',
  'private-vcs',
  'self-serve-billing',
  'sentinel',
  'sso',
  'terraform-actions',
  'vcs-integrations',
  'waypoint-actions',
  'waypoint-templates-and-addons',
] as const;

/** Null is without limit. */
const limits = [
  'policy-limit',
  'policy-mandatory-enforcement-limit',
  'policy-set-limit',
  'run-task-limit',
  'run-task-workspace-limit',
  'run-tasks-limit',
  'run-tasks-mandatory-enforcement-limit',
  'user-limit',
  'versioned-policy-set-limit',
] as const;

interface EntitledRow extends Row {
  feature_set_id: string | null;
  executes: boolean;
}

const attributes: Record<string, Attribute> = Object.fromEntries([
  ...yes.map(name => [name, computed(boolean, () => true)]),
  // An administrator may say otherwise: see subscription.ts.
  ...no.map(name => [name, computed(boolean, (row: EntitledRow) => entitlementsOf(row.feature_set_id).includes(name))]),
  // False makes command lines run everything locally, which is the truth where nothing else executes.
  ['operations', computed(boolean, (row: EntitledRow) => row.executes)],
  ['assessments', computed(boolean, (_row, { edition }) => edition === 'hosted')],
  ...limits.map(name => [name, computed(nullable(integer), () => null)]),
]);

export const entitlementSets = resource({
  type: 'entitlement-sets',
  attributes,
  relationships: {},
  load: readEntitlementSets,
});

/** By membership too: whoever founds an organization was not a member yet when the token was read. */
async function readEntitlementSets(sql: Sql, actor: Actor, ids: readonly string[]): Promise<Row[]> {
  return await sql<Row[]>`
    select organizations.id, subscriptions.feature_set_id, ${somethingExecutes(sql)} as executes from organizations
    left join subscriptions on subscriptions.organization_id = organizations.id
      and (subscriptions.end_at is null or subscriptions.end_at > now())
    where organizations.id = any(${ids as string[]}) and (
      organizations.id = any(${[...actor.standings.keys()]})
      or organizations.user_tokens_enabled and exists (
        select from organization_memberships
        where organization_memberships.organization_id = organizations.id
          and organization_memberships.user_id = ${actor.userId} and organization_memberships.status = 'active'
      )
    )`;
}

export const showEntitlementSet = endpoint({
  operation: 'entitlement-sets.show',
  section: '§1',
  summary: 'Show what an organization can do here',
  method: 'GET',
  paths: ['/organizations/:organization_name/entitlement-set'],
  subject: organizationByName,
  needs: policy['organization:read'],
  answer: { status: 200, document: entitlementSets },
  isForRuns: true,
  handle: async ({ sql, actor, subject }) => (await readEntitlementSets(sql, actor, [subject.organization_id]))[0]!,
});
