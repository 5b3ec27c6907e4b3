/** What an engine does in a plan and in an apply, and what is made of its outcome. */
import { randomBytes } from 'node:crypto';
import { access, constants, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Bench, isLeft, JobError } from './bench.ts';
import { type Ended, runCommand } from './engine-process.ts';
import { type JobLog, remembering } from './log.ts';
import { assessmentOf, countsInLog, countsOf, redactedPlan } from './plan-output.ts';
import type { ArtifactName, JobDescription, Report } from './protocol.ts';
import type { Excess } from './watch.ts';

const initLimit_ms = 600_000;
const showLimit_ms = 600_000;
const hookLimit_ms = 600_000;
const lockName = '.terraform.lock.hcl';
const generatedName = 'terrane_generated.tf';

export async function planPhase(bench: Bench): Promise<Report> {
  const { job, places } = bench;
  await hook(bench, 'pre-plan');
  await init(bench);
  const plan = join(places.files, 'plan');
  const ended = await engine(bench, planParameters(job, plan, join(places.files, 'terraform.tfvars')), bench.log);
  await hook(bench, 'post-plan');
  // With -detailed-exitcode, 2 says that there is something to apply.
  if (ended.code !== 0 && ended.code !== 2) return failed(bench, ended, 'The plan failed');
  if (bench.steering.interruption() === 'canceled') return { outcome: 'canceled' };
  if (!(await isLeft(plan, places.files))) throw new JobError('The engine left no plan.');
  const [json, schemas] = [join(places.reports, 'plan.json'), join(places.reports, 'schemas.json')];
  await quiet(bench, ['show', '-json', plan], json);
  await quiet(bench, ['providers', 'schema', '-json'], schemas);
  const document = JSON.parse(await readFile(json, 'utf8'));
  if (job.is_assessment) {
    await leave(bench, 'json', json);
    await leave(bench, 'schemas', schemas);
    return { outcome: 'finished', has_changes: ended.code === 2, assessment: assessmentOf(document) };
  }
  const redacted = redactedPlan(document, JSON.parse(await readFile(schemas, 'utf8')), randomBytes(32).toString('hex'));
  const redactedFile = join(places.reports, 'redacted.json');
  await writeFile(redactedFile, JSON.stringify(redacted), { mode: 0o600 });
  const generated = join(places.working, generatedName);
  const isGenerated = job.allow_config_generation && (await isLeft(generated, places.configuration));
  // All of it is there before anybody is told that there is a plan.
  await leave(bench, 'plan', plan);
  await leave(bench, 'json', json);
  await leave(bench, 'redacted', redactedFile);
  const lock = join(places.working, lockName);
  if (await isLeft(lock, places.configuration)) await leave(bench, 'lock', lock);
  if (isGenerated) await leave(bench, 'generated', generated);
  return {
    outcome: 'finished',
    has_changes: ended.code === 2,
    generated_configuration: isGenerated,
    ...countsOf(document),
  };
}

export async function applyPhase(bench: Bench): Promise<Report> {
  const { job, places, server, token } = bench;
  const plan = join(places.files, 'plan');
  const fetched = async (name: ArtifactName, into: string) =>
    server.ask('GET', `/job/artifacts/${name}`, token, { into }).catch(() => {
      throw new JobError(`The file ${name} of the plan is not there any more.`);
    });
  await fetched('plan', plan);
  await fetched('lock', join(places.working, lockName)).catch(() => undefined);
  if (job.allow_config_generation)
    await fetched('generated', join(places.working, generatedName)).catch(() => undefined);
  await hook(bench, 'pre-apply');
  await init(bench);
  const summary = remembering(bench.log);
  const parameters = ['apply', '-input=false', '-lock=false', '-auto-approve', ...form(job), plan];
  const ended = await engine(bench, parameters, summary.log);
  await keepErroredState(bench);
  const counts = countsInLog(summary.text());
  await hook(bench, 'post-apply');
  if (ended.code !== 0) return { ...failed(bench, ended, 'The apply failed'), ...counts };
  return { outcome: 'finished', ...counts };
}

const form = ({ is_structured }: JobDescription) => (is_structured ? ['-json'] : []);

function planParameters(job: JobDescription, plan: string, variables: string): string[] {
  return [
    'plan',
    '-input=false',
    '-lock=false',
    '-detailed-exitcode',
    `-out=${plan}`,
    `-var-file=${variables}`,
    ...form(job),
    ...(job.is_destroy ? ['-destroy'] : []),
    ...(job.refresh_only ? ['-refresh-only'] : []),
    ...(job.refresh ? [] : ['-refresh=false']),
    ...(job.allow_config_generation ? [`-generate-config-out=${generatedName}`] : []),
    ...job.target_addrs.map(address => `-target=${address}`),
    ...job.replace_addrs.map(address => `-replace=${address}`),
    ...job.invoke_action_addrs.map(address => `-invoke=${address}`),
  ];
}

