/** What agents and the server say to each other: docs/agent-protocol.md in types. Both sides share this file and nothing else. */

export const protocolPath = '/api/agent/v1';

/** The longest that a claim waits for a job before it is answered that there is none. */
export const longestWait_s = 25;
/** How often an agent gives a sign of life for a job, and is told what to do with it. */
export const beatInterval_ms = 3000;

export type EngineName = 'terraform' | 'tofu';

export interface Engine {
  name: EngineName;
  version: string;
}

/** What an agent says of itself when it signs in with the token of its pool. */
export interface Registration {
  name?: string | null;
  engines: Engine[];
  /** The version of its git; null or absent where it has none that it can fetch with. */
  git?: string | null;
}

export interface Registered {
  agent: string;
  /** Opens everything else; it is shown once. */
  secret: string;
}

/** A phase of a run that is to be executed, or a configuration that is to be fetched from its repository. */
export type JobKind = 'run' | 'ingress';

/** A job that was taken. Nothing has begun: it goes to another agent unless it is started in time. */
export interface Handed {
  job: string;
  kind: JobKind;
  /** Opens this job alone. */
  token: string;
}

export interface JobVariable {
  key: string;
  value: string;
  category: 'terraform' | 'env';
  /** Whether the value is an expression; else it is text. */
  hcl: boolean;
  sensitive: boolean;
}

/** Everything that a phase is made of, but for its files. */
export interface JobDescription {
  job: string;
  phase: 'plan' | 'apply';
  run: string;
  organization: string;
  project: string;
  workspace: { id: string; name: string };
  /** The exact version to execute. */
  engine_version: string;
  working_directory: string;
  is_destroy: boolean;
  refresh: boolean;
  refresh_only: boolean;
  allow_config_generation: boolean;
  /** Whether nobody applies it: only what has changed outside is wanted. */
  is_assessment: boolean;
  is_debugging: boolean;
  target_addrs: string[];
  replace_addrs: string[];
  invoke_action_addrs: string[];
  variables: JobVariable[];
  ssh_key: string | null;
  commit: { branch: string | null; sha: string | null; tag: string | null };
  /** Whether the log is to be one JSON object a line. */
  is_structured: boolean;
  /** What the engine itself signs in with. */
  token: string;
  /** Where people and configurations reach the server: an absolute address. */
  public_url: string;
  timeout_s: number;
  log_limit_bytes: number;
  /** Takes a state that could not be saved, also when the job is over. Null in a plan. */
  errored_state_url: string | null;
}

/** A configuration that is to be fetched from its repository. */
export interface IngressDescription {
  job: string;
  configuration_version: string;
  workspace: { id: string; name: string };
  /** By https or ssh, without a name and a password of anybody. */
  url: string;
  /** Goes to the host of `url` alone. Null where the repository is read by ssh. */
  login: { username: string; password: string } | null;
  ssh_key: string | null;
  /** Without a commit the head of the branch, or of the tag, is meant; without any of them that of the repository. */
  commit: { branch: string | null; sha: string | null; tag: string | null };
  with_submodules: boolean;
  /** Where a README is looked for before it is looked for at the root. */
  working_directory: string;
  /** What the name of the host stands for, as it was judged: nothing else is connected to. Null where nobody judges it. */
  addresses: string[] | null;
  timeout_s: number;
  /** Of the archive. */
  content_limit_bytes: number;
  readme_limit_bytes: number;
}

/** Why nothing was fetched, in one word; `IngressReport` has the sentence. */
export const ingressFaults = [
  'commit_not_found',
  'failed',
  'not_allowed',
  'not_found',
  'timed_out',
  'too_large',
  'unreachable',
] as const;
export type IngressFault = (typeof ingressFaults)[number];

/** What was found out about the commit whose files are there by then, or why there are none. */
export type IngressReport =
  | {
      outcome: 'finished';
      sha: string;
      message: string;
      branch: string | null;
      on_default_branch: boolean | null;
      readme: string | null;
    }
  | { outcome: 'errored'; error: IngressFault; reason: string };

/** Files that belong to a run, by the names under which both phases and readers find them. */
export const artifactNames = ['plan', 'lock', 'json', 'redacted', 'generated', 'schemas'] as const;
export type ArtifactName = (typeof artifactNames)[number];

/** What an assessment counts: instances of resources, and checks of the configuration. */
export interface AssessmentCounts {
  resources_drifted: number;
  resources_undrifted: number;
  checks_passed: number;
  checks_failed: number;
  checks_errored: number;
  checks_unknown: number;
}

export interface Report {
  outcome: 'finished' | 'errored' | 'canceled';
  has_changes?: boolean;
  resource_additions?: number;
  resource_changes?: number;
  resource_destructions?: number;
  resource_imports?: number;
  /** Whether configuration was generated. */
  generated_configuration?: boolean;
  assessment?: AssessmentCounts;
  /** One sentence, where it did not finish. */
  reason?: string;
}

/** What somebody wants of a job under way: `interrupt` asks the engine to stop as soon as it can. */
export interface Beat {
  signal: 'interrupt' | null;
}

/** How much of the log has arrived: the offset at which the next piece begins. */
export interface LogLength extends Beat {
  length: number;
}
