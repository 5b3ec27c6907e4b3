/** §4.5 Remote state consumers: the other workspaces whose runs may read this one's state. */

import { namedWorkspaces } from '../../access/named.ts';
import { policy } from '../../access/policy.ts';
import { readsWhole, workspaceIsReadable } from '../../access/workspaces.ts';
import type { Actor } from '../../core/access/actor.ts';
import { ApiError, type Fault, faultAt } from '../../core/errors.ts';
import { identifiersBody } from '../../core/jsonapi/body.ts';
import { type Context, endpoint } from '../../core/jsonapi/endpoint.ts';
import type { Page } from '../../core/jsonapi/page.ts';
import { flag } from '../../core/jsonapi/query.ts';
import type { Fragment, Sql } from '../../core/store/store.ts';
import type { Workspace } from './attributes.ts';
import { visibleWorkspaces, workspaceById } from './rows.ts';
import { workspaces } from './workspace.ts';

const paths = ['/workspaces/:workspace_id/relationships/remote-state-consumers'] as const;

export const listConsumers = endpoint({
  operation: 'workspaces.list-remote-state-consumers',
  section: '§4.5',
  summary: "List the workspaces that may read this one's state",
  method: 'GET',
  paths,
  subject: workspaceById,
  needs: policy['workspace:read'],
  query: { show_only_configured: flag('true: those that were named, even while state is shared with all') },
  answer: { status: 200, collection: workspaces, pages: 'always' },
  handle: async ({ store, actor, subject, query, page }) => {
    const isOnlyConfigured = query.show_only_configured;
    const isEveryone = subject.global_remote_state && !isOnlyConfigured && readsWhole(actor, subject.organization_id);
    const { ids, total } = isEveryone
      ? await everyoneElse(store.read, subject, page)
      : await readableConsumers(store.search, actor, subject, isOnlyConfigured, page);
    if (ids.length === 0) return { rows: [], total };
    const order = store.read`order by workspaces.name, workspaces.id`;
    const rows = await visibleWorkspaces(store.read, actor, store.read`workspaces.id = any(${ids})`, order);
    return { rows, total };
  },
});

interface Found {
  ids: string[];
  total: number;
}

/** For whoever reads the whole organization: the total is its counter, and the page is read from an index alone. */
async function everyoneElse(sql: Sql, subject: Workspace, page: Page): Promise<Found> {
  const [found] = await sql<Found[]>`
    select
      (
        select coalesce(sum(workspace_counts.workspaces), 0) - 1 from workspace_counts
        where workspace_counts.organization_id = ${subject.organization_id}
      ) as total,
      array(
        select workspaces.id from workspaces
        where workspaces.organization_id = ${subject.organization_id} and workspaces.id <> ${subject.id}
        order by workspaces.name, workspaces.id
        limit ${page.size} offset ${page.offset}
      ) as ids`;
  return found!;
}

/** Only those that the caller may read are listed, and counted; they are looked for once, for total and page. */
async function readableConsumers(
  sql: Sql,
  actor: Actor,
  subject: Workspace,
  isOnlyConfigured: boolean,
  page: Page,
): Promise<Found> {
  const [found] = await sql<Found[]>`
    with matching as materialized (
      select workspaces.id, workspaces.name from workspaces
      where workspaces.organization_id = ${subject.organization_id} and workspaces.id <> ${subject.id}
        and ${isConsumer(sql, subject, isOnlyConfigured)}
        and ${readsWhole(actor, subject.organization_id) ? sql`true` : workspaceIsReadable(sql, actor)}
    )
    select (select count(*) from matching) as total, array(
      select matching.id from matching
      order by matching.name, matching.id
      limit ${page.size} offset ${page.offset}
    ) as ids`;
  return found!;
}

/** Sharing with all takes in every workspace, sharing with the project those of the project; else those that were named. */
function isConsumer(sql: Sql, subject: Workspace, isOnlyConfigured: boolean): Fragment {
  if (subject.global_remote_state && !isOnlyConfigured) return sql`true`;
  if (subject.project_remote_state && !isOnlyConfigured) return sql`workspaces.project_id = ${subject.project_id}`;
  return sql`workspaces.id in (
    select remote_state_consumers.consumer_id from remote_state_consumers
    where remote_state_consumers.workspace_id = ${subject.id}
  )`;
}

/** The three changes: the subject is held so that those it names at this moment may name it, too. */
const change = {
  section: '§4.5',
  paths,
  subject: workspaceById,
  holds: 'no key update',
  body: identifiersBody('workspaces'),
  answer: { status: 204 },
  errors: ['state-shared-with-all', 'invalid-document'],
} as const;

export const replaceConsumers = endpoint({
  ...change,
  operation: 'workspaces.replace-remote-state-consumers',
  summary: "Name exactly the workspaces that may read this one's state",
  method: 'PATCH',
  needs: policy['workspace:replace-consumers'],
  check: context => checkConsumers(context, true),
  handle: async ({ sql, subject, body, note }) => {
    await sql`
      delete from remote_state_consumers
      where remote_state_consumers.workspace_id = ${subject.id}
        and not remote_state_consumers.consumer_id = any(${body})`;
    await add(sql, subject, body);
    note({ consumers: body });
  },
});

export const addConsumers = endpoint({
  ...change,
  operation: 'workspaces.add-remote-state-consumers',
  summary: "Name further workspaces that may read this one's state",
  method: 'POST',
  needs: policy['workspace:change-consumers'],
  check: context => checkConsumers(context, true),
  handle: async ({ sql, subject, body, note }) => {
    await add(sql, subject, body);
    note({ consumers: body });
  },
});

export const removeConsumers = endpoint({
  ...change,
  operation: 'workspaces.remove-remote-state-consumers',
  summary: "Take workspaces out of those that may read this one's state",
  method: 'DELETE',
  needs: policy['workspace:change-consumers'],
  check: context => checkConsumers(context, false),
  handle: async ({ sql, subject, body, note }) => {
    await sql`
      delete from remote_state_consumers
      where remote_state_consumers.workspace_id = ${subject.id}
        and remote_state_consumers.consumer_id = any(${body})`;
    note({ consumers: body });
  },
});

/** Every workspace of the list must be one of this organization that the caller may read, and not itself; all are held. */
async function checkConsumers(context: Context<Workspace, string[]>, isAdding: boolean): Promise<void> {
  const { sql, actor, subject, body: ids, faults } = context;
  if (subject.global_remote_state) throw new ApiError('state-shared-with-all');
  const readable = await namedWorkspaces(sql, actor, { organization_id: subject.organization_id }, ids);
  ids.forEach((id, position) => {
    const reason = isAdding && id === subject.id ? ownState : objection(id, readable);
    if (reason) faults.push(consumerFault(position, reason));
  });
}

const ownState = 'A workspace cannot be a consumer of its own state.';

/** One that is hidden reads as one that does not exist (§5.5). */
function objection(id: string, readable: ReadonlySet<string>): string | null {
  return readable.has(id) ? null : `Workspace "${id}" does not exist in this organization.`;
}

function consumerFault(position: number, reason: string): Fault {
  return faultAt('invalid-document', `/data/${position}/id`, { reason });
}

async function add(sql: Sql, subject: Workspace, ids: readonly string[]): Promise<void> {
  await sql`
    insert into remote_state_consumers (workspace_id, consumer_id)
    select ${subject.id}, workspaces.id from workspaces
    where workspaces.id = any(${ids as string[]})
    order by workspaces.id
    on conflict do nothing`;
}
