/** Organization: the document, the SELECT and the finder. Its id on the wire is its name (§1). */
import { Type } from 'typebox';
import type { Actor } from '../access/actor.ts';
import { organizationPowers, organizationPowersOf } from '../access/organization-access.ts';
import type { Finder, Lock, Subject } from '../jsonapi/endpoint.ts';
import {
  boolean,
  booleans,
  column,
  computed,
  integer,
  linked,
  nullable,
  type Row,
  reference,
  text,
  timestamp,
  word,
} from '../jsonapi/fields.ts';
import { type RowOf, resource } from '../jsonapi/resource.ts';
import type { Fragment, Sql } from '../store/store.ts';

export const executionMode = word('remote', 'local', 'agent');

const minutes = nullable(Type.Integer({ minimum: 1, maximum: 525_600 }));

const attributes = {
  name: column(text, { write: true }),
  'external-id': column(text),
  email: column(text, { write: true }),
  'created-at': column(timestamp),
  'default-execution-mode': column(executionMode, { write: true, default: 'remote' }),
  /** Taken as an attribute here; answers carry the relationship. */
  'default-agent-pool-id': computed(nullable(text), row => row['default_agent_pool_id'], { write: true }),
  'default-global-remote-state': column(boolean, { write: true, default: false }),
  'allow-force-delete-workspaces': column(boolean, { write: true, default: false }),
  'assessments-enforced': column(boolean, { write: true, default: false }),
  'aggregated-commit-status-enabled': column(boolean, { write: true, default: true }),
  'collaborator-auth-policy': column(word('password', 'two_factor_mandatory'), { write: true, default: 'password' }),
  'cost-estimation-enabled': column(boolean, { write: true, default: false }),
  'owners-team-saml-role-id': column(nullable(text), { write: true, default: null }),
  'send-passing-statuses-for-untriggered-speculative-plans': column(boolean, { write: true, default: false }),
  'session-remember': column(minutes, { write: true, default: null }),
  'session-timeout': column(minutes, { write: true, default: null }),
  'speculative-plan-management-enabled': column(boolean, { write: true, default: true }),
  'stacks-enabled': column(boolean, { write: true, default: false }),
  'user-tokens-enabled': column(boolean, { write: true, default: true }),
  'is-unified': computed(boolean, () => false),
  'saml-enabled': computed(boolean, () => false),
  'two-factor-conformant': computed(boolean, () => true),
  'fair-run-queuing-enabled': computed(boolean, () => false),
  'plan-expired': computed(boolean, () => false),
  'plan-is-trial': computed(boolean, () => false),
  'plan-is-enterprise': computed(boolean, (_row, { edition }) => edition === 'self-hosted'),
  'remaining-testable-count': computed(integer, () => 1000),
  permissions: computed(
    booleans(
      'can-create-project',
      'can-create-team',
      'can-create-workspace',
      'can-destroy',
      'can-manage-auditing',
      'can-manage-run-tasks',
      'can-traverse',
      'can-update',
      'can-update-api-token',
      'can-update-oauth',
      'can-update-sentinel',
    ),
    permissions,
  ),
};

export const organizations = resource({
  type: 'organizations',
  attributes,
  relationships: {
    'default-project': reference(
      'projects',
      'default_project_id',
      row => `/api/v2/projects/${row['default_project_id']}`,
    ),
    'default-agent-pool': reference(
      'agent-pools',
      'default_agent_pool_id',
      row => `/api/v2/agent-pools/${row['default_agent_pool_id']}`,
    ),
    'entitlement-set': reference(
      'entitlement-sets',
      'external_id',
      row => `/api/v2/organizations/${row['name']}/entitlement-set`,
    ),
    'authentication-token': linked(row => `/api/v2/organizations/${row['name']}/authentication-token`),
  },
  links: row => ({ self: `/api/v2/organizations/${row['name']}` }),
  load: (sql, actor, names) => readOrganizations(sql, actor, sql`organizations.name = any(${names as string[]})`),
});

/** `id` is what the wire shows, the name; `organization_id` is what other rows refer to. */
export interface Organization extends RowOf<typeof attributes>, Subject {
  id: string;
  organization_id: string;
  default_agent_pool_id: string | null;
  default_project_id: string;
}

function permissions(row: Row): Record<string, boolean> {
  const powers: number = row['powers'];
  const owns = organizationPowers.has(powers, 'own');
  const may = (power: Parameters<typeof organizationPowers.has>[1]) => owns || organizationPowers.has(powers, power);
  return {
    'can-create-project': may('manage-projects'),
    'can-create-team': owns,
    'can-create-workspace': may('manage-workspaces'),
    'can-destroy': owns,
    'can-manage-auditing': owns,
    'can-manage-run-tasks': may('manage-run-tasks'),
    'can-traverse': true,
    'can-update': owns,
    'can-update-api-token': owns,
    'can-update-oauth': may('manage-vcs-settings'),
    'can-update-sentinel': may('manage-policies'),
  };
}

/** Organizations that the actor belongs to; everybody else's do not exist for them. */
export async function readOrganizations(
  sql: Sql,
  actor: Actor,
  condition: Fragment,
  rest?: Fragment,
): Promise<Organization[]> {
  const rows = await sql<Row[]>`
    select organizations.*, organizations.id as organization_id, organizations.id as external_id
    from organizations
    where ${condition} and organizations.id = any(${[...actor.standings.keys()]})
    ${rest ?? sql``}`;
  return rows.map(row => {
    const powers = organizationPowersOf(actor, row.id);
    return { ...row, id: row['name'], powers } as Organization;
  });
}

export const organizationByName: Finder<Organization> = {
  find: async (sql, actor, params, lock) => {
    const name = params['organization_name']!;
    const [found] = await readOrganizations(sql, actor, sql`organizations.name = ${name}`, held(sql, lock));
    return found;
  },
};

function held(sql: Sql, lock: Lock): Fragment {
  if (lock === 'update') return sql`for update of organizations`;
  return lock === 'key share' ? sql`for key share of organizations` : sql``;
}
