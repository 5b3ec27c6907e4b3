/** §4.7 What the policies in effect say is to go: content past its age that nothing lives by any more. */
import type { Fragment, Sql, Store } from '../../core/store/store.ts';

export const kinds = ['state-versions', 'configuration-versions'] as const;
export type Kind = (typeof kinds)[number];

export interface Due {
  kind: Kind;
  id: string;
  /** Its name, and the key of its row. */
  organization: string;
  organization_id: string;
  workspace: string;
  workspace_id: string;
  status: string;
  created_at: string;
  age_days: number;
  /** Of the policy. */
  delete_older_than_n_days: number;
  blob_ids: string[];
}

/** Workspaces with their organization and `policy.days`: of the workspace's own policy, else of the default; null for never. */
const policed = (sql: Sql): Fragment => sql`
  workspaces
  join organizations on organizations.id = workspaces.organization_id
  left join data_retention_policies as own on own.workspace_id = workspaces.id
  left join data_retention_policies as general
    on general.organization_id = workspaces.organization_id and general.workspace_id is null
  cross join lateral (
    select case when own.id is null then general.delete_older_than_n_days else own.delete_older_than_n_days end as days
  ) as policy`;

const isPast = (sql: Sql): Fragment =>
  sql`versions.workspace_id = workspaces.id and versions.created_at < now() - make_interval(days => policy.days)`;

interface Source {
  table: (sql: Sql) => Fragment;
  /** Of a row `versions` of the table beside its workspace. */
  isDue: (sql: Sql) => Fragment;
  blobIds: (sql: Sql) => Fragment;
}

/** What is intermediate may be current when the lock goes, and a run under way still needs its configuration. */
const sources: Record<Kind, Source> = {
  'state-versions': {
    table: sql => sql`state_versions as versions`,
    isDue: sql => sql`
      ${isPast(sql)} and (versions.blob_id is not null or versions.json_blob_id is not null)
      and not versions.intermediate and versions.id is distinct from workspaces.current_state_version_id`,
    blobIds: sql => sql`array_remove(array[versions.blob_id, versions.json_blob_id], null)`,
  },
  'configuration-versions': {
    table: sql => sql`configuration_versions as versions`,
    isDue: sql => sql`
      ${isPast(sql)} and versions.blob_id is not null
      and versions.id is distinct from workspaces.current_configuration_version_id
      and not exists (
        select from runs where runs.configuration_version_id = versions.id and runs.finished_at is null
      )`,
    blobIds: sql => sql`array[versions.blob_id]`,
  },
};

/** The oldest first; `rest` says how many, and whether they are held. */
export async function dueOf(sql: Sql, kind: Kind, workspaceId: string, rest: Fragment): Promise<Due[]> {
  const { table, isDue, blobIds } = sources[kind];
  return sql<Due[]>`
    select ${kind}::text as kind, versions.id, versions.workspace_id, versions.status, versions.created_at,
      ${blobIds(sql)} as blob_ids, workspaces.name as workspace, workspaces.organization_id,
      organizations.name as organization, policy.days as delete_older_than_n_days,
      floor(extract(epoch from now() - versions.created_at) / 86400)::integer as age_days
    from ${policed(sql)}
    join ${table(sql)} on ${isDue(sql)}
    where workspaces.id = ${workspaceId}
    order by versions.created_at, versions.id
    ${rest}`;
}

const pageSize = 200;

/** The workspaces that have something due, by id, behind `after`: a page of them, the last one empty. */
export async function dueWorkspaces(sql: Sql, after: string): Promise<string[]> {
  const [states, configurations] = kinds.map(kind => sources[kind]);
  const found = await sql<{ id: string }[]>`
    select workspaces.id from ${policed(sql)}
    where workspaces.id > ${after} and policy.days is not null and (
      exists (select from ${states!.table(sql)} where ${states!.isDue(sql)})
      or exists (select from ${configurations!.table(sql)} where ${configurations!.isDue(sql)})
    )
    order by workspaces.id
    limit ${pageSize}`;
  return found.map(({ id }) => id);
}

/** Everything that is due, workspace by workspace. Nothing is held or changed. */
export async function* everythingDue(store: Store): AsyncGenerator<Due> {
  let after = '';
  for (;;) {
    const workspaces = await dueWorkspaces(store.search, after);
    if (workspaces.length === 0) return;
    for (const id of workspaces) {
      for (const kind of kinds) yield* await dueOf(store.read, kind, id, store.read``);
    }
    after = workspaces.at(-1)!;
  }
}
