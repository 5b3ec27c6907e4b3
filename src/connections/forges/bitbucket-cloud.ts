/** Bitbucket Cloud: webhooks `repo:push`, `pullrequest:created` and `pullrequest:updated`, the REST API 2.0. */
import { createHash } from 'node:crypto';
import { Type } from 'typebox';
import { below, credentials, dotGit, hostOf, pathOf } from './addresses.ts';
import type { CommitStatus, Connection, Delivery, Forge, Question, RepositoryEvent } from './forge.ts';
import {
  answerOf,
  eventOf,
  headerId,
  line,
  link,
  maybe,
  paths,
  readerOf,
  requireFew,
  senderOf,
  sha,
  text,
  word,
} from './reading.ts';
import { asks, bearerOrBasic, described, tells } from './requests.ts';
import { isHmacSigned } from './signatures.ts';

const href = maybe(Type.Object({ href: maybe(Type.String()) }));
const links = maybe(Type.Object({ html: href, avatar: href }));
const actor = maybe(Type.Object({ nickname: maybe(Type.String()), display_name: maybe(Type.String()), links }));
const repository = Type.Object({ full_name: word, mainbranch: maybe(Type.Object({ name: maybe(word) })) });
type Actor = { nickname?: string | null; display_name?: string | null; links?: Links } | null | undefined;
type Links = { html?: { href?: string | null } | null; avatar?: { href?: string | null } | null } | null;

const readPush = readerOf(
  Type.Object({
    actor,
    repository,
    push: Type.Object({
      changes: Type.Array(
        Type.Object({
          /** Null of what is gone. */
          new: maybe(
            Type.Object({
              type: word,
              name: word,
              target: Type.Object({ hash: sha, message: maybe(Type.String()), links }),
            }),
          ),
          old: maybe(Type.Object({ target: maybe(Type.Object({ hash: sha })) })),
          links,
        }),
      ),
    }),
  }),
);

const branch = Type.Object({
  branch: Type.Object({ name: word }),
  repository: maybe(Type.Object({ full_name: word })),
});

const readPullRequest = readerOf(
  Type.Object({
    actor,
    repository,
    pullrequest: Type.Object({
      id: Type.Integer({ minimum: 1, maximum: 2 ** 31 - 1 }),
      title: Type.String(),
      description: maybe(Type.String()),
      state: maybe(word),
      source: branch,
      destination: branch,
      links,
    }),
  }),
);

export const bitbucketCloud: Forge = {
  isSigned: (delivery, secret) => isHmacSigned(delivery, 'x-hub-signature', 'sha256=', secret),
  deliveryId: delivery => headerId(delivery, 'x-request-uuid'),
  read: delivery => {
    const event = delivery.headers['x-event-key'];
    if (event === 'repo:push') return pushOf(delivery);
    return event === 'pullrequest:created' || event === 'pullrequest:updated' ? pullRequestOf(delivery) : [];
  },
  clone: ({ http_url, token }, identifier) => {
    const { username, password } = credentials(token, 'x-token-auth');
    // The API knows the tokens of people by their address of mail, git by this name.
    const name = username.includes('@') ? 'x-bitbucket-api-token-auth' : username;
    return { url: below(http_url, dotGit(pathOf(identifier))), username: name, password };
  },
  sshAddress: ({ http_url }, identifier) => `ssh://git@${hostOf(http_url)}/${dotGit(pathOf(identifier))}`,
  changedFiles: differing,
  defaultBranch,
  status: (connection, status) =>
    tells(
      apiAddress(connection, status.repository, `/commit/${status.sha}/statuses/build`),
      bearerOrBasic(connection.token),
      {
        key: keyOf(status),
        state: states[status.state],
        name: status.context,
        description: described(status),
        url: status.url,
      },
    ),
};

const states = {
  pending: 'INPROGRESS',
  running: 'INPROGRESS',
  succeeded: 'SUCCESSFUL',
  failed: 'FAILED',
  canceled: 'STOPPED',
};

/** At most forty characters. */
const keyOf = ({ context }: CommitStatus) =>
  context.length <= 40 ? context : createHash('sha256').update(context).digest('hex').slice(0, 40);

const apiAddress = ({ api_url }: Connection, identifier: string, path: string) =>
  below(api_url, `repositories/${pathOf(identifier)}${path}`);

const sentBy = (actor: Actor) =>
  senderOf(actor?.nickname ?? actor?.display_name, actor?.links?.avatar?.href, actor?.links?.html?.href);

function pushOf(delivery: Delivery): RepositoryEvent[] {
  const { actor, repository, push } = readPush(delivery);
  requireFew(push.changes);
  return push.changes.flatMap(({ new: now, old, links }) => {
    if (!now || (now.type !== 'branch' && now.type !== 'tag')) return [];
    const isTag = now.type === 'tag';
    return eventOf({
      kind: isTag ? 'tag' : 'push',
      repository: repository.full_name,
      branch: isTag ? null : now.name,
      default_branch: repository.mainbranch?.name ?? null,
      tag: isTag ? now.name : null,
      commit_sha: now.target.hash,
      base_sha: isTag ? null : (old?.target?.hash ?? null),
      commit_message: text(now.target.message),
      commit_url: link(now.target.links?.html?.href),
      compare_url: link(links?.html?.href),
      sender: sentBy(actor),
    });
  });
}

function pullRequestOf(delivery: Delivery): RepositoryEvent[] {
  const { actor, repository, pullrequest: pull } = readPullRequest(delivery);
  if (pull.state && pull.state !== 'OPEN') return [];
  return [
    eventOf({
      kind: 'pull-request',
      repository: repository.full_name,
      branch: pull.destination.branch.name,
      default_branch: repository.mainbranch?.name ?? null,
      // The delivery has the first twelve digits alone.
      commit_sha: null,
      sender: sentBy(actor),
      pull_request: {
        number: pull.id,
        title: line(pull.title) ?? '',
        body: text(pull.description),
        url: link(pull.links?.html?.href),
        head_branch: pull.source.branch.name,
        is_fork: pull.source.repository?.full_name !== repository.full_name,
      },
    }),
  ];
}

const readDifference = answerOf(
  Type.Object({
    next: maybe(Type.String()),
    values: Type.Array(
      Type.Object({
        old: maybe(Type.Object({ path: Type.String() })),
        new: maybe(Type.Object({ path: Type.String() })),
      }),
    ),
  }),
);

/** A push by what is different afterwards, a pull request by what it adds to its target. */
function differing(connection: Connection, event: RepositoryEvent): Question<string[]> | null {
  const { pull_request: pull } = event;
  const [from, to] = pull ? [pull.head_branch, event.branch] : [event.commit_sha, event.base_sha];
  if (!from || !to) return null;
  const range = `${encodeURIComponent(from)}..${encodeURIComponent(to)}`;
  const address = apiAddress(connection, event.repository, `/diffstat/${range}?pagelen=500&topic=${pull !== null}`);
  return {
    request: asks(address, bearerOrBasic(connection.token)),
    read: answer => {
      const found = readDifference(answer);
      if (!found || found.next) return null;
      return paths(found.values.flatMap(file => [file.old?.path, file.new?.path].filter(path => path !== undefined)));
    },
  };
}

const readRepository = answerOf(Type.Object({ mainbranch: Type.Object({ name: word }) }));

function defaultBranch(connection: Connection, identifier: string): Question<string> {
  return {
    request: asks(apiAddress(connection, identifier, ''), bearerOrBasic(connection.token)),
    read: answer => readRepository(answer)?.mainbranch.name ?? null,
  };
}
