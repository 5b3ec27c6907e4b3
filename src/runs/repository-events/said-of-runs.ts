/** What a commit's host is told of its fetch and its run, in the words of every host. Pure. */
import type { CommitStatus } from '../../connections/forges/forge.ts';
import { is, type RunStatus } from '../queue/statuses.ts';

export interface CommitAsItStands {
  /** Of the configuration version. */
  version_status: string;
  /** Of its run; null while there is none. */
  status: RunStatus | null;
  /** Of its plan; null while there is none. */
  additions: number | null;
  changes: number | null;
  destructions: number | null;
}

const ends: Partial<Record<RunStatus, Pick<CommitStatus, 'state' | 'description'>>> = {
  errored: { state: 'failed', description: 'The run has failed' },
  policy_soft_failed: { state: 'failed', description: 'A policy ended the run' },
  discarded: { state: 'canceled', description: 'The run was discarded' },
  canceled: { state: 'canceled', description: 'The run was canceled' },
  force_canceled: { state: 'canceled', description: 'The run was canceled' },
};

export function saidOf(commit: CommitAsItStands): Pick<CommitStatus, 'state' | 'description'> {
  if (commit.status !== null) return saidOfRun({ ...commit, status: commit.status });
  if (commit.version_status !== 'errored')
    return { state: 'pending', description: 'The configuration is being fetched' };
  return { state: 'failed', description: 'The configuration could not be fetched' };
}

function saidOfRun(run: CommitAsItStands & { status: RunStatus }): Pick<CommitStatus, 'state' | 'description'> {
  const end = ends[run.status];
  if (end) return end;
  if (run.status === 'applied') return { state: 'succeeded', description: `Applied. ${planOf(run)}` };
  if (is(run.status, 'final')) return { state: 'succeeded', description: planOf(run) };
  if (is(run.status, 'confirmable'))
    return { state: 'pending', description: `${planOf(run)}. Somebody has to confirm it` };
  if (is(run.status, 'rests')) return { state: 'pending', description: 'Somebody has to decide' };
  if (is(run.status, 'waits')) return { state: 'pending', description: 'The run waits for its turn' };
  return { state: 'running', description: 'The run is under way' };
}

function planOf({ additions, changes, destructions }: CommitAsItStands): string {
  const counts = [additions ?? 0, changes ?? 0, destructions ?? 0] as const;
  if (counts.every(count => count === 0)) return 'Plan: no changes';
  return `Plan: ${counts[0]} to add, ${counts[1]} to change, ${counts[2]} to destroy`;
}
