/** §3 Locks that were given an end: once it has come, one of the servers unlocks the workspace. */
import type { SystemActor } from '../../core/audit/change.ts';
import { type RepeatLog, repeat } from '../../core/repeat.ts';
import { newId } from '../../core/store/ids.ts';
import type { Sql, Store } from '../../core/store/store.ts';
import { recordEvent } from '../../organizations/audit/record.ts';
import { promoteIntermediate } from './current-state.ts';
import type { WhenUnlocked } from './lock.ts';

const interval_ms = 2000;
const batchSize = 100;

const actor: SystemActor = { kind: 'system', userId: 'lock-leases', username: 'Lock leases', tokenId: null };

interface Options {
  onFault?: (fault: unknown, workspaceId: string) => void;
}

/** Ends the locks whose time has come, a batch at most. Any number of servers may do so at once. Returns how many it ended. */
export async function endLeases(
  store: Store,
  whenUnlocked: WhenUnlocked,
  { onFault = () => undefined }: Options = {},
): Promise<number> {
  const due = await store.read<{ id: string }[]>`
    select workspaces.id from workspaces
    where workspaces.locked and workspaces.lock_expires_at <= clock_timestamp()
    order by workspaces.lock_expires_at, workspaces.id limit ${batchSize}`;
  let ended = 0;
  for (const { id } of due) {
    try {
      if (await store.transaction(sql => endLease(sql, id, whenUnlocked))) ended += 1;
    } catch (fault) {
      // One workspace that fails keeps no other one waiting.
      onFault(fault, id);
    }
  }
  return ended;
}

interface Ended {
  id: string;
  organization_id: string;
  name: string;
  locked_reason: string;
  locked_by_type: string;
  locked_by_id: string;
  lock_expires_at: string;
}

/** As a force-unlock, but that nobody asked for it. False where another server, or the holder, was faster. */
async function endLease(sql: Sql, id: string, whenUnlocked: WhenUnlocked): Promise<boolean> {
  const [held] = await sql<Ended[]>`
    select workspaces.id, workspaces.organization_id, workspaces.name, workspaces.locked_reason,
      workspaces.locked_by_type, workspaces.locked_by_id, workspaces.lock_expires_at
    from workspaces
    where workspaces.id = ${id} and workspaces.locked and workspaces.lock_expires_at <= clock_timestamp()
    for update skip locked`;
  if (!held) return false;
  await sql`
    update workspaces
    set locked = false, locked_reason = null, locked_by_type = null, locked_by_id = null, locked_at = null,
      lock_expires_at = null, revision = default
    where workspaces.id = ${id}`;
  await promoteIntermediate(sql, id);
  await whenUnlocked(sql, id);
  await record(sql, held);
  return true;
}

async function record(sql: Sql, held: Ended): Promise<void> {
  await recordEvent(sql, {
    operation: 'workspaces.end-lock-lease',
    actor,
    subject: { id: held.id, organization_id: held.organization_id, name: held.name },
    result: null,
    notes: {
      locked: [true, false],
      locked_reason: [held.locked_reason, null],
      locked_by_type: [held.locked_by_type, null],
      locked_by_id: [held.locked_by_id, null],
      lock_expires_at: [held.lock_expires_at, null],
    },
    requestId: newId('job'),
    remoteAddress: null,
  });
}

/** Looks every two seconds until the returned function is called, which resolves behind the last batch. */
export function startLeases(store: Store, whenUnlocked: WhenUnlocked, log: RepeatLog): () => Promise<void> {
  const failure = 'a lock past its end stays';
  const onFault = (err: unknown, workspace: string) => log.warn({ err, workspace }, failure);
  return repeat(interval_ms, () => endLeases(store, whenUnlocked, { onFault }), log, failure);
}
