/** §3, §4.4 Lock, unlock and force-unlock: 200 with the workspace. */

import { policy } from '../../access/policy.ts';
import { type Actor, type Holder, holderOf } from '../../core/access/actor.ts';
import { ApiError, type ErrorName } from '../../core/errors.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import type { Sql } from '../../core/store/store.ts';
import { teamRecords } from '../../people/teams/team.ts';
import { userRecords } from '../../people/users/user.ts';
import type { Workspace } from './attributes.ts';
import { latestIntermediateStatus, promoteIntermediate } from './current-state.ts';
import { leaseFaults, lockBody } from './lock-body.ts';
import { changed, workspaceById } from './rows.ts';
import { workspaces } from './workspace.ts';

export const lockWorkspace = endpoint({
  operation: 'workspaces.lock',
  section: '§3',
  summary: 'Lock a workspace',
  method: 'POST',
  paths: ['/workspaces/:workspace_id/actions/lock'],
  subject: workspaceById,
  needs: policy['workspace:lock'],
  goesAhead: true,
  body: lockBody,
  answer: { status: 200, document: workspaces, reads: workspaceById },
  isForRuns: true,
  errors: ['workspace-locked-already'],
  check: ({ body, faults }) => void faults.push(...leaseFaults(body, Date.now())),
  handle: async ({ sql, actor, subject, body }) => {
    if (isHeldByRunOf(actor, subject)) return;
    const held = lock(lockOf(subject), holderOf(actor), body.reason, body.expiresAt);
    return writeLock(sql, subject, requireState(held));
  },
});

/** What else happens in the transaction that opens a lock: a run that waited for it takes the workspace. */
export type WhenUnlocked = (sql: Sql, workspaceId: string) => Promise<void>;

export const unlockWorkspace = (whenUnlocked: WhenUnlocked) =>
  endpoint({
    operation: 'workspaces.unlock',
    section: '§3',
    summary: 'Unlock a workspace that the caller locked',
    method: 'POST',
    paths: ['/workspaces/:workspace_id/actions/unlock'],
    subject: workspaceById,
    needs: policy['workspace:unlock'],
    goesAhead: true,
    answer: { status: 200, document: workspaces, reads: workspaceById },
    isForRuns: true,
    errors: ['workspace-not-locked', 'workspace-locked-by-other', 'state-version-pending'],
    handle: async ({ sql, actor, subject }) => {
      if (isHeldByRunOf(actor, subject)) return;
      const latest = await latestIntermediateStatus(sql, subject.id);
      const outcome = unlock(lockOf(subject), holderOf(actor), latest);
      const values = outcome === 'workspace-locked-by-other' ? await holderNamed(sql, actor, subject) : {};
      await writeLock(sql, subject, requireState(outcome, values));
      await promoteIntermediate(sql, subject.id);
    },
    // Only then: the answer is the workspace as its caller leaves it, unlocked.
    follow: ({ sql, subject }) => whenUnlocked(sql, subject.id),
  });

export const forceUnlockWorkspace = (whenUnlocked: WhenUnlocked) =>
  endpoint({
    operation: 'workspaces.force-unlock',
    section: '§3',
    summary: 'Unlock a workspace, whoever locked it',
    method: 'POST',
    paths: ['/workspaces/:workspace_id/actions/force-unlock'],
    subject: workspaceById,
    needs: policy['workspace:force-unlock'],
    goesAhead: true,
    answer: { status: 200, document: workspaces, reads: workspaceById },
    errors: ['workspace-not-locked'],
    handle: async ({ sql, subject }) => {
      await writeLock(sql, subject, requireState(forceUnlock(lockOf(subject))));
      await promoteIntermediate(sql, subject.id);
    },
    // Only then: the answer is the workspace as its caller leaves it, unlocked.
    follow: ({ sql, subject }) => whenUnlocked(sql, subject.id),
  });

/** Null is open. */
export type LockState = { holder: Holder; reason: string; expiresAt: string | null } | null;

/** §3, first and second row. */
export function lock(
  state: LockState,
  caller: Holder,
  reason: string,
  expiresAt: string | null = null,
): LockState | ErrorName {
  if (state === null) return { holder: caller, reason, expiresAt };
  return 'workspace-locked-already';
}

/** §3, third to sixth row. `latest` is the status of the latest intermediate state version. */
export function unlock(state: LockState, caller: Holder, latest: string | null): LockState | ErrorName {
  if (state === null) return 'workspace-not-locked';
  if (!isSame(state.holder, caller)) return 'workspace-locked-by-other';
  if (latest !== null && latest !== 'finalized') return 'state-version-pending';
  return null;
}

/** §3, seventh and eighth row. */
export function forceUnlock(state: LockState): LockState | ErrorName {
  if (state === null) return 'workspace-not-locked';
  return null;
}

/** What works for the run that holds the lock finds it its own, and leaves it to the run. */
function isHeldByRunOf(actor: Actor, workspace: Workspace): boolean {
  const state = lockOf(workspace);
  return actor.run !== undefined && state !== null && isSame(state.holder, holderOf(actor));
}

function isSame(one: Holder, other: Holder): boolean {
  return one.type === other.type && one.id === other.id;
}

function lockOf(workspace: Workspace): LockState {
  if (!workspace.locked) return null;
  const holder = { type: workspace.locked_by_type, id: workspace.locked_by_id } as Holder;
  return { holder, reason: workspace.locked_reason as string, expiresAt: workspace.lock_expires_at };
}

/** The state that the rules come to. Throws their refusal. */
function requireState(outcome: LockState | ErrorName, values: Record<string, string> = {}): LockState {
  if (typeof outcome === 'string') throw new ApiError(outcome, values);
  return outcome;
}

/** The row is held since it was found, so the condition says what is known: it lets no second change through. */
async function writeLock(sql: Sql, workspace: Workspace, next: LockState): Promise<Workspace> {
  const update = sql`
    update workspaces
    set locked = ${next !== null}, locked_reason = ${next?.reason ?? null},
      locked_by_type = ${next?.holder.type ?? null}, locked_by_id = ${next?.holder.id ?? null},
      locked_at = ${next ? sql`clock_timestamp()` : null}, lock_expires_at = ${next?.expiresAt ?? null},
      revision = default
    where workspaces.id = ${workspace.id} and workspaces.locked = ${next === null}`;
  const after = await changed(sql, workspace, update);
  if (!after) throw new Error('The lock changed while its row was held.');
  return after;
}

/** Who holds the lock, in the words that clients look for. A name only where the caller may see whose it is. */
async function holderNamed(sql: Sql, actor: Actor, workspace: Workspace): Promise<Record<string, string>> {
  const { type, id } = lockOf(workspace)!.holder;
  if (type === 'runs') return { kind: 'Run', holder: id };
  if (type === 'teams') {
    const [team] = await teamRecords.load(sql, actor, [id]);
    return { kind: 'Team', holder: team?.name ?? id };
  }
  const [user] = await userRecords.load(sql, actor, [id]);
  return { kind: 'User', holder: user?.username ?? id };
}
