/** Commands of Terrane as operators call them: waited for, or broken off on the way. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Postgres } from './postgres.ts';
import { atExit } from './processes.ts';
import type { Told } from './program.ts';
import { environmentOf, ownProgram } from './server.ts';

export interface Command {
  kill: (signal: NodeJS.Signals) => void;
  /** Resolves with the exit code; null where a signal ended it. */
  ended: Promise<number | null>;
  /** Waits so long for its end at the most. */
  isOver: (most_ms: number) => Promise<boolean>;
  output: () => string;
  errors: () => string;
  /** How long it ran, its processor time, and its greatest memory, as last looked at a moment before its end. */
  seconds: () => number;
  processor_s: () => number;
  memory_mb: () => number;
}

const look_ms = 100;

/** Starts a command on the database. */
export function run(postgres: Postgres, told: Told, parameters: string[]): Command {
  const begun_ms = performance.now();
  const child = spawn(process.execPath, ['--enable-source-maps', told.program ?? ownProgram, ...parameters], {
    env: environmentOf(postgres, 0, told),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [output, errors, ended_ms] = ['', '', Number.NaN];
  let used = { memory_mb: 0, processor_s: 0 };
  child.stdout.on('data', chunk => (output += chunk));
  child.stderr.on('data', chunk => (errors += chunk));
  const timer = setInterval(() => (used = usedBy(child.pid!) ?? used), look_ms);
  const ended = once(child, 'close').then(([code]) => {
    clearInterval(timer);
    ended_ms = performance.now();
    return code as number | null;
  });
  atExit(() => void child.kill('SIGKILL'));
  return {
    kill: signal => void child.kill(signal),
    ended,
    isOver: most_ms => Promise.race([ended.then(() => true), sleep(most_ms, false)]),
    output: () => output,
    errors: () => errors,
    seconds: () => ((Number.isNaN(ended_ms) ? performance.now() : ended_ms) - begun_ms) / 1000,
    processor_s: () => used.processor_s,
    memory_mb: () => used.memory_mb,
  };
}

/** Runs a command on the database, and returns what it printed. Throws where it ends other than expected. */
export async function command(
  postgres: Postgres,
  told: Told,
  parameters: string[],
  expected: readonly number[] = [0],
): Promise<string> {
  const one = run(postgres, told, parameters);
  const code = await one.ended;
  if (code === null || !expected.includes(code))
    throw new Error(`terrane ${parameters[0]} ended with ${code}: ${one.errors()}`);
  return one.output();
}

function usedBy(pid: number): { memory_mb: number; processor_s: number } | null {
  try {
    const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    // One that has just ended has none.
    if (kilobytes === undefined) return null;
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ');
    // Fields 14 and 15 of the line, user and system time, in hundredths of a second.
    return { memory_mb: Number(kilobytes) / 1024, processor_s: (Number(fields[11]) + Number(fields[12])) / 100 };
  } catch {
    return null;
  }
}
