/** §4.2 What an event of a repository begins in a workspace that is linked to it: a run, a plan, or nothing, and why. Pure. */
import { RE2JS } from 're2js';
import type { RepositoryEvent } from '../../connections/forges/forge.ts';
import { limits } from '../../core/limits.ts';
import type { Triggers } from '../../workspaces/workspaces/triggers.ts';
import { type Changes, watchedChange } from './watched-paths.ts';

/** What a workspace says of its repository, and what has become of it. */
export interface Listener extends Triggers {
  /** Empty: the default branch. */
  branch: string;
  tags_regex: string | null;
  working_directory: string | null;
  queue_all_runs: boolean;
  speculative_enabled: boolean;
  execution_mode: 'remote' | 'agent' | 'local';
  /** Whether a run was ever begun in it. */
  has_run: boolean;
}

export interface Decision {
  begins: 'run' | 'speculative run' | null;
  /** One sentence for whoever asks why a push began nothing, or something. */
  reason: string;
}

const nothing = (reason: string): Decision => ({ begins: null, reason });

/** @param defaultBranch of the repository; null where nobody has said it yet */
export function decide(event: RepositoryEvent, listener: Listener, defaultBranch: string | null): Decision {
  if (listener.execution_mode === 'local') return nothing('its execution mode is local: it keeps state only');
  const kindly = ofKind(event, listener, defaultBranch);
  if (kindly.begins === null) return kindly;
  if (!listener.queue_all_runs && !listener.has_run) {
    return nothing('queue-all-runs is false, and nobody has begun a first run by hand yet');
  }
  return kindly;
}

function ofKind(event: RepositoryEvent, listener: Listener, defaultBranch: string | null): Decision {
  switch (event.kind) {
    case 'tag':
      return ofTag(event.tag ?? '', listener);
    case 'push':
      return ofPush(event, listener, defaultBranch);
    case 'pull-request':
      return ofPullRequest(event, listener, defaultBranch);
  }
}

/** The expression may match any part of the tag, as the vendor's examples want. */
function ofTag(tag: string, { tags_regex }: Listener): Decision {
  if (tags_regex === null) return nothing('tags begin runs where tags-regex is set, and it is not');
  if (!RE2JS.compile(tags_regex).matcher(tag).find()) return nothing(`the tag ${tag} does not match its tags-regex`);
  return { begins: 'run', reason: `the tag ${tag} matches its tags-regex` };
}

function ofPush(event: RepositoryEvent, listener: Listener, defaultBranch: string | null): Decision {
  if (listener.tags_regex !== null) return nothing('its tags-regex is set: tags begin its runs, and branches do not');
  const stranger = otherBranch(event.branch, listener, defaultBranch);
  if (stranger) return nothing(stranger);
  return ofFiles('run', event, listener);
}

function ofPullRequest(event: RepositoryEvent, listener: Listener, defaultBranch: string | null): Decision {
  if (!listener.speculative_enabled) return nothing('its speculative-enabled is false');
  if (event.pull_request?.is_fork !== false) {
    return nothing('the pull request comes from a fork, whose code would see what the workspace keeps secret');
  }
  const stranger = otherBranch(event.branch, listener, defaultBranch);
  if (stranger) return nothing(stranger);
  return ofFiles('speculative run', event, listener);
}

function otherBranch(branch: string | null, listener: Listener, defaultBranch: string | null): string | null {
  const wanted = listener.branch || defaultBranch;
  if (wanted === null) {
    return 'it follows the default branch, and which one that is nobody has said yet: name it in vcs-repo.branch';
  }
  return branch === wanted ? null : `it follows the branch ${wanted}, and this is ${branch ?? 'none'}`;
}

function ofFiles(begins: 'run' | 'speculative run', { changed_files }: Changes, listener: Listener): Decision {
  const { file_triggers_enabled, trigger_prefixes, trigger_patterns, working_directory } = listener;
  if (!file_triggers_enabled) return { begins, reason: 'its file-triggers-enabled is false: every push counts' };
  const watched = watchedChange(
    { prefixes: trigger_prefixes, patterns: trigger_patterns, workingDirectory: working_directory },
    changed_files,
    limits.watchedPathSteps_items.value,
  );
  return watched.counts ? { begins, reason: watched.reason } : nothing(watched.reason);
}
