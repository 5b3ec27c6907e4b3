/** One job from its start to its report: everything is fetched, the engine runs, and what it left goes to the server. */
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Bench, exists, JobError } from './bench.ts';
import { platform } from './download.ts';
import { type Control, control } from './engine-process.ts';
import type { Git } from './git.ts';
import type { Confinement, Isolation } from './isolation.ts';
import { type JobLog, jobLog } from './log.ts';
import type { Engines } from './obtain.ts';
import { openPassage, type Passage } from './passage.ts';
import { applyPhase, planPhase } from './phases.ts';
import {
  type Beat,
  beatInterval_ms,
  type Handed,
  type JobDescription,
  type LogLength,
  type Report,
} from './protocol.ts';
import { RefusedError, type Server } from './server.ts';
import { type Places, placesOf, settle } from './settings.ts';
import { unpack } from './unpack.ts';

/** What all jobs of an agent have in common. */
export interface Workshop {
  address: string;
  server: Server;
  engines: Engines;
  /** Null without one that will do: the agent fetches nothing then. */
  git: Git | null;
  /** Jobs have their places here. */
  directory: string;
  inherited: Readonly<Record<string, string>>;
  commonSettings: string;
  hooksDirectory: string | undefined;
  isolation: Isolation;
  /** What runs may read of this machine besides its programs. */
  readable: readonly string[];
  /** Of one run; null without a limit. */
  memory_bytes: number | null;
  disk_bytes: number | null;
}

/** Resolves when the job is reported, or nobody wants its report any more. `stop` interrupts it. */
export async function carryOut(
  workshop: Workshop,
  { token }: Handed,
  slot: number,
  onStart: (job: JobDescription, steering: Control) => void,
): Promise<void> {
  const { server } = workshop;
  const job: JobDescription | null = await server.ask('POST', '/job/start', token).catch(error => {
    if (error instanceof RefusedError) return null;
    throw error;
  });
  if (!job) return;
  const steering = control();
  onStart(job, steering);
  const beating = beat(server, token, steering);
  const log = logOf(server, token, job, steering);
  try {
    const report = await worked(workshop, job, token, slot, log, steering);
    await log.close();
    if (!steering.isKilled()) await server.ask('POST', '/job/finish', token, { json: report });
  } catch (error) {
    if (!(error instanceof RefusedError && error.isOver)) throw error;
  } finally {
    beating.abort();
    await log.close();
  }
}

/** Everything up to the report; what goes wrong is said in the log. */
async function worked(
  workshop: Workshop,
  job: JobDescription,
  token: string,
  slot: number,
  log: JobLog,
  steering: Control,
): Promise<Report> {
  let places: Places | undefined;
  let passage: Passage | undefined;
  try {
    log.write(preamble(workshop, job));
    places = placesOf(workshop.directory, job);
    passage = await openPassage(workshop.address, job.public_url);
    const bench = await furnish(workshop, job, token, slot, places, passage, log, steering);
    return job.phase === 'plan' ? await planPhase(bench) : await applyPhase(bench);
  } catch (error) {
    if (error instanceof RefusedError && error.isOver) throw error;
    const reason = (error as Error).message;
    log.write(`\n${reason}\n`);
    return { outcome: steering.interruption() === 'canceled' ? 'canceled' : 'errored', reason: reason.slice(0, 4096) };
  } finally {
    passage?.close();
    if (places) await rm(places.root, { recursive: true, force: true });
  }
}

/** Clients drop the first three lines of a log unseen, whatever they say. */
function preamble({ engines }: Workshop, { engine_version }: JobDescription): string {
  const name = engines.nameOf(engine_version) === 'tofu' ? 'OpenTofu' : 'Terraform';
  return `${name} v${engine_version}\non ${platform()}\nInitializing plugins and modules...\n`;
}

async function furnish(
  workshop: Workshop,
  job: JobDescription,
  token: string,
  slot: number,
  places: Places,
  passage: Passage,
  log: JobLog,
  steering: Control,
): Promise<Bench> {
  const { server, engines, directory } = workshop;
  const engine = await engines.of(job.engine_version);
  await rm(places.root, { recursive: true, force: true });
  for (const place of [places.root, places.home, places.temporary, places.files, places.reports]) {
    await mkdir(place, { recursive: true, mode: 0o700 });
  }
  const archive = join(places.reports, 'configuration.tar.gz');
  await server.ask('GET', '/job/configuration', token, { into: archive }).catch(error => {
    if (error instanceof RefusedError && error.status === 404)
      throw new JobError('The configuration is not there any more.');
    throw error;
  });
  await unpack(archive, places.configuration);
  if (!(await exists(places.working))) {
    throw new JobError(`The configuration has no directory ${JSON.stringify(job.working_directory)}.`);
  }
  const providerCache = join(directory, 'providers', `${job.workspace.id}-${slot}`);
  const environment = await settle(job, places, { ...workshop, passage: passage.origin, providerCache });
  const end_ms = Date.now() + job.timeout_s * 1000;
  const { hooksDirectory } = workshop;
  const confinement = confinementOf(workshop, places, providerCache, engine.path);
  const around = { places, environment, confinement, providerCache, hooksDirectory };
  return { job, token, server, engine, log, steering, end_ms, ...around };
}

function confinementOf(workshop: Workshop, places: Places, providerCache: string, engine: string): Confinement {
  const { isolation, hooksDirectory, inherited, memory_bytes, disk_bytes } = workshop;
  // Of the environment that engines take over, these are paths.
  const certificates = [inherited['SSL_CERT_FILE'], ...(inherited['SSL_CERT_DIR'] ?? '').split(':')];
  const readable = [engine, hooksDirectory, ...certificates, ...workshop.readable].filter(path => !!path);
  return {
    isolation,
    // Each for itself: a run replaces none of them by a link that the agent would follow.
    writable: [places.configuration, places.home, places.temporary, places.files, providerCache],
    temporary: places.temporary,
    readable: readable as string[],
    memory_bytes,
    disk_bytes,
  };
}

/** Gives signs of life until aborted, and passes on what the server wants. */
export function beat(server: Server, token: string, steering: Control, path = '/job/beat'): AbortController {
  const stopped = new AbortController();
  const ask = async () => {
    while (!stopped.signal.aborted) {
      try {
        const { signal }: Beat = await server.ask('POST', path, token, { timeout_ms: 10_000, patience_ms: 0 });
        obey(signal, steering);
      } catch (error) {
        if (error instanceof RefusedError && error.isOver) return void steering.kill();
      }
      await sleep(beatInterval_ms, undefined, { signal: stopped.signal }).catch(() => undefined);
    }
  };
  void ask();
  return stopped;
}

function obey(signal: Beat['signal'], steering: Control): void {
  if (signal === 'interrupt') steering.interrupt('canceled');
}

function logOf(server: Server, token: string, job: JobDescription, steering: Control): JobLog {
  const send = async (offset: number, content: Buffer): Promise<LogLength> => {
    const answer: LogLength = await server.ask('PATCH', `/job/log?offset=${offset}`, token, { content });
    obey(answer.signal, steering);
    return answer;
  };
  const secrets = job.variables.filter(({ sensitive }) => sensitive).map(({ value }) => value);
  const keys = job.ssh_key === null ? [] : [job.ssh_key];
  return jobLog(send, [...secrets, ...keys, job.token], job.log_limit_bytes);
}
