/** A process of an engine or a hook, in a group of its own: asked to stop, and ended with everything it started. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { JobLog } from './log.ts';

export interface Command {
  path: string;
  parameters: readonly string[];
  directory: string;
  environment: Readonly<Record<string, string>>;
}

export interface Ended {
  /** Null where a signal ended it. */
  code: number | null;
  isTimedOut: boolean;
}

/** Somebody canceled the run, or the agent itself has to stop. */
export type Interruption = 'canceled' | 'stopped';

/** What may be asked of whatever runs at the moment. */
export interface Control {
  /** Asked to stop as soon as it can: it saves what it has. */
  interrupt: (why: Interruption) => void;
  kill: () => void;
  /** Null while nobody asked. */
  interruption: () => Interruption | null;
  isKilled: () => boolean;
  /** Registers the process that runs now. */
  hold: (child: ChildProcess) => void;
}

export function control(): Control {
  let child: ChildProcess | undefined;
  let interruption: Interruption | null = null;
  let isKilled = false;
  return {
    interrupt: why => {
      if (interruption !== null) return;
      interruption = why;
      // The engine alone: it tells its providers and provisioners itself, and waits for them.
      child?.kill('SIGINT');
    },
    kill: () => {
      isKilled = true;
      if (child) killGroup(child);
    },
    interruption: () => interruption,
    isKilled: () => isKilled,
    hold: started => {
      child = started;
      if (isKilled) killGroup(started);
      else if (interruption) started.kill('SIGINT');
    },
  };
}

/** From the time to stop until the end of patience. */
const grace_ms = 60_000;

/** Runs it to its end. Its output goes to the log, or its standard output into a file. */
export async function runCommand(
  command: Command,
  log: JobLog | null,
  { steering, timeout_ms, into }: { steering: Control; timeout_ms: number; into?: string },
): Promise<Ended> {
  const child = spawn(command.path, command.parameters, {
    cwd: command.directory,
    env: { ...command.environment },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  steering.hold(child);
  let isTimedOut = false;
  const late = setTimeout(() => {
    isTimedOut = true;
    child.kill('SIGINT');
    late2 = setTimeout(() => killGroup(child), grace_ms);
  }, timeout_ms);
  let late2: NodeJS.Timeout | undefined;
  // What it started and left behind ends with it; else it could hold the output open for ever.
  child.once('exit', () => killGroup(child));
  try {
    const exit = once(child, 'close') as Promise<[number | null]>;
    const outputs = [
      into === undefined ? copy(child.stdout!, log) : pipeline(child.stdout!, createWriteStream(into, { mode: 0o600 })),
      copy(child.stderr!, log),
    ];
    const [[code]] = await Promise.all([exit, ...outputs]);
    return { code, isTimedOut };
  } finally {
    clearTimeout(late);
    clearTimeout(late2);
    killGroup(child);
  }
}

async function copy(stream: NodeJS.ReadableStream, log: JobLog | null): Promise<void> {
  for await (const piece of stream) {
    log?.write(piece as Buffer);
    await log?.room();
  }
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Nobody of the group is left.
  }
}
