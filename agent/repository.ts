/** The files of one commit, as git fetches them: that commit alone, without its history where the host allows it. */
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { type Control, runCommand } from './engine-process.ts';
import { basic, type Git, type GitPlaces } from './git.ts';
import { FetchError, faultOf } from './git-faults.ts';
import type { Confinement } from './isolation.ts';
import { remembering } from './log.ts';
import type { IngressDescription } from './protocol.ts';
import { diskOf } from './usage.ts';

/** A fetch under way, with everything in hand. */
export interface GitBench {
  job: IngressDescription;
  git: Git;
  places: GitPlaces;
  environment: Record<string, string>;
  confinement: Confinement;
  steering: Control;
  /** When everything must be done. */
  end_ms: number;
}

export interface Commit {
  sha: string;
  message: string;
  branch: string | null;
  on_default_branch: boolean | null;
}

/** Of what a command printed. */
const answer_bytes = 1024 * 1024;
const fetchedName = 'refs/terrane/fetched';
const branchName = 'refs/terrane/branch';

/** Leaves the files of the commit in their place. Throws FetchError. */
export async function fetchCommit(bench: GitBench): Promise<Commit> {
  const { commit, url } = bench.job;
  await runGit(bench, ['init', '--quiet', '.']);
  await runGit(bench, ['remote', 'add', 'origin', url]);
  const head = await headOf(bench);
  if (head.sha === null && !commit.sha && !commit.tag && !commit.branch) {
    throw new FetchError('commit_not_found', 'The repository is empty: its default branch has no commit.');
  }
  const branch = commit.branch ?? (commit.tag === null ? head.branch : null);
  const sha = await fetched(bench, branch);
  await requireRoom(bench);
  await runGit(bench, ['checkout', '--quiet', '--force', '--detach', sha]);
  await requireRoom(bench);
  const message = await answerOf(bench, ['log', '-1', '--format=%B', sha]);
  const isKnown = branch !== null && head.branch !== null;
  return { sha, message: message.trim(), branch, on_default_branch: isKnown ? branch === head.branch : null };
}

/** Where the host points those who ask for no branch. */
async function headOf(bench: GitBench): Promise<{ branch: string | null; sha: string | null }> {
  const said = await answerOf(bench, ['ls-remote', '--quiet', '--symref', 'origin', 'HEAD']);
  return {
    branch: /^ref: refs\/heads\/(\S+)\tHEAD$/m.exec(said)?.[1] ?? null,
    sha: /^([0-9a-f]{40,64})\tHEAD$/m.exec(said)?.[1] ?? null,
  };
}

/** Returns the commit's sha. Some hosts give out what a branch or a tag points to, and no other commit by its name. */
async function fetched(bench: GitBench, branch: string | null): Promise<string> {
  const { commit } = bench.job;
  const named = commit.tag === null ? (branch === null ? 'HEAD' : `refs/heads/${branch}`) : `refs/tags/${commit.tag}`;
  try {
    await fetchInto(bench, commit.sha ?? named, fetchedName, ['--depth=1']);
  } catch (error) {
    if (commit.sha === null || !(error instanceof FetchError && error.fault === 'commit_not_found')) throw error;
    await fetchInto(bench, named, branchName, []);
    if (!(await hasCommit(bench, commit.sha))) throw error;
    return commit.sha;
  }
  return (await answerOf(bench, ['rev-parse', '--verify', `${fetchedName}^{commit}`])).trim();
}

const fetchInto = (bench: GitBench, from: string, into: string, more: readonly string[]) =>
  runGit(bench, ['fetch', '--quiet', '--no-tags', '--force', ...more, 'origin', `${from}:${into}`]);

const hasCommit = (bench: GitBench, sha: string) =>
  runGit(bench, ['cat-file', '-e', `${sha}^{commit}`]).then(
    () => true,
    () => false,
  );

/** What a command prints, as far as anybody reads on. */
export async function answerOf(bench: GitBench, parameters: readonly string[]): Promise<string> {
  return (await beginningOf(bench, parameters, {})).text;
}

