// Ends what a killed server left behind: the postmaster that nobody watches any more, or backends without a postmaster.
import { execFile } from 'node:child_process';
import { readdir, readFile, readlink, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

/**
 * Ends every PostgreSQL process that works in the directory (its real path) and removes the pid and socket files, whose
 * process ids may belong to strangers by now. Only the holder of the directory's lock may call it. Returns how many ended.
 */
export async function endLeftovers(directory: string): Promise<number> {
  const found = await postgresProcesses(directory);
  const postmaster = await recordedPostmaster(directory);
  const steps: { signal: NodeJS.Signals; to: (pid: number) => boolean; patience_ms: number }[] = [
    { signal: 'SIGINT', to: pid => pid === postmaster, patience_ms: found.includes(postmaster) ? 10_000 : 0 },
    { signal: 'SIGQUIT', to: () => true, patience_ms: 3_000 },
    { signal: 'SIGKILL', to: () => true, patience_ms: 5_000 },
  ];
  let left = found;
  for (const step of steps) {
    for (const pid of left) if (step.to(pid)) sendSignal(pid, step.signal);
    const deadline = Date.now() + step.patience_ms;
    while (left.length > 0 && Date.now() < deadline) {
      await sleep(20);
      left = await postgresProcesses(directory);
    }
    if (left.length === 0) break;
  }
  if (left.length > 0) throw new Error(`PostgreSQL processes ${left.join(', ')} of ${directory} cannot be ended.`);
  for (const name of ['postmaster.pid', '.s.PGSQL.5432', '.s.PGSQL.5432.lock']) {
    await rm(join(directory, name), { force: true });
  }
  return found.length;
}

/** A PostgreSQL process is known by its working directory, which is always its data directory. */
export async function postgresProcesses(directory: string): Promise<number[]> {
  if (process.platform !== 'linux') return postmastersByCommand(directory);
  const pids = (await readdir('/proc')).filter(name => /^\d+$/.test(name));
  const matches = await Promise.all(
    pids.map(async pid => {
      try {
        if ((await readlink(`/proc/${pid}/cwd`)) !== directory) return false;
        return (await readFile(`/proc/${pid}/comm`, 'utf8')).startsWith('postgres');
      } catch {
        return false; // It has ended, or it belongs to somebody else and so cannot be ours.
      }
    }),
  );
  return pids.filter((_, index) => matches[index]).map(Number);
}

async function postmastersByCommand(directory: string): Promise<number[]> {
  const { stdout } = await promisify(execFile)('ps', ['-axo', 'pid=,command=']);
  const lines = stdout.split('\n').filter(line => line.includes(`postgres -D ${directory} `));
  return lines.map(line => Number.parseInt(line, 10));
}

async function recordedPostmaster(directory: string): Promise<number> {
  const text = await readFile(join(directory, 'postmaster.pid'), 'utf8').catch(() => '');
  return Number.parseInt(text, 10) || 0;
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
