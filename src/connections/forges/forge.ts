/**
 * What Terrane asks of a host of code: whether a delivery is really its own, what happened, how to clone, and how to tell what
 * became of a commit. Values in, values out: whoever calls does the asking, through `core/outbound.ts`.
 */
import type { ServiceProvider } from './providers.ts';

/** What came to a webhook's address. Names of headers in lower case. */
export interface Delivery {
  headers: Readonly<Record<string, string | undefined>>;
  /** As it was sent: signatures are over these bytes. */
  body: Buffer;
}

export interface RepositoryEvent {
  kind: 'push' | 'tag' | 'pull-request';
  /** As `vcs-repo.identifier` names it. */
  repository: string;
  /** The branch that was pushed, or that a pull request is to change; null of a tag. */
  branch: string | null;
  /** Null where the delivery does not say: see `defaultBranch`. */
  default_branch: string | null;
  tag: string | null;
  /** In full. Null where the delivery has a part of it only: the head of `branch`, or of the pull request's own branch. */
  commit_sha: string | null;
  /** What the commit is compared with: the one before a push, the base of a pull request. Null of new branches and tags. */
  base_sha: string | null;
  commit_message: string | null;
  commit_url: string | null;
  compare_url: string | null;
  /** Paths that changed; null where the delivery does not say, or not all of them: see `changedFiles`. */
  changed_files: string[] | null;
  sender: Sender | null;
  pull_request: PullRequest | null;
}

export interface Sender {
  username: string;
  avatar_url: string | null;
  html_url: string | null;
}

export interface PullRequest {
  number: number;
  title: string;
  body: string | null;
  url: string | null;
  head_branch: string;
  /** Its commits come from another repository, whose writers may be anybody. */
  is_fork: boolean;
}

export interface Connection {
  service_provider: ServiceProvider;
  http_url: string;
  api_url: string;
  token: string;
}

export interface Clone {
  url: string;
  username: string;
  password: string;
}

export interface CommitStatus {
  state: 'pending' | 'running' | 'succeeded' | 'failed' | 'canceled';
  /** Names the status among those of the commit; a later one of the same name takes its place. */
  context: string;
  description: string;
  /** Where people see more. */
  url: string;
  sha: string;
  repository: string;
}

export interface ForgeRequest {
  method: 'GET' | 'POST';
  url: string;
  headers: Record<string, string>;
  body?: string;
}

/** What can be asked of a forge, and what its answer means: null where it says nothing, or not all. */
export interface Question<Answer> {
  request: ForgeRequest;
  read(answer: unknown): Answer | null;
}

export interface Forge {
  /** Over the raw bytes, in a time that tells nothing of the secret. */
  isSigned(delivery: Delivery, secret: string): boolean;
  /** Null where there is none: the hash of the body is the id then. */
  deliveryId(delivery: Delivery): string | null;
  /**
   * One for each branch and tag that a run may follow from, none where nothing follows. Only of signed deliveries.
   * Throws MalformedDelivery.
   */
  read(delivery: Delivery): RepositoryEvent[];
  clone(connection: Connection, identifier: string): Clone;
  /** What git takes for a clone with a deploy key. */
  sshAddress(connection: Connection, identifier: string): string;
  /** For events whose delivery did not say. Null where the forge cannot be asked. */
  changedFiles(connection: Connection, event: RepositoryEvent): Question<string[]> | null;
  defaultBranch(connection: Connection, repository: string): Question<string> | null;
  /** Null where the forge keeps no statuses. */
  status(connection: Connection, status: CommitStatus): ForgeRequest | null;
}

/** A delivery that is signed, and yet not what its forge documents. The message says what is wrong, and quotes nothing of it. */
export class MalformedDelivery extends Error {}
