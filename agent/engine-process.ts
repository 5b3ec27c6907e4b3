/** A process of an engine or a hook, behind its walls: asked to stop, and ended with everything it started. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { bubbleParameters, type Confinement, kernelLimits } from './isolation.ts';
import type { JobLog } from './log.ts';
import { innermostNumber, processesOf } from './usage.ts';
import { type Excess, watchUsage } from './watch.ts';

export interface Command {
  path: string;
  parameters: readonly string[];
  directory: string;
  environment: Readonly<Record<string, string>>;
  confinement: Confinement;
}

export interface Ended {
  /** Null where a signal ended it. */
  code: number | null;
  /** What it took more of than it may. */
  excess: Excess | null;
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
  /** Registers what runs now. */
  hold: (running: Running) => void;
}

interface Running {
  child: ChildProcess;
  /** Asks the engine alone: it tells its providers and provisioners itself, and waits for them. */
  interrupt: () => void;
}

export function control(): Control {
  let running: Running | undefined;
  let interruption: Interruption | null = null;
  let isKilled = false;
  return {
    interrupt: why => {
      if (interruption !== null) return;
      interruption = why;
      running?.interrupt();
    },
    kill: () => {
      isKilled = true;
      if (running) killGroup(running.child);
    },
    interruption: () => interruption,
    isKilled: () => isKilled,
    hold: started => {
      running = started;
      if (isKilled) killGroup(started.child);
      else if (interruption) started.interrupt();
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
  const running = start(command);
  const { child, interrupt } = running;
  steering.hold(running);
  let excess: Excess | null = null;
  let late: NodeJS.Timeout | undefined;
  const exceeds = (what: Excess, isFar: boolean) => {
    if (isFar) killGroup(child);
    if (excess !== null) return;
    excess = what;
    interrupt();
    late = setTimeout(() => killGroup(child), grace_ms);
  };
  const timer = setTimeout(() => exceeds('time', false), timeout_ms);
  const watching = watchUsage(child.pid, command.confinement, exceeds);
  // What it started and left behind ends with it; else it could hold the output open for ever.
  child.once('exit', () => killGroup(child));
  try {
    const exit = once(child, 'close') as Promise<[number | null]>;
    const outputs = [
      into === undefined ? copy(child.stdout!, log) : pipeline(child.stdout!, createWriteStream(into, { mode: 0o600 })),
      copy(child.stderr!, log),
    ];
    const [[code]] = await Promise.all([exit, ...outputs]);
    return { code: isOfSignal(code, command) ? null : code, excess };
  } finally {
    clearTimeout(timer);
    clearTimeout(late);
    watching.end();
    killGroup(child);
  }
}

/** Bubblewrap ends with 128 and the number of the signal that ended what ran within. */
const isOfSignal = (code: number | null, { confinement }: Command) =>
  code !== null && code > 128 && confinement.isolation.bubblewrap !== null;

function start(command: Command): Running {
  const { path, parameters, directory, environment, confinement } = command;
  const { bubblewrap } = confinement.isolation;
  const limited = (words: string) => ['-c', `${kernelLimits(confinement)}; exec ${words}`, 'sh'];
  // In a group and a session of its own: no signal and no terminal of the agent's reaches it.
  const common = { cwd: directory, detached: true } as const;
  if (process.platform !== 'linux') {
    const child = spawn(path, parameters, { ...common, env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
    return { child, interrupt: () => void child.kill('SIGINT') };
  }
  if (bubblewrap === null) {
    const shell = [...limited('"$@"'), path, ...parameters];
    const child = spawn('/bin/sh', shell, { ...common, env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
    return { child, interrupt: () => void child.kill('SIGINT') };
  }
  const shell = [...limited('"$@"'), bubblewrap, '--args', '3', '--', path, ...parameters];
  const child = spawn('/bin/sh', shell, { ...common, env: {}, stdio: ['ignore', 'pipe', 'pipe', 'pipe'] });
  const walls = child.stdio[3] as Writable;
  // Where it cannot begin, its end says so.
  walls.on('error', () => undefined);
  walls.end(
    bubbleParameters(confinement, directory, environment)
      .map(one => `${one}\0`)
      .join(''),
  );
  // Where it cannot be asked, it is ended when its patience is over.
  return { child, interrupt: () => void interruptWithin(child).catch(() => undefined) };
}

const look_ms = 50;

/** Bubblewrap passes no signal on: the one that runs within is asked itself, as soon as it is there. */
async function interruptWithin(child: ChildProcess): Promise<void> {
  while (child.exitCode === null && child.signalCode === null && child.pid !== undefined) {
    // The first is bubblewrap's own, and reaps what nobody waits for.
    const inner = processesOf(child.pid).find(pid => pid !== child.pid && innermostNumber(pid) === 2);
    if (inner !== undefined) {
      signal(inner, 'SIGINT');
      return;
    }
    await sleep(look_ms);
  }
}

async function copy(stream: NodeJS.ReadableStream, log: JobLog | null): Promise<void> {
  for await (const piece of stream) {
    log?.write(piece as Buffer);
    await log?.room();
  }
}

function killGroup({ pid }: ChildProcess): void {
  if (pid !== undefined) signal(-pid, 'SIGKILL');
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended.
  }
}
