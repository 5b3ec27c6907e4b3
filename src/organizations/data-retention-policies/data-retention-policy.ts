/** §4.7 Data retention policy: the document, and the policies of a workspace and of its organization. Self-hosted only. */
import { Type } from 'typebox';
import {
  column,
  computed,
  type Deployment,
  integer,
  nullable,
  type OfRow,
  type Relationship,
  type Row,
} from '../../core/jsonapi/fields.ts';
import { type RowOf, resource } from '../../core/jsonapi/resource.ts';
import type { Fragment, Sql } from '../../core/store/store.ts';
import { reviseWorkspaces } from '../revisions.ts';

/** The first says after how many days data goes, the second that it never goes; the last is the first's old name. */
const retentionTypes = [
  'data-retention-policy-delete-olders',
  'data-retention-policy-dont-deletes',
  'data-retention-policies',
] as const;
export type RetentionType = (typeof retentionTypes)[number];

const dayLimit = 36_500;
const days = Type.Integer({ minimum: 1, maximum: dayLimit, 'x-rule': `must be from 1 to ${dayLimit}` });

interface RetentionPolicyRow extends Row {
  type: RetentionType;
  delete_older_than_n_days: number | null;
  target_type: 'workspaces' | 'organizations';
  target_id: string;
}

const attributes = {
  'delete-older-than-n-days': column(nullable(integer), { write: days }),
  /** The spelling of newer clients: bodies may use either. */
  deleteOlderThanNDays: computed(nullable(integer), (row: RetentionPolicyRow) => row.delete_older_than_n_days),
};

export const dataRetentionPolicies = resource({
  type: 'data-retention-policies',
  typed: { types: retentionTypes, typeOf: (row: RetentionPolicyRow) => row.type },
  attributes,
  relationships: {
    target: {
      form: 'one',
      types: ['workspaces', 'organizations'],
      identifiers: (row: RetentionPolicyRow) => [{ type: row.target_type, id: row.target_id }],
    } satisfies Relationship,
  },
});

export interface RetentionPolicy extends RowOf<typeof attributes>, RetentionPolicyRow {}

export const isSelfHosted = ({ edition }: Deployment) => edition === 'self-hosted';

/** What `ownPolicyColumns` yield. */
interface WithPolicy extends Row {
  data_retention_policy_id: string | null;
  data_retention_policy_type: RetentionType | null;
}

/** Of a workspace or an organization: its own policy alone, null while a default or nothing holds. */
export function ownPolicy(address: OfRow<string>): Relationship {
  return {
    form: 'one',
    types: retentionTypes,
    identifiers: ({ data_retention_policy_id: id, data_retention_policy_type: type }: WithPolicy) =>
      id && type ? [{ type, id }] : [],
    related: (row: WithPolicy) =>
      row.data_retention_policy_id ? `${address(row)}/relationships/data-retention-policy` : null,
    when: isSelfHosted,
  };
}

/** The columns that `ownPolicy` reads; `data_retention_policies` is joined to the holder's row. */
export const ownPolicyColumns = (sql: Sql): Fragment => sql`
  data_retention_policies.id as data_retention_policy_id, data_retention_policies.type as data_retention_policy_type`;

/** Who has policies: an organization, or a workspace of it. */
export interface RetentionHolder {
  organization_id: string;
  /** Undefined for the organization itself. */
  workspace_id?: string;
}

const policyOf = (sql: Sql, { organization_id, workspace_id }: RetentionHolder): Fragment =>
  workspace_id === undefined
    ? sql`data_retention_policies.organization_id = ${organization_id} and data_retention_policies.workspace_id is null`
    : sql`data_retention_policies.workspace_id = ${workspace_id}`;

type StoredPolicy = Omit<RetentionPolicy, 'target_type' | 'target_id'> & { workspace_id: string | null };

/** The holder's own policy, else its organization's; undefined without either. `organizationName` is its wire id. */
export async function policyInEffect(
  sql: Sql,
  holder: RetentionHolder,
  organizationName: string,
): Promise<RetentionPolicy | undefined> {
  const [found] = await sql<StoredPolicy[]>`
    select
      data_retention_policies.id, data_retention_policies.organization_id, data_retention_policies.workspace_id,
      data_retention_policies.type, data_retention_policies.delete_older_than_n_days
    from data_retention_policies
    where ${policyOf(sql, holder)} or ${policyOf(sql, { organization_id: holder.organization_id })}
    order by data_retention_policies.workspace_id nulls last, data_retention_policies.id
    limit 1`;
  if (!found) return undefined;
  return found.workspace_id
    ? { ...found, target_type: 'workspaces', target_id: found.workspace_id }
    : { ...found, target_type: 'organizations', target_id: organizationName };
}

/** One holder has one policy: another type takes the old one's place, and its id. The holder's row is locked. */
export async function setPolicy(
  sql: Sql,
  holder: RetentionHolder,
  policy: { id: string; type: RetentionType; days: number | null },
): Promise<void> {
  if (holder.workspace_id) await reviseWorkspaces(sql, [holder.workspace_id]);
  const updated = await sql`
    update data_retention_policies set
      type = ${policy.type}, delete_older_than_n_days = ${policy.days}, updated_at = now()
    where ${policyOf(sql, holder)}
    returning data_retention_policies.id`;
  if (updated.length > 0) return;
  await sql`
    insert into data_retention_policies (id, organization_id, workspace_id, type, delete_older_than_n_days)
    values (${policy.id}, ${holder.organization_id}, ${holder.workspace_id ?? null}, ${policy.type}, ${policy.days})`;
}

/** Returns whether there was one. */
export async function removePolicy(sql: Sql, holder: RetentionHolder): Promise<boolean> {
  const removed = await sql`
    delete from data_retention_policies where ${policyOf(sql, holder)} returning data_retention_policies.id`;
  if (holder.workspace_id) await reviseWorkspaces(sql, [holder.workspace_id]);
  return removed.length > 0;
}
