/** GitHub and GitHub Enterprise: webhooks `push` and `pull_request`, the REST API in its version 3. */
import { Type } from 'typebox';
import { below, dotGit, hostOf, pathOf } from './addresses.ts';
import type { CommitStatus, Connection, Delivery, Forge, Question, RepositoryEvent } from './forge.ts';
import {
  answerOf,
  changedIn,
  changing,
  commitOrNull,
  eventOf,
  headerId,
  isNoCommit,
  line,
  link,
  maybe,
  paths,
  readerOf,
  reference,
  senderOf,
  sha,
  text,
  word,
} from './reading.ts';
import { asks, bearer, described, tells } from './requests.ts';
import { isHmacSigned } from './signatures.ts';

/** Older servers list this many commits of a push and no more, and do not say that there are others. */
const listedCommits_items = 20;
/** A comparison lists this many files and no more. */
const comparedFiles_items = 300;

export const repository = Type.Object({
  full_name: word,
  default_branch: maybe(word),
  html_url: maybe(Type.String()),
});

export const account = Type.Object({
  login: maybe(Type.String()),
  avatar_url: maybe(Type.String()),
  html_url: maybe(Type.String()),
});

export const headCommit = Type.Object({ id: sha, message: maybe(Type.String()), url: maybe(Type.String()) });

const readPush = readerOf(
  Type.Object({
    ref: word,
    before: sha,
    after: sha,
    forced: maybe(Type.Boolean()),
    compare: maybe(Type.String()),
    head_commit: maybe(headCommit),
    commits: maybe(Type.Array(Type.Object(changing))),
    repository,
    sender: maybe(account),
  }),
);

const readPullRequest = readerOf(
  Type.Object({
    action: word,
    number: Type.Integer({ minimum: 1, maximum: 2 ** 31 - 1 }),
    /** What an edit changed: its base is another branch then. */
    changes: maybe(Type.Object({ base: Type.Optional(Type.Unknown()) })),
    pull_request: Type.Object({
      title: Type.String(),
      body: maybe(Type.String()),
      html_url: maybe(Type.String()),
      head: Type.Object({ ref: word, sha, repo: maybe(Type.Object({ full_name: word })) }),
      base: Type.Object({ ref: word, sha }),
    }),
    repository,
    sender: maybe(account),
  }),
);

export const github: Forge = {
  isSigned: (delivery, secret) => isHmacSigned(delivery, 'x-hub-signature-256', 'sha256=', secret),
  deliveryId: delivery => headerId(delivery, 'x-github-delivery'),
  read: delivery => {
    const event = delivery.headers['x-github-event'];
    return event === 'push' ? pushOf(delivery) : event === 'pull_request' ? pullRequestOf(delivery) : [];
  },
  clone: ({ http_url, token }, identifier) => ({
    url: below(http_url, dotGit(pathOf(identifier))),
    username: 'x-access-token',
    password: token,
  }),
  sshAddress: ({ http_url }, identifier) => `ssh://git@${hostOf(http_url)}/${dotGit(pathOf(identifier))}`,
  changedFiles: compared,
  defaultBranch: () => null,
  status: (connection, status) =>
    tells(statusAddress(connection, status), bearer(connection.token), commitStatus(status)),
};

function pushOf(delivery: Delivery): RepositoryEvent[] {
  const { ref, before, after, forced, compare, head_commit, commits, repository, sender } = readPush(delivery);
  const named = reference(ref);
  if (!named || isNoCommit(after)) return [];
  const base = forced || named.tag ? null : commitOrNull(before);
  const isWhole = base !== null && commits && commits.length < listedCommits_items;
  return [
    eventOf({
      kind: named.tag ? 'tag' : 'push',
      repository: repository.full_name,
      ...named,
      default_branch: repository.default_branch ?? null,
      // An annotated tag is an object of its own, and this the commit that it names.
      commit_sha: head_commit?.id ?? after,
      base_sha: base,
      commit_message: text(head_commit?.message),
      commit_url: link(head_commit?.url),
      compare_url: link(compare),
      changed_files: isWhole ? changedIn(commits) : null,
      sender: senderOf(sender?.login, sender?.avatar_url, sender?.html_url),
    }),
  ];
}

function pullRequestOf(delivery: Delivery): RepositoryEvent[] {
  const { action, number, changes, pull_request: pull, repository, sender } = readPullRequest(delivery);
  const hasNewBase = action === 'edited' && changes?.base !== undefined;
  if (!['opened', 'reopened', 'synchronize'].includes(action) && !hasNewBase) return [];
  const { head, base } = pull;
  return [
    eventOf({
      kind: 'pull-request',
      repository: repository.full_name,
      branch: base.ref,
      default_branch: repository.default_branch ?? null,
      commit_sha: head.sha,
      base_sha: base.sha,
      commit_url: link(repository.html_url && `${repository.html_url}/commit/${head.sha}`),
      sender: senderOf(sender?.login, sender?.avatar_url, sender?.html_url),
      pull_request: {
        number,
        title: line(pull.title) ?? '',
        body: text(pull.body),
        url: link(pull.html_url),
        head_branch: head.ref,
        // A fork that is gone has no repository.
        is_fork: head.repo?.full_name !== repository.full_name,
      },
    }),
  ];
}

const readComparison = answerOf(
  Type.Object({ files: Type.Array(Type.Object({ filename: Type.String(), previous_filename: maybe(Type.String()) })) }),
);

function compared(connection: Connection, event: RepositoryEvent): Question<string[]> | null {
  if (!event.base_sha || !event.commit_sha) return null;
  const path = `repos/${pathOf(event.repository)}/compare/${event.base_sha}...${event.commit_sha}`;
  return {
    request: asks(below(connection.api_url, path), bearer(connection.token)),
    read: answer => {
      const files = readComparison(answer)?.files;
      if (!files || files.length >= comparedFiles_items) return null;
      return paths(files.flatMap(file => [file.filename, ...(file.previous_filename ? [file.previous_filename] : [])]));
    },
  };
}

export const statusAddress = ({ api_url }: Connection, { repository, sha }: CommitStatus): string =>
  below(api_url, `repos/${pathOf(repository)}/statuses/${sha}`);

const states = { pending: 'pending', running: 'pending', succeeded: 'success', failed: 'failure', canceled: 'error' };

/** Gitea and Forgejo take the same. */
export const commitStatus = (status: CommitStatus) => ({
  state: states[status.state],
  context: status.context,
  description: described(status),
  target_url: status.url,
});
