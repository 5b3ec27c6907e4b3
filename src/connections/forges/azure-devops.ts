/** Azure DevOps, Services and Server: service hooks `git.push` and `git.pullrequest.*`, the REST API 6.0. */
import { Type } from 'typebox';
import { basic, below, hostOf, pathOf, segment, unescaped } from './addresses.ts';
import {
  type Connection,
  type Delivery,
  type Forge,
  MalformedDelivery,
  type Question,
  type RepositoryEvent,
} from './forge.ts';
import {
  answerOf,
  commitOrNull,
  eventOf,
  isNoCommit,
  jsonOf,
  judgeOf,
  line,
  link,
  maybe,
  paths,
  reference,
  requireFew,
  senderOf,
  sha,
  text,
  word,
} from './reading.ts';
import { asks, described, tells } from './requests.ts';
import { isSame } from './signatures.ts';

/** A comparison lists as many files as it is asked for, and says whether these are all. */
const comparedFiles_items = 2000;

const person = maybe(
  Type.Object({
    uniqueName: maybe(Type.String()),
    displayName: maybe(Type.String()),
    imageUrl: maybe(Type.String()),
  }),
);
type Person = { uniqueName?: string | null; displayName?: string | null; imageUrl?: string | null } | null | undefined;

const repository = Type.Object({
  name: word,
  remoteUrl: Type.String({ maxLength: 2048 }),
  defaultBranch: maybe(word),
  project: Type.Object({ name: word }),
});
type Repository = { name: string; remoteUrl: string; defaultBranch?: string | null; project: { name: string } };

const judgeDelivery = judgeOf(Type.Object({ id: maybe(word), eventType: word }));

const judgePush = judgeOf(
  Type.Object({
    resource: Type.Object({
      refUpdates: Type.Array(Type.Object({ name: word, oldObjectId: sha, newObjectId: sha })),
      commits: maybe(Type.Array(Type.Object({ commitId: sha, comment: maybe(Type.String()) }))),
      repository,
      pushedBy: person,
    }),
  }),
);

const merged = Type.Object({ commitId: sha });

const judgePullRequest = judgeOf(
  Type.Object({
    resource: Type.Object({
      pullRequestId: Type.Integer({ minimum: 1, maximum: 2 ** 31 - 1 }),
      status: word,
      title: Type.String(),
      description: maybe(Type.String()),
      sourceRefName: word,
      targetRefName: word,
      lastMergeSourceCommit: merged,
      lastMergeTargetCommit: maybe(merged),
      repository,
      createdBy: person,
      forkSource: Type.Optional(Type.Unknown()),
    }),
  }),
);

export const azureDevops: Forge = {
  // Service hooks sign nothing; they send the name and the password that their subscription has.
  isSigned: ({ headers }, secret) => isSame(passwordOf(headers['authorization']), secret),
  deliveryId: delivery => idOf(delivery),
  read: delivery => {
    const sent = jsonOf(delivery);
    const { eventType } = judgeDelivery(sent);
    if (eventType === 'git.push') return pushOf(sent);
    const isRequest = eventType === 'git.pullrequest.created' || eventType === 'git.pullrequest.updated';
    return isRequest ? pullRequestOf(sent) : [];
  },
  clone: ({ http_url, token }, identifier) => ({
    url: below(http_url, pathOf(identifier)),
    username: 'terrane',
    password: token,
  }),
  sshAddress,
  changedFiles: compared,
  defaultBranch,
  status: (connection, status) =>
    tells(apiAddress(connection, status.repository, `/commits/${status.sha}/statuses`), authorizationOf(connection), {
      state: states[status.state],
      context: { genre: 'terrane', name: status.context },
      description: described(status),
      targetUrl: status.url,
    }),
};

const states = { pending: 'pending', running: 'pending', succeeded: 'succeeded', failed: 'failed', canceled: 'error' };

const authorizationOf = ({ token }: Connection) => basic('', token);

function passwordOf(authorization: string | undefined): string | undefined {
  const [, encoded] = /^Basic ([A-Za-z0-9+/=]+)$/i.exec(authorization ?? '') ?? [];
  const given = encoded && Buffer.from(encoded, 'base64').toString('utf8');
  return given?.includes(':') ? given.slice(given.indexOf(':') + 1) : undefined;
}

function idOf(delivery: Delivery): string | null {
  try {
    return judgeDelivery(jsonOf(delivery)).id?.slice(0, 255) ?? null;
  } catch (fault) {
    if (fault instanceof MalformedDelivery) return null;
    throw fault;
  }
}

/** `https://dev.azure.com/acme/Shop/_git/net` or `https://acme.visualstudio.com/Shop/_git/net` → `acme/Shop/_git/net`. */
function nameOf({ name, remoteUrl, project }: Repository): string {
  if (!URL.canParse(remoteUrl)) throw new MalformedDelivery('/resource/repository/remoteUrl is no address');
  const { hostname, pathname } = new URL(remoteUrl);
  const above = pathname.split('/_git/')[0]!.split('/').filter(Boolean).map(unescaped);
  // A repository that is named as its project leaves that out.
  const collections = above.at(-1) === project.name ? above.slice(0, -1) : above;
  const organization = collections.at(-1) ?? hostname.split('.')[0];
  return `${organization}/${project.name}/_git/${name}`;
}

