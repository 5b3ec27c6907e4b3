/** GitLab, hosted and of one's own: webhooks for pushes, tags and merge requests, the REST API in its version 4. */
import { Type } from 'typebox';
import { below, dotGit, hostOf, pathOf, segment } from './addresses.ts';
import type { Connection, Delivery, Forge, Question, RepositoryEvent } from './forge.ts';
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
import { isSame } from './signatures.ts';

/** A comparison lists this many files and no more, as long as nobody changes the limit of the server. */
const comparedFiles_items = 1000;

const project = Type.Object({ path_with_namespace: word, default_branch: maybe(word) });
const commit = Type.Object({ id: sha, message: maybe(Type.String()), url: maybe(Type.String()) });

const readPush = readerOf(
  Type.Object({
    ref: word,
    before: sha,
    after: sha,
    checkout_sha: maybe(sha),
    user_username: maybe(Type.String()),
    user_avatar: maybe(Type.String()),
    project,
    commits: maybe(Type.Array(Type.Intersect([commit, Type.Object(changing)]))),
    /** More than are listed, where a push has many. */
    total_commits_count: maybe(Type.Integer({ minimum: 0 })),
  }),
);

const readMergeRequest = readerOf(
  Type.Object({
    user: maybe(Type.Object({ username: maybe(Type.String()), avatar_url: maybe(Type.String()) })),
    project,
    object_attributes: Type.Object({
      iid: Type.Integer({ minimum: 1, maximum: 2 ** 31 - 1 }),
      action: maybe(word),
      /** The commit before, where an update brought new ones. */
      oldrev: maybe(Type.String()),
      title: Type.String(),
      description: maybe(Type.String()),
      url: maybe(Type.String()),
      source_branch: word,
      target_branch: word,
      source_project_id: maybe(Type.Integer()),
      target_project_id: Type.Integer(),
      last_commit: commit,
    }),
  }),
);

export const gitlab: Forge = {
  isSigned: ({ headers }, secret) => isSame(headers['x-gitlab-token'], secret),
  // The first is one for all attempts; older servers have the second alone, which changes with each.
  deliveryId: delivery => headerId(delivery, 'idempotency-key', 'x-gitlab-event-uuid'),
  read: delivery => {
    const event = delivery.headers['x-gitlab-event'];
    if (event === 'Push Hook' || event === 'Tag Push Hook') return pushOf(delivery);
    return event === 'Merge Request Hook' ? mergeRequestOf(delivery) : [];
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
    tells(apiAddress(connection, status.repository, `statuses/${status.sha}`), bearer(connection.token), {
      state: states[status.state],
      name: status.context,
      description: described(status),
      target_url: status.url,
    }),
};

const states = {
  pending: 'pending',
  running: 'running',
  succeeded: 'success',
  failed: 'failed',
  canceled: 'canceled',
};

const apiAddress = ({ api_url }: Connection, identifier: string, path: string) =>
  below(api_url, `projects/${segment(identifier)}/${path}`);

function pushOf(delivery: Delivery): RepositoryEvent[] {
  const sent = readPush(delivery);
  const named = reference(sent.ref);
  if (!named || isNoCommit(sent.after)) return [];
  // An annotated tag is an object of its own, and this the commit that it names.
  const head = sent.checkout_sha ?? sent.after;
  const commits = sent.commits ?? [];
  const last = commits.find(({ id }) => id === head);
  const base = named.tag ? null : commitOrNull(sent.before);
  const isWhole = base !== null && commits.length >= (sent.total_commits_count ?? Number.POSITIVE_INFINITY);
  return [
    eventOf({
      kind: named.tag ? 'tag' : 'push',
      repository: sent.project.path_with_namespace,
      ...named,
      default_branch: sent.project.default_branch ?? null,
      commit_sha: head,
      base_sha: base,
      commit_message: text(last?.message),
      commit_url: link(last?.url),
      changed_files: isWhole ? changedIn(commits) : null,
      sender: senderOf(sent.user_username, sent.user_avatar),
    }),
  ];
}

function mergeRequestOf(delivery: Delivery): RepositoryEvent[] {
  const { user, project, object_attributes: request } = readMergeRequest(delivery);
  const hasNewCommits = request.action === 'update' && Boolean(request.oldrev);
  if (request.action !== 'open' && request.action !== 'reopen' && !hasNewCommits) return [];
  return [
    eventOf({
      kind: 'pull-request',
      repository: project.path_with_namespace,
      branch: request.target_branch,
      default_branch: project.default_branch ?? null,
      commit_sha: request.last_commit.id,
      commit_message: text(request.last_commit.message),
      commit_url: link(request.last_commit.url),
      sender: senderOf(user?.username, user?.avatar_url),
      pull_request: {
        number: request.iid,
        title: line(request.title) ?? '',
        body: text(request.description),
        url: link(request.url),
        head_branch: request.source_branch,
        is_fork: request.source_project_id !== request.target_project_id,
      },
    }),
  ];
}

const readComparison = answerOf(
  Type.Object({
    compare_timeout: maybe(Type.Boolean()),
    diffs: Type.Array(Type.Object({ old_path: Type.String(), new_path: Type.String() })),
  }),
);

/** A push by what is different afterwards, a merge request by what it adds to its target. */
function compared(connection: Connection, event: RepositoryEvent): Question<string[]> | null {
  const isMerge = event.kind === 'pull-request';
  const from = isMerge ? event.branch : event.base_sha;
  if (!from || !event.commit_sha) return null;
  const query = new URLSearchParams({ from, to: event.commit_sha, straight: String(!isMerge) });
  return {
    request: asks(apiAddress(connection, event.repository, `repository/compare?${query}`), bearer(connection.token)),
    read: answer => {
      const found = readComparison(answer);
      if (!found || found.compare_timeout || found.diffs.length >= comparedFiles_items) return null;
      return paths(found.diffs.flatMap(({ old_path, new_path }) => [old_path, new_path]));
    },
  };
}
