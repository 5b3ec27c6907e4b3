/** What is in hand while a job is worked on. */
import { access } from 'node:fs/promises';
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

export async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
