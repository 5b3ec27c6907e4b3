/** §1 Organization: the document, the SELECT and the finder. Its id on the wire is its name. */
import { type Static, Type } from 'typebox';
import { organizationPowers, organizationPowersOf } from '../../access/organization-access.ts';
import {
  addressed,
  boolean,
  booleans,
  column,
  computed,
  emailAddress,
  integer,
  linked,
  nullable,
  reference,
  text,
  timestamp,
  word,
} from '../../core/jsonapi/fields.ts';
import { records, type Subject } from '../../core/jsonapi/records.ts';
import { type RowOf, resource } from '../../core/jsonapi/resource.ts';
import { ownPolicy, ownPolicyColumns } from '../data-retention-policies/data-retention-policy.ts';

interface OrganizationRow extends Subject<'organization'> {
  name: string;
  /** Of the site, for organizations that say nothing. */
  default_remote_state_access: boolean;
  organization_id: string;
  default_agent_pool_id: string | null;
  default_project_id: string;
}

export const executionMode = word('remote', 'local', 'agent');
export type ExecutionMode = Static<typeof executionMode>;

const minutes = nullable(Type.Integer({ minimum: 1, maximum: 525_600 }));
const name = Type.String({
  pattern: '^[A-Za-z0-9_-]{1,64}$',
  'x-rule': 'may only contain letters, numbers, - and _, and at most 64 of them',
});
const none = () => null;
const no = () => false;

const attributes = {
  name: column(text, { write: name }),
  'external-id': column(text),
  email: column(text, { write: emailAddress }),
  'created-at': column(timestamp),
  'default-execution-mode': column(executionMode, { write: true, default: 'remote' }),
  /** Bodies may name the pool here or as a relationship; answers carry both. */
  'default-agent-pool-id': computed(nullable(text), (row: OrganizationRow) => row.default_agent_pool_id, {
    write: true,
  }),
  'default-global-remote-state': column(boolean, { write: true }),
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
  'is-unified': computed(boolean, no),
  'saml-enabled': computed(boolean, no),
  'two-factor-conformant': computed(boolean, () => true),
  'fair-run-queuing-enabled': computed(boolean, no),
  'enforce-hyok': computed(boolean, no),
  /** Whether tokens are refused here once they are older than the policies on their life say. */
  'max-ttl-enabled': column(boolean, { write: true, default: false }),
  'registry-monorepo-support-enabled': computed(boolean, no),
  'plan-identifier': computed(nullable(text), none),
  'plan-expired': computed(boolean, no),
  'plan-expires-at': computed(nullable(timestamp), none),
  'plan-is-trial': computed(boolean, no),
  'plan-is-enterprise': computed(boolean, (_row, { edition }) => edition === 'self-hosted'),
  'trial-expires-at': computed(nullable(timestamp), none),
  'remaining-testable-count': computed(integer, () => 1000),
  permissions: computed(
    booleans(
      'can-create-project',
      'can-create-team',
      'can-create-workspace',
      'can-create-workspace-migration',
      'can-deploy-no-code-modules',
      'can-destroy',
      'can-enable-stacks',
      'can-manage-auditing',
      'can-manage-no-code-modules',
      'can-manage-run-tasks',
      'can-manage-users',
      'can-traverse',
      'can-update',
      'can-update-api-token',
      'can-update-hyok-configuration',
      'can-update-oauth',
      'can-update-sentinel',
      'can-view-hyok-feature-info',
    ),
    permissions,
  ),
};

export const organizations = resource({
  type: 'organizations',
  attributes,
  relationships: {
    'default-project': addressed('projects', 'default_project_id'),
    'default-agent-pool': addressed('agent-pools', 'default_agent_pool_id'),
    'entitlement-set': reference(
      'entitlement-sets',
      'external_id',
      (row: OrganizationRow) => `/api/v2/organizations/${row.name}/entitlement-set`,
    ),
    'data-retention-policy': ownPolicy((row: OrganizationRow) => `/api/v2/organizations/${row.name}`),
    'authentication-token': linked((row: OrganizationRow) => `/api/v2/organizations/${row.name}/authentication-token`),
  },
  links: (row: OrganizationRow) => ({ self: `/api/v2/organizations/${row.name}` }),
  load: (sql, actor, names) => organizationRecords.load(sql, actor, names),
});

/** `id` is what the wire shows, the name; `organization_id` is what other rows refer to. */
export interface Organization extends RowOf<typeof attributes>, OrganizationRow {}

function permissions({ powers }: OrganizationRow): Record<string, boolean> {
  const owns = organizationPowers.has(powers, 'own');
  const may = (power: Parameters<typeof organizationPowers.has>[1]) => owns || organizationPowers.has(powers, power);
  return {
    'can-create-project': may('manage-projects'),
    'can-create-team': owns,
    'can-create-workspace': may('manage-workspaces'),
    'can-create-workspace-migration': false,
    'can-deploy-no-code-modules': false,
    'can-destroy': owns,
    'can-enable-stacks': false,
    'can-manage-auditing': owns,
    'can-manage-no-code-modules': false,
    'can-manage-run-tasks': may('manage-run-tasks'),
    'can-manage-users': may('manage-membership'),
    'can-traverse': true,
    'can-update': owns,
    'can-update-api-token': organizationPowers.has(powers, 'issue-token'),
    'can-update-hyok-configuration': false,
    'can-update-oauth': may('manage-vcs-settings'),
    'can-update-sentinel': may('manage-policies'),
    'can-view-hyok-feature-info': false,
  };
}

/** Organizations that the actor belongs to; everybody else's do not exist for them. */
export const organizationRecords = records<Organization>({
  table: 'organizations',
  key: 'name',
  columns: sql => sql`
    organizations.*, organizations.id as organization_id, organizations.id as external_id, ${ownPolicyColumns(sql)},
    (select site_settings.default_remote_state_access from site_settings) as default_remote_state_access`,
  from: sql => sql`
    organizations
    left join data_retention_policies on data_retention_policies.organization_id = organizations.id
      and data_retention_policies.workspace_id is null`,
  isVisible: (sql, actor) => sql`organizations.id = any(${[...actor.standings.keys()]})`,
  powers: (row, actor) => organizationPowersOf(actor, row.organization_id),
  complete: row => ({
    id: row.name,
    default_global_remote_state: row.default_global_remote_state ?? row.default_remote_state_access,
  }),
});

export const organizationByName = organizationRecords.byId('organization_name');
