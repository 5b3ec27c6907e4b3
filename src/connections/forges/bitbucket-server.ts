/** Bitbucket Server and Data Center: webhooks `repo:refs_changed`, `pr:opened` and `pr:from_ref_updated`, the REST API 1.0. */
import { Type } from 'typebox';
import { below, credentials, hostOf, pathOf, segment } from './addresses.ts';
import type { CommitStatus, Connection, Delivery, Forge, Question, RepositoryEvent } from './forge.ts';
import {
  answerOf,
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
  requireFew,
  senderOf,
  sha,
  text,
  word,
} from './reading.ts';
import { asks, bearerOrBasic, described, tells } from './requests.ts';
import { isHmacSigned } from './signatures.ts';

const links = maybe(Type.Object({ self: maybe(Type.Array(Type.Object({ href: maybe(Type.String()) }))) }));
const actor = maybe(Type.Object({ name: maybe(Type.String()), links }));
const repository = Type.Object({ slug: word, project: Type.Object({ key: word }), links });
type Repository = { slug: string; project: { key: string } };
type Links = { self?: { href?: string | null }[] | null } | null | undefined;

const readPush = readerOf(
  Type.Object({
    actor,
    repository,
    changes: Type.Array(Type.Object({ ref: Type.Object({ id: word }), fromHash: sha, toHash: sha, type: word })),
    /** Newer servers say what the last commit of the first change is. */
    toCommit: maybe(Type.Object({ id: sha, message: maybe(Type.String()) })),
  }),
);

const side = Type.Object({ id: word, displayId: word, latestCommit: sha, repository });

const readPullRequest = readerOf(
  Type.Object({
    actor,
    pullRequest: Type.Object({
      id: Type.Integer({ minimum: 1, maximum: 2 ** 31 - 1 }),
      title: Type.String(),
      description: maybe(Type.String()),
      fromRef: side,
      toRef: side,
      links,
    }),
  }),
);

export const bitbucketServer: Forge = {
  isSigned: (delivery, secret) => isHmacSigned(delivery, 'x-hub-signature', 'sha256=', secret),
  deliveryId: delivery => headerId(delivery, 'x-request-id'),
  read: delivery => {
    const event = delivery.headers['x-event-key'];
    if (event === 'repo:refs_changed') return pushOf(delivery);
    return event === 'pr:opened' || event === 'pr:from_ref_updated' ? pullRequestOf(delivery) : [];
  },
  // A token of a person goes with their name; one of a project or a repository git cannot send as a password at all.
  clone: ({ http_url, token }, identifier) => ({
    url: below(http_url, `scm/${pathOf(identifier)}.git`),
    ...credentials(token, 'x-token-auth'),
  }),
  sshAddress: ({ http_url }, identifier) => `ssh://git@${hostOf(http_url)}:7999/${pathOf(identifier)}.git`,
  changedFiles: compared,
  defaultBranch,
  status: (connection, status) =>
    tells(apiAddress(connection, status.repository, `/commits/${status.sha}/builds`), bearerOrBasic(connection.token), {
      key: status.context,
      state: stateOf(connection, status),
      name: status.context,
      description: described(status),
      url: status.url,
    }),
};

const states = { pending: 'INPROGRESS', running: 'INPROGRESS', succeeded: 'SUCCESSFUL', failed: 'FAILED' };

/** Servers of before Data Center know no build that was canceled. */
function stateOf({ service_provider }: Connection, { state }: CommitStatus): string {
  if (state !== 'canceled') return states[state];
  return service_provider === 'bitbucket_server' ? 'FAILED' : 'CANCELLED';
}

/** People give the address of the server, or of its API. */
function apiAddress({ api_url }: Connection, identifier: string, path: string): string {
  const [project = '', ...rest] = identifier.split('/');
  const server = api_url.replace(/\/rest(?:\/.*)?$/, '');
  return below(server, `rest/api/1.0/projects/${segment(project)}/repos/${rest.map(segment).join('/')}${path}`);
}

const nameOf = ({ project, slug }: Repository) => `${project.key}/${slug}`;
const addressOf = (links: Links) => links?.self?.[0]?.href;
const sentBy = (actor: { name?: string | null; links?: Links } | null | undefined) =>
  senderOf(actor?.name, null, addressOf(actor?.links));

function pushOf(delivery: Delivery): RepositoryEvent[] {
  const { actor, repository, changes, toCommit } = readPush(delivery);
  requireFew(changes);
  return changes.flatMap(({ ref, fromHash, toHash, type }) => {
    const named = reference(ref.id);
    if (!named || type === 'DELETE' || isNoCommit(toHash)) return [];
    const home = addressOf(repository.links)?.replace(/\/browse$/, '');
    return eventOf({
      kind: named.tag ? 'tag' : 'push',
      repository: nameOf(repository),
      ...named,
      commit_sha: toHash,
      base_sha: named.tag ? null : commitOrNull(fromHash),
      commit_message: toCommit?.id === toHash ? text(toCommit.message) : null,
      commit_url: link(home && `${home}/commits/${toHash}`),
      sender: sentBy(actor),
    });
  });
}

function pullRequestOf(delivery: Delivery): RepositoryEvent[] {
  const { actor, pullRequest: pull } = readPullRequest(delivery);
  const { fromRef, toRef } = pull;
  return [
    eventOf({
      kind: 'pull-request',
      repository: nameOf(toRef.repository),
      branch: toRef.displayId,
      commit_sha: fromRef.latestCommit,
      base_sha: toRef.latestCommit,
      sender: sentBy(actor),
      pull_request: {
        number: pull.id,
        title: line(pull.title) ?? '',
        body: text(pull.description),
        url: link(addressOf(pull.links)),
        head_branch: fromRef.displayId,
        is_fork: nameOf(fromRef.repository) !== nameOf(toRef.repository),
      },
    }),
  ];
}

const path = Type.Object({ toString: Type.String() });
const readComparison = answerOf(
  Type.Object({
    isLastPage: Type.Literal(true),
    values: Type.Array(Type.Object({ path, srcPath: maybe(path) })),
  }),
);

/** What the new commit has that the old one has not: a branch that was set back counts as changed as a whole. */
function compared(connection: Connection, event: RepositoryEvent): Question<string[]> | null {
  if (!event.base_sha || !event.commit_sha) return null;
  const query = new URLSearchParams({ from: event.commit_sha, to: event.base_sha, limit: '1000' });
  return {
    request: asks(
      apiAddress(connection, event.repository, `/compare/changes?${query}`),
      bearerOrBasic(connection.token),
    ),
    read: answer => {
      const found = readComparison(answer);
      if (!found || found.values.length === 0) return null;
      return paths(found.values.flatMap(file => [file.path, file.srcPath].flatMap(textOf)));
    },
  };
}

/** The API calls a member as every object has a method, so that its type cannot be told. */
const textOf = (path: object | null | undefined): string[] => (path ? [String(Object(path)['toString'])] : []);

const readBranch = answerOf(Type.Object({ displayId: word }));

function defaultBranch(connection: Connection, identifier: string): Question<string> {
  return {
    request: asks(apiAddress(connection, identifier, '/default-branch'), bearerOrBasic(connection.token)),
    read: answer => readBranch(answer)?.displayId ?? null,
  };
}
