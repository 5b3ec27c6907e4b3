/** A change: that a record came, is another one than before, or is gone. The document, and the changes that a caller may be told. */
import { meets } from '../../access/organization-access.ts';
import { policy } from '../../access/policy.ts';
import { projectPowers, projectPowersFromOrganization } from '../../access/project-levels.ts';
import { projectIsReadable } from '../../access/projects.ts';
import { teamIsVisible } from '../../access/teams.ts';
import { managesSetsOf, setIsReadable } from '../../access/variable-sets.ts';
import { readsWhole, workspaceIsReadable, workspaceMeets } from '../../access/workspaces.ts';
import { type Actor, standingIn } from '../../core/access/actor.ts';
import { column, reference, text, timestamp, word } from '../../core/jsonapi/fields.ts';
import { resource } from '../../core/jsonapi/resource.ts';
import type { Fragment, Sql } from '../../core/store/store.ts';
import { type Cursor, cursorText } from './cursor.ts';

export const changes = resource({
  type: 'changes',
  attributes: {
    'occurred-at': column(timestamp),
    change: column(word('created', 'updated', 'deleted')),
    'resource-type': column(text),
    'resource-id': column(text),
    /** To go on behind this one. */
    cursor: column(text),
  },
  relationships: {
    /** Of a workspace, and of what hangs from one. */
    workspace: reference('workspaces', 'workspace_id'),
  },
});

export interface Change {
  id: string;
  occurred_at: string;
  change: 'created' | 'updated' | 'deleted';
  resource_type: string;
  resource_id: string;
  workspace_id: string | null;
  cursor: string;
}

export interface Found {
  rows: Change[];
  /** Behind everything that was looked at. */
  cursor: Cursor;
  /** Whether there is more to look at already. */
  hasMore: boolean;
  /** Whether the reader comes from a database that was further than this one. */
  isAhead: boolean;
}

interface Row {
  id: string | null;
  transaction_id: string;
  position: string;
  occurred_at: string;
  change: Change['change'];
  type: string;
  record_id: string;
  workspace_id: string | null;
  horizon: string;
  is_ahead: boolean;
  last_transaction: string | null;
  last_position: string | null;
  looked_at: number;
}

/** What one look takes in at most, whether or not the caller may be told. */
const lookedAtLimit = 2000;

/** The changes behind a place, in the order of their transactions, as far as no earlier transaction is under way. */
export async function changesAfter(
  sql: Sql,
  actor: Actor,
  organizationId: string,
  after: Cursor | null,
  size: number,
): Promise<Found> {
  const rows = await sql<Row[]>`
    with horizon as materialized (
      select pg_snapshot_xmin(pg_current_snapshot()) as oldest, pg_snapshot_xmax(pg_current_snapshot()) as newest
    ), recent as materialized (
      select changes.* from changes, horizon
      where changes.organization_id = ${organizationId} and changes.transaction_id < horizon.oldest
        and ${after ? isBehind(sql, after) : sql`false`}
      order by changes.transaction_id, changes.position limit ${lookedAtLimit}
    )
    select page.*, horizon.oldest::text as horizon, last.transaction_id::text as last_transaction,
      last.position::text as last_position, (select count(*) from recent) as looked_at,
      ${after ? sql`(${after.transaction}::text)::xid8 > horizon.newest` : sql`false`} as is_ahead
    from horizon
    left join lateral (
      select recent.transaction_id, recent.position from recent
      order by recent.transaction_id desc, recent.position desc limit 1
    ) as last on true
    left join lateral (
      select 'chg-' || changes.transaction_id::text || '-' || changes.position::text as id,
        changes.transaction_id::text as transaction_id, changes.position::text as position, changes.occurred_at,
        changes.change, changes.type, changes.record_id, changes.workspace_id
      from recent as changes
      left join workspaces on workspaces.id = changes.workspace_id
      left join projects on projects.id = changes.project_id and changes.audience = 'project'
      left join teams on teams.id = changes.team_id
      left join variable_sets on variable_sets.id = changes.record_id and changes.audience = 'variable-set'
      where ${mayBeTold(sql, actor, organizationId)}
      order by changes.transaction_id, changes.position limit ${size + 1}
    ) as page on true
    order by page.transaction_id::xid8, page.position::bigint`;
  return found(rows, size, after);
}

