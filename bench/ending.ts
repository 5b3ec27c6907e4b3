/** How a process that was started here ends: within a bound, whatever became of it before. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

const endLimit_ms = 60_000;

export const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null;

/** Asks it to end, and ends it by force where it does not; the exit code, or null where a signal ended it. */
export async function end(child: ChildProcess, signal: NodeJS.Signals, limit_ms = endLimit_ms): Promise<number | null> {
  if (hasEnded(child)) return child.exitCode;
  const exit = once(child, 'exit');
  child.kill(signal);
  const force = setTimeout(() => child.kill('SIGKILL'), limit_ms);
  const [code] = await exit;
  clearTimeout(force);
  return code;
}