/** Its output is shown only where it failed: readers of a log want the plan. */
async function init(bench: Bench): Promise<void> {
  const output = remembering(null);
  const ended = await engine(bench, ['init', '-input=false', '-no-color'], output.log, initLimit_ms);
  if (ended.code === 0) return;
  bench.log.write(output.text());
  throw new JobError(reasonOf(bench, ended, 'The initialization failed'));
}

/** The document that a command prints, into a file. */
async function quiet(bench: Bench, parameters: string[], into: string): Promise<void> {
  const { steering } = bench;
  const said = remembering(null);
  const command = { ...ground(bench), path: bench.engine.path, parameters };
  const { code } = await runCommand(command, said.log, { steering, timeout_ms: showLimit_ms, into });
  if (code !== 0) throw new JobError(`The plan cannot be shown: ${said.text()}`);
}

/** Where every command of a job runs, and what is around it. */
const ground = ({ places, environment, confinement }: Bench) => ({
  directory: places.working,
  environment,
  confinement,
});

async function engine(
  bench: Bench,
  parameters: string[],
  log: JobLog,
  most_ms = Number.POSITIVE_INFINITY,
): Promise<Ended> {
  const {
    engine: { path },
    steering,
    end_ms,
  } = bench;
  const timeout_ms = Math.max(1000, Math.min(end_ms - Date.now(), most_ms, 2 ** 31 - 1));
  const ended = await runCommand({ ...ground(bench), path, parameters }, log, { steering, timeout_ms });
  // What lies there counts as the run's, and the next one would have no room either.
  if (ended.excess === 'disk') await rm(bench.providerCache, { recursive: true, force: true });
  return ended;
}

function failed(bench: Bench, ended: Ended, what: string): Report {
  const reason = reasonOf(bench, ended, what);
  if (ended.excess) bench.log.write(`\n${reason}\n`);
  return { outcome: bench.steering.interruption() === 'canceled' ? 'canceled' : 'errored', reason };
}

function reasonOf(bench: Bench, { code, excess }: Ended, what: string): string {
  const { steering } = bench;
  if (excess) return `${what}: ${inWords(bench, excess)}`;
  if (steering.interruption() === 'canceled') return 'It was interrupted because somebody canceled the run.';
  if (steering.interruption()) return `${what}: it was interrupted because the agent had to stop.`;
  return code === null ? `${what}: its process was ended by a signal.` : `${what}: the engine ended with ${code}.`;
}

function inWords({ job, confinement }: Bench, excess: Excess): string {
  const mebibytes = (bytes: number | null) => `${(bytes ?? 0) / 1024 ** 2} MiB`;
  if (excess === 'time') return `it took longer than it may, ${job.timeout_s} seconds for all of it.`;
  if (excess === 'memory')
    return `it took more memory than a run may take of this agent, ${mebibytes(confinement.memory_bytes)} (TERRANE_RUN_MEMORY).`;
  return `it wrote more than a run may write on the disk of this agent, ${mebibytes(confinement.disk_bytes)} (TERRANE_RUN_DISK).`;
}

async function leave({ server, token }: Bench, name: ArtifactName, file: string): Promise<void> {
  await server.ask('PUT', `/job/artifacts/${name}`, token, { content: { file }, timeout_ms: 600_000 });
}

/** The engine writes it where its state could not be saved: without it nobody knows what was made. */
async function keepErroredState({ places, server, job, log }: Bench): Promise<void> {
  const file = join(places.working, 'errored.tfstate');
  if (job.errored_state_url === null || !(await isLeft(file, places.configuration))) return;
  if ((await stat(file)).size === 0) return;
  await server.ask('PUT', job.errored_state_url, null, { content: { file }, timeout_ms: 600_000 });
  log.write(
    '\nThe state could not be saved. It is kept as the errored state of this apply: push it to the workspace.\n',
  );
}

/** An executable of the operator, before and behind the engine; that it fails makes the job fail. */
async function hook(bench: Bench, moment: 'pre-plan' | 'post-plan' | 'pre-apply' | 'post-apply'): Promise<void> {
  const { hooksDirectory, steering, log } = bench;
  if (hooksDirectory === undefined) return;
  const path = join(hooksDirectory, `terraform-${moment}`);
  const isThere = await access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
  if (!isThere) return;
  const command = { ...ground(bench), path, parameters: [] };
  const { code } = await runCommand(command, log, { steering, timeout_ms: hookLimit_ms });
  if (code !== 0) throw new JobError(`The hook terraform-${moment} of the agent failed: it ended with ${code}.`);
}