/** All that a command prints, for what is judged before it is followed: of a part, the rest would not be. Throws FetchError. */
export async function wholeAnswerOf(
  bench: GitBench,
  parameters: readonly string[],
  given: Pick<Given, 'directory' | 'allowed'>,
): Promise<string> {
  const { text, isWhole } = await beginningOf(bench, parameters, given);
  if (isWhole) return text;
  throw new FetchError('too_large', `What git says of it takes more than ${answer_bytes / 1024 ** 2} MiB.`);
}

async function beginningOf(
  bench: GitBench,
  parameters: readonly string[],
  given: Given,
): Promise<{ text: string; isWhole: boolean }> {
  const into = join(bench.places.reports, 'answer');
  await runGit(bench, parameters, { ...given, into });
  const file = await open(into);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(answer_bytes), 0, answer_bytes, 0);
    return { text: buffer.toString('utf8', 0, bytesRead), isWhole: bytesRead < answer_bytes };
  } finally {
    await file.close();
  }
}

interface Given {
  /** Where its output goes; else nobody reads it. */
  into?: string | undefined;
  /** A file that it reads. */
  from?: string | undefined;
  directory?: string | undefined;
  /** Codes with which it ends besides 0. */
  allowed?: readonly number[] | undefined;
}

/** Throws FetchError. */
export async function runGit(
  bench: GitBench,
  parameters: readonly string[],
  { into, from, directory = bench.places.configuration, allowed = [] }: Given = {},
): Promise<void> {
  const { git, environment, confinement, steering, end_ms, job } = bench;
  const timeout_ms = Math.max(1000, end_ms - Date.now());
  const command = { path: git.path, parameters, directory, environment, confinement };
  const said = remembering(null);
  const { code, excess } = await runCommand(from === undefined ? command : reading(command, from), said.log, {
    steering,
    timeout_ms,
    ...(into !== undefined && { into }),
  });
  if (steering.interruption() !== null) {
    throw new FetchError('failed', 'The agent had to stop before the repository was fetched.');
  }
  if (excess === 'time')
    throw new FetchError('timed_out', `It took longer than it may, ${job.timeout_s} seconds for all of it.`);
  if (excess !== null) throw new FetchError('too_large', tooLarge(confinement, excess));
  if (code === 0 || (code !== null && allowed.includes(code))) return;
  throw faultOf(said.text(), code, secretsOf(job));
}

const reading = <One extends { path: string; parameters: readonly string[] }>(command: One, file: string) => ({
  ...command,
  path: '/bin/sh',
  parameters: ['-c', 'from="$1"; shift; exec "$@" < "$from"', 'sh', file, command.path, ...command.parameters],
});

/** Between two commands: a short one is over before anybody has looked what it writes. */
export async function requireRoom({ confinement }: GitBench): Promise<void> {
  const { writable, disk_bytes } = confinement;
  if (disk_bytes !== null && (await diskOf(writable, disk_bytes + 1)) > disk_bytes) {
    throw new FetchError('too_large', tooLarge(confinement, 'disk'));
  }
}

function tooLarge({ disk_bytes, memory_bytes }: Confinement, excess: 'memory' | 'disk'): string {
  const mebibytes = (bytes: number | null) => `${Math.floor((bytes ?? 0) / 1024 ** 2)} MiB`;
  if (excess === 'disk')
    return `The repository takes more of the disk than one may take of this agent, ${mebibytes(disk_bytes)}.`;
  return `To fetch the repository takes more memory than it may take of this agent, ${mebibytes(memory_bytes)} (TERRANE_RUN_MEMORY).`;
}

/** Also in the form in which they are sent. */
export function secretsOf({ login, ssh_key }: IngressDescription): string[] {
  const ofLogin = login ? [login.password, basic(login), basic(login).slice('Basic '.length)] : [];
  return [...ofLogin, ...(ssh_key === null ? [] : [ssh_key])];
}