function isBehind(sql: Sql, { transaction, position }: Cursor): Fragment {
  return sql`
    (changes.transaction_id, changes.position) > ((${transaction}::text)::xid8, (${position}::text)::bigint)`;
}

function found(rows: readonly Row[], size: number, after: Cursor | null): Found {
  const { horizon, is_ahead: isAhead, looked_at: lookedAt, last_transaction, last_position } = rows[0]!;
  const told = rows.filter(({ id }) => id !== null);
  const shown = told.slice(0, size).map(row => shownChange(row));
  const at_ms = Date.now();
  const placeOf = (transaction: string, position: string): Cursor => ({ transaction, position, at_ms });
  const lastShown = told[size - 1];
  if (told.length > size) {
    return { rows: shown, cursor: placeOf(lastShown!.transaction_id, lastShown!.position), hasMore: true, isAhead };
  }
  if (lookedAt === lookedAtLimit) {
    return { rows: shown, cursor: placeOf(last_transaction!, last_position!), hasMore: true, isAhead };
  }
  // Nobody writes into a transaction before the horizon any more. A reader never goes back, whichever server answers.
  const isFurther = after !== null && BigInt(after.transaction) > BigInt(horizon);
  const cursor = isFurther ? { ...after, at_ms } : placeOf(horizon, '0');
  return { rows: shown, cursor, hasMore: false, isAhead };
}

function shownChange(row: Row): Change {
  const { transaction_id: transaction, position } = row;
  return {
    id: row.id!,
    occurred_at: row.occurred_at,
    change: row.change,
    resource_type: row.type,
    resource_id: row.record_id,
    workspace_id: row.workspace_id,
    cursor: cursorText({ transaction, position, at_ms: Date.now() }),
  };
}

/** On a row of `changes` with what it names: the caller sees it now, or saw it while it was there. */
function mayBeTold(sql: Sql, actor: Actor, organizationId: string): Fragment {
  const { isOwner } = standingIn(actor, organizationId);
  const teamIds = actor.teamIds as string[];
  const hadAccess = sql`coalesce(changes.team_ids && ${teamIds}::text[], false)`;
  const has = (needs: 'workspace:manage-notifications' | 'workspace:read-variables') =>
    workspaceMeets(sql, actor, organizationId, policy[needs]);
  const readsProjects = projectPowers.has(projectPowersFromOrganization(actor, organizationId), 'read');
  return sql`
    case changes.audience
      when 'members' then true
      when 'owners' then ${isOwner}::boolean
      when 'user' then changes.user_id = ${actor.userId}
      when 'team-members' then ${isOwner}::boolean or changes.team_id = any(${teamIds})
      when 'team' then teams.id is not null and ${teamIsVisible(sql, actor)}
      when 'workspace' then
        case when workspaces.id is null then ${readsWhole(actor, organizationId)}::boolean or ${hadAccess}
        else ${workspaceIsReadable(sql, actor)} end
      when 'workspace-admins' then workspaces.id is not null and ${has('workspace:manage-notifications')}
      when 'workspace-variables' then workspaces.id is not null and ${has('workspace:read-variables')}
      when 'variable-set' then
        case when variable_sets.id is null
        then ${readsWhole(actor, organizationId) || managesSetsOf(actor, organizationId)}::boolean
        else ${setIsReadable(sql, actor)} end
      when 'connections' then ${meets(actor, organizationId, policy['organization:list-oauth-clients'])}::boolean
      when 'project' then
        case when projects.id is null then ${readsProjects}::boolean or ${hadAccess}
        else ${projectIsReadable(sql, actor)} end
    end`;
}