/** `acme/Shop/_git/net` → the address of that repository in the API. */
function apiAddress({ api_url }: Connection, identifier: string, path: string, query = ''): string {
  const [project, repository] = partsOf(identifier);
  const address = `${project}/_apis/git/repositories/${repository}${path}`;
  return below(api_url, `${address}?${query}api-version=6.0`);
}

function partsOf(identifier: string): [project: string, repository: string] {
  const parts = identifier.split('/').filter(part => part !== '_git');
  return [parts.slice(0, -1).map(segment).join('/'), segment(parts.at(-1) ?? '')];
}

function sshAddress({ service_provider, http_url }: Connection, identifier: string): string {
  const [project, repository] = partsOf(identifier);
  if (service_provider === 'ado_services') return `ssh://git@ssh.dev.azure.com/v3/${project}/${repository}`;
  return `ssh://git@${hostOf(http_url)}/${project}/_git/${repository}`;
}

const branchOf = (name: string | null | undefined) => (name ? (reference(name)?.branch ?? null) : null);

const sentBy = (person: Person) => senderOf(person?.uniqueName || person?.displayName, person?.imageUrl);

function pushOf(sent: unknown): RepositoryEvent[] {
  const { refUpdates, commits, repository, pushedBy } = judgePush(sent).resource;
  requireFew(refUpdates);
  return refUpdates.flatMap(({ name, oldObjectId, newObjectId }) => {
    const named = reference(name);
    if (!named || isNoCommit(newObjectId)) return [];
    return eventOf({
      kind: named.tag ? 'tag' : 'push',
      repository: nameOf(repository),
      ...named,
      default_branch: branchOf(repository.defaultBranch),
      commit_sha: newObjectId,
      base_sha: named.tag ? null : commitOrNull(oldObjectId),
      commit_message: text(commits?.find(({ commitId }) => commitId === newObjectId)?.comment),
      commit_url: link(`${repository.remoteUrl}/commit/${newObjectId}`),
      sender: sentBy(pushedBy),
    });
  });
}

function pullRequestOf(sent: unknown): RepositoryEvent[] {
  const { resource: pull } = judgePullRequest(sent);
  const [from, to] = [branchOf(pull.sourceRefName), branchOf(pull.targetRefName)];
  if (pull.status !== 'active' || !from || !to) return [];
  return [
    eventOf({
      kind: 'pull-request',
      repository: nameOf(pull.repository),
      branch: to,
      default_branch: branchOf(pull.repository.defaultBranch),
      commit_sha: pull.lastMergeSourceCommit.commitId,
      base_sha: pull.lastMergeTargetCommit?.commitId ?? null,
      commit_url: link(`${pull.repository.remoteUrl}/commit/${pull.lastMergeSourceCommit.commitId}`),
      sender: sentBy(pull.createdBy),
      pull_request: {
        number: pull.pullRequestId,
        title: line(pull.title) ?? '',
        body: text(pull.description),
        url: link(`${pull.repository.remoteUrl}/pullrequest/${pull.pullRequestId}`),
        head_branch: from,
        is_fork: pull.forkSource !== undefined && pull.forkSource !== null,
      },
    }),
  ];
}

const readComparison = answerOf(
  Type.Object({
    allChangesIncluded: Type.Literal(true),
    changes: Type.Array(
      Type.Object({
        item: Type.Object({ path: Type.String(), isFolder: maybe(Type.Boolean()) }),
        sourceServerItem: maybe(Type.String()),
      }),
    ),
  }),
);

/** A push by what is different afterwards, a pull request by what it adds to its target. */
function compared(connection: Connection, event: RepositoryEvent): Question<string[]> | null {
  if (!event.base_sha || !event.commit_sha) return null;
  const query = new URLSearchParams({
    baseVersion: event.base_sha,
    baseVersionType: 'commit',
    targetVersion: event.commit_sha,
    targetVersionType: 'commit',
    diffCommonCommit: String(event.kind === 'pull-request'),
    $top: String(comparedFiles_items),
  });
  return {
    request: asks(apiAddress(connection, event.repository, '/diffs/commits', `${query}&`), authorizationOf(connection)),
    read: answer => {
      const changes = readComparison(answer)?.changes.filter(({ item }) => !item.isFolder);
      if (!changes) return null;
      const changed = changes.flatMap(({ item, sourceServerItem }) => [item.path, sourceServerItem ?? item.path]);
      return paths(changed.map(path => path.replace(/^\//, '')));
    },
  };
}

const readRepository = answerOf(Type.Object({ defaultBranch: word }));

function defaultBranch(connection: Connection, identifier: string): Question<string> {
  return {
    request: asks(apiAddress(connection, identifier, ''), authorizationOf(connection)),
    read: answer => branchOf(readRepository(answer)?.defaultBranch),
  };
}
