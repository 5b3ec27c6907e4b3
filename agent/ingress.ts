/** A configuration on its way from a repository to the server: fetched, packed, sent, and what was found out reported. */
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Control, control } from './engine-process.ts';
import { type GitPlaces, settleGit } from './git.ts';
import { FetchError } from './git-faults.ts';
import { beat, type Workshop } from './job.ts';
import { pack, readmeOf } from './pack.ts';
import type { Handed, IngressDescription, IngressReport } from './protocol.ts';
import { fetchCommit, type GitBench } from './repository.ts';
import { RefusedError } from './server.ts';
import { fetchSubmodules } from './submodules.ts';

/** A clone holds the files twice, once packed. Where the agent gives a run less, so does it to a fetch. */
const disk_bytes = 2 * 1024 ** 3;
const sending_ms = 600_000;
const longestMessage = 10_000;
const longestReason = 2000;

/** Resolves when the job is reported, or nobody wants its report any more. */
export async function carryOutIngress(
  workshop: Workshop,
  { token }: Handed,
  onStart: (job: IngressDescription, steering: Control) => void,
): Promise<void> {
  const { server } = workshop;
  const job: IngressDescription | null = await server.ask('POST', '/ingress/start', token).catch(error => {
    if (error instanceof RefusedError) return null;
    throw error;
  });
  if (!job) return;
  const steering = control();
  onStart(job, steering);
  const beating = beat(server, token, steering, '/ingress/beat');
  try {
    const report = await worked(workshop, job, token, steering);
    if (!steering.isKilled()) await server.ask('POST', '/ingress/finish', token, { json: report });
  } catch (error) {
    if (!(error instanceof RefusedError && error.isOver)) throw error;
  } finally {
    beating.abort();
  }
}

/** Everything up to the report. */
async function worked(
  workshop: Workshop,
  job: IngressDescription,
  token: string,
  steering: Control,
): Promise<IngressReport> {
  const places = placesOf(workshop.directory, job);
  try {
    const bench = await furnish(workshop, job, places, steering);
    const commit = await fetchCommit(bench);
    if (job.with_submodules) await fetchSubmodules(bench);
    const archive = await pack(bench);
    const readme = await readmeOf(bench);
    await workshop.server.ask('PUT', '/ingress/content', token, {
      content: { file: archive },
      timeout_ms: sending_ms,
    });
    return { outcome: 'finished', ...commit, message: cut(commit.message, longestMessage), readme };
  } catch (error) {
    if (error instanceof RefusedError && error.isOver) throw error;
    const fault = error instanceof FetchError ? error.fault : 'failed';
    return { outcome: 'errored', error: fault, reason: cut((error as Error).message, longestReason) };
  } finally {
    await rm(places.root, { recursive: true, force: true });
  }
}

/** A pair of which one half is left is no character. */
const cut = (text: string, most: number) => Buffer.from(text.slice(0, most)).toString('utf8');

function placesOf(directory: string, { configuration_version }: IngressDescription): GitPlaces {
  const root = join(directory, configuration_version);
  const place = (name: string) => join(root, name);
  return {
    root,
    configuration: place('configuration'),
    home: place('home'),
    temporary: place('tmp'),
    files: place('files'),
    reports: place('reports'),
  };
}

async function furnish(
  workshop: Workshop,
  job: IngressDescription,
  places: GitPlaces,
  steering: Control,
): Promise<GitBench> {
  const { git, inherited, isolation, memory_bytes, readable } = workshop;
  if (!git) throw new FetchError('failed', 'The agent has no git that it can fetch with.');
  await rm(places.root, { recursive: true, force: true });
  for (const place of Object.values(places)) await mkdir(place, { recursive: true, mode: 0o700 });
  const certificates = [inherited['SSL_CERT_FILE'], ...(inherited['SSL_CERT_DIR'] ?? '').split(':')];
  return {
    job,
    git,
    places,
    steering,
    environment: await settleGit(job, places, inherited),
    end_ms: Date.now() + job.timeout_s * 1000,
    confinement: {
      isolation,
      writable: [places.configuration, places.home, places.temporary, places.files],
      temporary: places.temporary,
      readable: [git.path, ...certificates, ...readable].filter(path => !!path) as string[],
      memory_bytes,
      disk_bytes: Math.min(disk_bytes, workshop.disk_bytes ?? disk_bytes),
    },
  };
}
