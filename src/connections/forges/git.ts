/** Plain git, with the webhook that anybody can send: a hook of a repository, a pipeline, a forge that has no other. */
import { Type } from 'typebox';
import { below, credentials, hostOf, pathOf } from './addresses.ts';
import { type Delivery, type Forge, MalformedDelivery, type PullRequest, type RepositoryEvent } from './forge.ts';
import {
  commitOrNull,
  eventOf,
  headerId,
  isNoCommit,
  line,
  link,
  maybe,
  paths,
  readerOf,
  senderOf,
  sha,
  text,
  word,
} from './reading.ts';
import { isHmacSigned } from './signatures.ts';

const read = readerOf(
  Type.Object({
    event: Type.Union([Type.Literal('push'), Type.Literal('tag'), Type.Literal('pull-request')]),
    repository: word,
    branch: maybe(word),
    default_branch: maybe(word),
    tag: maybe(word),
    commit: Type.Object({ sha, message: maybe(Type.String()), url: maybe(Type.String()) }),
    base_sha: maybe(sha),
    compare_url: maybe(Type.String()),
    changed_files: maybe(Type.Array(Type.String())),
    sender: maybe(Type.Object({ username: word, avatar_url: maybe(Type.String()), html_url: maybe(Type.String()) })),
    pull_request: maybe(
      Type.Object({
        number: Type.Integer({ minimum: 1, maximum: 2 ** 31 - 1 }),
        title: Type.String(),
        body: maybe(Type.String()),
        url: maybe(Type.String()),
        head_branch: word,
        is_fork: maybe(Type.Boolean()),
      }),
    ),
  }),
);

type Sent = ReturnType<typeof read>;

export const git: Forge = {
  isSigned: (delivery, secret) => isHmacSigned(delivery, 'terrane-signature', 'sha256=', secret),
  deliveryId: delivery => headerId(delivery, 'terrane-delivery'),
  read: eventsOf,
  clone: ({ http_url, token }, identifier) => ({
    url: below(http_url, pathOf(identifier)),
    ...credentials(token, 'git'),
  }),
  sshAddress: ({ http_url }, identifier) => `ssh://git@${hostOf(http_url)}/${pathOf(identifier)}`,
  changedFiles: () => null,
  defaultBranch: () => null,
  status: () => null,
};

function eventsOf(delivery: Delivery): RepositoryEvent[] {
  const sent = read(delivery);
  const { commit, pull_request: pull } = sent;
  requireMembers(sent);
  if (isNoCommit(commit.sha)) return [];
  const isTag = sent.event === 'tag';
  return [
    eventOf({
      kind: sent.event,
      repository: sent.repository,
      branch: isTag ? null : (sent.branch ?? null),
      default_branch: sent.default_branch ?? null,
      tag: isTag ? (sent.tag ?? null) : null,
      commit_sha: commit.sha,
      base_sha: commitOrNull(sent.base_sha),
      commit_message: text(commit.message),
      commit_url: link(commit.url),
      compare_url: link(sent.compare_url),
      changed_files: sent.changed_files ? paths(sent.changed_files) : null,
      sender: sent.sender ? senderOf(sent.sender.username, sent.sender.avatar_url, sent.sender.html_url) : null,
      pull_request: sent.event === 'pull-request' && pull ? pullRequestOf(pull) : null,
    }),
  ];
}

function requireMembers({ event, branch, tag, pull_request }: Sent): void {
  if (event !== 'tag' && !branch) throw new MalformedDelivery(`/branch must be given of a ${event}`);
  if (event === 'tag' && !tag) throw new MalformedDelivery('/tag must be given of a tag');
  if (event === 'pull-request' && !pull_request) {
    throw new MalformedDelivery('/pull_request must be given of a pull request');
  }
}

function pullRequestOf({
  number,
  title,
  body,
  url,
  head_branch,
  is_fork,
}: NonNullable<Sent['pull_request']>): PullRequest {
  return { number, title: line(title) ?? '', body: text(body), url: link(url), head_branch, is_fork: is_fork ?? false };
}
