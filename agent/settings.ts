/** What an engine finds around it: its configuration, its backend and its environment, and nothing of the agent's. */
import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JobDescription } from './protocol.ts';
import { quoted, tfvars } from './variables.ts';

/** The places of one job. Both phases of a run have the same, so that absolute paths in a plan still hold. */
export interface Places {
  /** Removed when the job is over. */
  root: string;
  configuration: string;
  /** Where the engine runs. */
  working: string;
  home: string;
  temporary: string;
  /** What the engine reads besides its configuration, and the plan that it writes. */
  files: string;
  /** What the agent makes of the plan: no run writes there. */
  reports: string;
}

export function placesOf(directory: string, { run, working_directory }: JobDescription): Places {
  const root = join(directory, run);
  const configuration = join(root, 'configuration');
  const working = join(configuration, working_directory);
  if (working !== configuration && !working.startsWith(`${configuration}/`)) {
    throw new Error(`The working directory ${JSON.stringify(working_directory)} lies outside of the configuration.`);
  }
  const place = (name: string) => join(root, name);
  return {
    root,
    configuration,
    working,
    home: place('home'),
    temporary: place('tmp'),
    files: place('files'),
    reports: place('reports'),
  };
}

/** The name is behind all that people write: of several overrides the last one counts. */
const overrideName = 'zzzz_terrane_override.tf.json';

/** Writes everything that the engine reads besides the configuration. Returns its environment. */
export async function settle(
  job: JobDescription,
  places: Places,
  { address, passage, inherited, providerCache, commonSettings }: Surroundings,
): Promise<Record<string, string>> {
  const settings = join(places.files, 'engine.tfrc');
  const host = new URL(address).host;
  const cloud = { hostname: host, organization: job.organization, workspaces: { name: job.workspace.name } };
  await mkdir(providerCache, { recursive: true, mode: 0o700 });
  // What nobody has used for long is removed by this.
  await utimes(providerCache, new Date(), new Date());
  await Promise.all([
    writeFile(join(places.working, overrideName), JSON.stringify({ terraform: { cloud } })),
    writeFile(settings, engineSettings(job, { address, passage, providerCache, commonSettings }), { mode: 0o600 }),
    writeFile(join(places.files, 'terraform.tfvars'), tfvars(job.variables), { mode: 0o600 }),
    ...(job.ssh_key === null
      ? []
      : [writeFile(join(places.files, 'ssh-key'), withLineEnd(job.ssh_key), { mode: 0o600 })]),
  ]);
  const given = job.variables.filter(({ category }) => category === 'env').map(({ key, value }) => [key, value]);
  return {
    ...inherited,
    ...Object.fromEntries(given),
    HOME: places.home,
    TMPDIR: places.temporary,
    TF_CLI_CONFIG_FILE: settings,
    TF_FORCE_LOCAL_BACKEND: '1',
    TF_IN_AUTOMATION: '1',
    TF_INPUT: '0',
    CHECKPOINT_DISABLE: '1',
    ...(job.is_debugging && { TF_LOG: 'TRACE' }),
    ...(job.ssh_key !== null && { GIT_SSH_COMMAND: sshCommand(places) }),
    ...identity(job),
  };
}

export interface Surroundings {
  /** Where the agent reaches the server. */
  address: string;
  /** Where its engines do, as they are told. */
  passage: string;
  /** What engines take over from the agent's own environment. */
  inherited: Readonly<Record<string, string>>;
  providerCache: string;
  /** Settings of the operator for all engines, such as mirrors of providers. */
  commonSettings: string;
}

export const withLineEnd = (text: string) => (text.endsWith('\n') ? text : `${text}\n`);

export function sshCommand({ files, home }: Pick<Places, 'files' | 'home'>, more: readonly string[] = []): string {
  const options = [
    'IdentitiesOnly=yes',
    'StrictHostKeyChecking=accept-new',
    `UserKnownHostsFile=${join(home, 'known_hosts')}`,
    ...more,
  ];
  return ['ssh', '-i', join(files, 'ssh-key'), ...options.flatMap(one => ['-o', one])].join(' ');
}

const services = ['state.v2', 'tfe.v2', 'tfe.v2.1', 'tfe.v2.2'];

/** Under each name by which the server is known: configurations name the public one. */
function engineSettings(
  job: JobDescription,
  { address, passage, providerCache, commonSettings }: Omit<Surroundings, 'inherited'>,
): string {
  const hosts = new Set([job.public_url, address].map(one => new URL(one).host));
  const blocks = [...hosts].flatMap(host => [
    `credentials ${quoted(host)} {`,
    `  token = ${quoted(job.token)}`,
    '}',
    `host ${quoted(host)} {`,
    '  services = {',
    ...services.map(name => `    ${quoted(name)} = ${quoted(`${passage}/api/v2/`)}`),
    '  }',
    '}',
  ]);
  const common = [commonSettings, `plugin_cache_dir = ${quoted(providerCache)}`, 'disable_checkpoint = true'];
  return [...common, ...blocks, ''].join('\n');
}

/** What configurations and scripts ask about the run that they are part of; also as variables of the same names. */
function identity(job: JobDescription): Record<string, string> {
  const names = {
    TFC_RUN_ID: job.run,
    TFC_WORKSPACE_ID: job.workspace.id,
    TFC_WORKSPACE_NAME: job.workspace.name,
    TFC_WORKSPACE_SLUG: `${job.organization}/${job.workspace.name}`,
    TFC_PROJECT_NAME: job.project,
    TFC_CONFIGURATION_VERSION_GIT_BRANCH: job.commit.branch ?? '',
    TFC_CONFIGURATION_VERSION_GIT_COMMIT_SHA: job.commit.sha ?? '',
    TFC_CONFIGURATION_VERSION_GIT_TAG: job.commit.tag ?? '',
  };
  const asVariables = Object.entries(names).map(([name, value]) => [`TF_VAR_${name}`, value]);
  // Engines look for an agent of at least 1.10 before they take import blocks; state versions name the run by TFE_RUN_ID.
  return { ...names, ...Object.fromEntries(asVariables), TFE_RUN_ID: job.run, TFC_AGENT_VERSION: '1.24.0' };
}
