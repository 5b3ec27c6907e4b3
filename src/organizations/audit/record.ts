/** What happened, by whom: one row in the transaction of the change itself. No audit, no change. */
import type { Change, ChangedRow } from '../../core/audit/change.ts';
import { limits } from '../../core/limits.ts';
import { newId } from '../../core/store/ids.ts';
import type { Fragment, Sql } from '../../core/store/store.ts';

/** Columns that are secret, that say nothing about the change, or that say what the caller may do rather than what was done. */
const unrecorded = new RegExp(
  '^(updated_at|revision|secret|codes|stamp|shown_to|sealed_\\w+|hash|token|value|variables|modules|providers|resources)$|_count$' +
    '|powers$|^(can_|output_ids$|variable_ids$)|^is_(member|read_whole|by_membership)$',
);

export async function recordEvent(sql: Sql, change: Change): Promise<void> {
  await eventOf(sql, change);
}

/** The statement that records it: in a transaction it may travel with the commit, which fails where it does. */
export function eventOf(sql: Sql, change: Change): Fragment {
  const { actor, subject, result } = change;
  const row = result?.row ?? subject;
  const type = result?.type ?? typeOf(row) ?? change.operation.split('.')[0]!;
  const own = (row['organization_id'] ?? subject['organization_id'] ?? '') as string;
  const places = [own, ...(change.alsoIn ?? [])];
  const changes = shortened({ ...difference(subject, result?.row ?? null), ...change.notes });
  // The end of an organization is an event of none: nobody is left in it to read that.
  return sql`
    insert into audit_events (
      id, organization_id, action, actor_type, actor_id, actor_name, token_id,
      resource_type, resource_id, resource_name, changes, request_id, remote_address
    )
    select events.id, organizations.id, ${change.operation}, ${actor.kind}, ${actor.userId}, ${actor.username},
      ${actor.tokenId}, ${type}, ${row.id}, ${(row[namedBy[type] ?? 'name'] ?? null) as string | null},
      ${sql.json(changes)}::jsonb, ${change.requestId}, ${change.remoteAddress}
    from unnest(${places.map(() => newId('ae'))}::text[], ${places}::text[]) as events (id, place)
    left join organizations on organizations.id = events.place`;
}

/** The columns by which people know records that have no name. */
const namedBy: Record<string, string> = {
  'authentication-tokens': 'description',
  'organization-memberships': 'email',
  'password-links': 'username',
  'reserved-tag-keys': 'key',
  'run-triggers': 'sourceable_name',
  'terraform-versions': 'version',
  sessions: 'username',
  users: 'username',
  vars: 'key',
};

/** By the form of the id: an operation may be about one type of record and change what hangs from another. */
function typeOf(row: ChangedRow): string | undefined {
  if (row['external_id'] !== undefined) return 'organizations';
  return types[row.id.slice(0, row.id.indexOf('-'))];
}

const types: Record<string, string> = {
  apool: 'agent-pools',
  at: 'authentication-tokens',
  cv: 'configuration-versions',
  idp: 'sign-in-providers',
  lcode: 'login-authorizations',
  nc: 'notification-configurations',
  oc: 'oauth-clients',
  ot: 'oauth-tokens',
  ou: 'organization-memberships',
  plink: 'password-links',
  prj: 'projects',
  rt: 'run-triggers',
  rtk: 'reserved-tag-keys',
  run: 'runs',
  sess: 'sessions',
  sshkey: 'ssh-keys',
  sv: 'state-versions',
  tag: 'tags',
  task: 'tasks',
  taskrs: 'task-results',
  team: 'teams',
  tprj: 'team-projects',
  tws: 'team-workspaces',
  user: 'users',
  var: 'vars',
  varset: 'varsets',
  ws: 'workspaces',
  wstask: 'workspace-tasks',
};

/** Column → [before, after] where the same record changed; column → [null, value] where one was made. */
function difference(before: ChangedRow, after: ChangedRow | null): Record<string, unknown> {
  if (!after) return {};
  const isSame = before.id === after.id;
  const changed = Object.keys(after).filter(
    name => !unrecorded.test(name) && JSON.stringify(isSame ? before[name] : null) !== JSON.stringify(after[name]),
  );
  return Object.fromEntries(changed.map(name => [name, [isSame ? (before[name] ?? null) : null, after[name]]]));
}

/** An event tells what was done, not all of what it was done with: long texts and lists are cut, and say so. */
function shortened(value: unknown): unknown {
  const [characters, items] = [limits.auditText_characters.value, limits.auditList_items.value];
  if (typeof value === 'string') {
    return value.length > characters
      ? `${value.slice(0, characters).toWellFormed()}… (${value.length} characters)`
      : value;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (!Array.isArray(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shortened(member)]));
  }
  const kept = value.slice(0, items).map(shortened);
  return value.length > items ? [...kept, `and ${value.length - items} more`] : kept;
}
