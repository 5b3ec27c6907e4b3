/** What is in hand while a job is worked on. */
import { access, lstat, realpath } from 'node:fs/promises';
import { sep } from 'node:path';
import type { Control } from './engine-process.ts';
import type { InstalledEngine } from './engines.ts';
import type { Confinement } from './isolation.ts';
import type { JobLog } from './log.ts';
import type { JobDescription } from './protocol.ts';
import type { Server } from './server.ts';
import type { Places } from './settings.ts';

/** A job under way, with everything in hand. */
export interface Bench {
  job: JobDescription;
  token: string;
  server: Server;
  engine: InstalledEngine;
  places: Places;
  environment: Record<string, string>;
  confinement: Confinement;
  /** Kept for the next run of the workspace. */
  providerCache: string;
  log: JobLog;
  steering: Control;
  hooksDirectory: string | undefined;
  /** When everything must be done. */
  end_ms: number;
}

/** A reason that people are to read in the log. */
export class JobError extends Error {}

/**
 * Whether a command left a file there. A link that leads out of the directory is none: whoever follows it does so from
 * outside of the walls. Nothing of the run is at work between two commands, so that it stays as it was found.
 */
export async function isLeft(path: string, directory: string): Promise<boolean> {
  try {
    const real = await realpath(path);
    return real.startsWith(`${await realpath(directory)}${sep}`) && (await lstat(real)).isFile();
  } catch {
    return false;
  }
}

export async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
