/** Gitea and Forgejo, whose webhooks and API are much like GitHub's. */
import { Type } from 'typebox';
import { below, dotGit, hostOf, pathOf } from './addresses.ts';
import type { Connection, Delivery, Forge, Question, RepositoryEvent } from './forge.ts';
import { account, commitStatus, headCommit, repository, statusAddress } from './github.ts';
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
import { asks, tells } from './requests.ts';
import { isHmacSigned } from './signatures.ts';

const readPush = readerOf(
  Type.Object({
    ref: word,
    before: sha,
    after: sha,
    compare_url: maybe(Type.String()),
    head_commit: maybe(headCommit),
    commits: maybe(Type.Array(Type.Object(changing))),
    /** More than are listed, where a push has many. */
    total_commits: maybe(Type.Integer({ minimum: 0 })),
    repository,
    sender: maybe(account),
  }),
);

const side = { ref: word, sha, repo_id: Type.Integer() };

const readPullRequest = readerOf(
  Type.Object({
    action: word,
    number: Type.Integer({ minimum: 1, maximum: 2 ** 31 - 1 }),
    pull_request: Type.Object({
      title: Type.String(),
      body: maybe(Type.String()),
      html_url: maybe(Type.String()),
      head: Type.Object(side),
      base: Type.Object(side),
    }),
    repository,
    sender: maybe(account),
  }),
);

export const gitea: Forge = {
  isSigned: (delivery, secret) => isHmacSigned(delivery, headerOf(delivery, 'signature'), '', secret),
  deliveryId: delivery => headerId(delivery, 'x-forgejo-delivery', 'x-gitea-delivery'),
  read: delivery => {
    const event = delivery.headers[headerOf(delivery, 'event')];
    return event === 'push' ? pushOf(delivery) : event === 'pull_request' ? pullRequestOf(delivery) : [];
  },
  clone: ({ http_url, token }, identifier) => ({
    url: below(http_url, dotGit(pathOf(identifier))),
    username: 'oauth2',
    password: token,
  }),
  sshAddress: ({ http_url }, identifier) => `ssh://git@${hostOf(http_url)}/${dotGit(pathOf(identifier))}`,
  changedFiles: compared,
  defaultBranch: () => null,
  status: (connection, status) =>
    tells(statusAddress(connection, status), authorizationOf(connection), commitStatus(status)),
};

/** Forgejo sends its own headers and those of Gitea; its own are the ones that count. */
const headerOf = ({ headers }: Delivery, name: string) =>
  headers[`x-forgejo-${name}`] === undefined ? `x-gitea-${name}` : `x-forgejo-${name}`;

const authorizationOf = ({ token }: Connection) => `token ${token}`;

function pushOf(delivery: Delivery): RepositoryEvent[] {
  const sent = readPush(delivery);
  const { head_commit, commits, repository, sender } = sent;
  const named = reference(sent.ref);
  if (!named || isNoCommit(sent.after)) return [];
  const base = named.tag ? null : commitOrNull(sent.before);
  const isWhole = base !== null && commits && commits.length >= (sent.total_commits ?? Number.POSITIVE_INFINITY);
  return [
    eventOf({
      kind: named.tag ? 'tag' : 'push',
      repository: repository.full_name,
      ...named,
      default_branch: repository.default_branch ?? null,
      commit_sha: head_commit?.id ?? sent.after,
      base_sha: base,
      commit_message: text(head_commit?.message),
      commit_url: link(head_commit?.url),
      compare_url: link(sent.compare_url),
      changed_files: isWhole ? changedIn(commits) : null,
      sender: senderOf(sender?.login, sender?.avatar_url, sender?.html_url),
    }),
  ];
}

function pullRequestOf(delivery: Delivery): RepositoryEvent[] {
  const { action, number, pull_request: pull, repository, sender } = readPullRequest(delivery);
  if (!['opened', 'reopened', 'synchronized'].includes(action)) return [];
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
        // Who may only read a repository can push to `refs/for/…` of it, which makes a pull request without a branch.
        is_fork: head.repo_id !== base.repo_id || head.ref.startsWith('refs/'),
      },
    }),
  ];
}

const readComparison = answerOf(
  Type.Object({
    total_commits: Type.Integer(),
    commits: Type.Array(Type.Object({ files: Type.Array(Type.Object({ filename: Type.String() })) })),
  }),
);

function compared(connection: Connection, event: RepositoryEvent): Question<string[]> | null {
  if (!event.base_sha || !event.commit_sha) return null;
  const path = `repos/${pathOf(event.repository)}/compare/${event.base_sha}...${event.commit_sha}`;
  return {
    request: asks(below(connection.api_url, path), authorizationOf(connection)),
    read: answer => {
      const found = readComparison(answer);
      // None at all: the branch was set back, and what that changed is not said.
      if (!found || found.commits.length === 0 || found.commits.length < found.total_commits) return null;
      return paths(found.commits.flatMap(({ files }) => files.map(({ filename }) => filename)));
    },
  };
}
