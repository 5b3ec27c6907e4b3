/**
 * What stands in for the APIs of forges: a server that takes statuses of commits and tells which files changed, in the words that
 * each forge documents. It knows one repository, and refuses what the forge would: other tokens, paths, states and lengths.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ServiceProvider } from '../../src/connections/forges/providers.ts';
import { after, before } from '../builders/deliveries.ts';

export const forgeToken = 't0ken-of-the-forge';

interface Sent {
  body: Record<string, unknown>;
}

interface Api {
  /** Where the API begins below the server's address. */
  root: string;
  authorization: string;
  status: { path: string; answer: number; isTaken(body: Record<string, unknown>): boolean };
  /** Path and query of the question for the files of a push, and the answer. */
  compare: { path: string; answer(files: readonly string[]): unknown };
  /** Path of the question for the default branch, where there is one. */
  branch?: { path: string; answer: unknown };
}

const bearer = `Bearer ${forgeToken}`;
const among = (...words: string[]) => ({ has: (value: unknown) => words.includes(value as string) });
const short = (value: unknown, most: number) => typeof value === 'string' && value.length <= most;

const github = (root: string): Api => ({
  root,
  authorization: bearer,
  status: {
    path: `/repos/acme/net/statuses/${after}`,
    answer: 201,
    isTaken: ({ state, description }) =>
      among('error', 'failure', 'pending', 'success').has(state) && short(description, 140),
  },
  compare: {
    path: `/repos/acme/net/compare/${before}...${after}`,
    answer: files => ({
      total_commits: 1,
      files: files.map(filename => ({ filename, status: 'modified', patch: '@@' })),
    }),
  },
});

const gitea: Api = {
  ...github('/api/v1'),
  authorization: `token ${forgeToken}`,
  compare: {
    path: `/repos/acme/net/compare/${before}...${after}`,
    answer: files => ({ total_commits: 1, commits: [{ sha: after, files: files.map(filename => ({ filename })) }] }),
  },
};

const gitlab: Api = {
  root: '/api/v4',
  authorization: bearer,
  status: {
    path: `/projects/acme%2Fnet/statuses/${after}`,
    answer: 201,
    isTaken: ({ state, name, description }) =>
      among('pending', 'running', 'success', 'failed', 'canceled').has(state) &&
      short(name, 255) &&
      short(description, 255),
  },
  compare: {
    path: `/projects/acme%2Fnet/repository/compare?from=${before}&to=${after}&straight=true`,
    answer: files => ({
      compare_timeout: false,
      diffs: files.map(path => ({ old_path: path, new_path: path, new_file: false, diff: '@@' })),
    }),
  },
};

const bitbucketCloud: Api = {
  root: '/2.0',
  authorization: bearer,
  status: {
    path: `/repositories/acme/net/commit/${after}/statuses/build`,
    answer: 201,
    isTaken: ({ state, key, url }) =>
      among('INPROGRESS', 'SUCCESSFUL', 'FAILED', 'STOPPED').has(state) && short(key, 40) && short(url, 2000),
  },
  compare: {
    path: `/repositories/acme/net/diffstat/${after}..${before}?pagelen=500&topic=false`,
    answer: files => ({
      pagelen: 500,
      page: 1,
      size: files.length,
      values: files.map(path => ({ type: 'diffstat', status: 'modified', old: { path }, new: { path } })),
    }),
  },
  branch: { path: '/repositories/acme/net', answer: { full_name: 'acme/net', mainbranch: { name: 'main' } } },
};

const bitbucketServer: Api = {
  root: '',
  authorization: bearer,
  status: {
    path: `/rest/api/1.0/projects/acme/repos/net/commits/${after}/builds`,
    answer: 204,
    isTaken: ({ state, key, url }) =>
      among('INPROGRESS', 'SUCCESSFUL', 'FAILED', 'CANCELLED').has(state) && short(key, 255) && short(url, 450),
  },
  compare: {
    path: `/rest/api/1.0/projects/acme/repos/net/compare/changes?from=${after}&to=${before}&limit=1000`,
    answer: files => ({ isLastPage: true, values: files.map(path => ({ path: { toString: path }, type: 'MODIFY' })) }),
  },
  branch: {
    path: '/rest/api/1.0/projects/acme/repos/net/default-branch',
    answer: { id: 'refs/heads/main', displayId: 'main' },
  },
};

const repositoryOfAzure = '/acme/Shop/_apis/git/repositories/net';
const versions = (base: string, target: string) =>
  `baseVersion=${base}&baseVersionType=commit&targetVersion=${target}&targetVersionType=commit`;
const azureDevops: Api = {
  root: '',
  authorization: `Basic ${Buffer.from(`:${forgeToken}`).toString('base64')}`,
  status: {
    path: `${repositoryOfAzure}/commits/${after}/statuses?api-version=6.0`,
    answer: 201,
    isTaken: ({ state, context }) =>
      among('error', 'failed', 'pending', 'succeeded').has(state) && short(Reflect.get(Object(context), 'name'), 256),
  },
  compare: {
    path: `${repositoryOfAzure}/diffs/commits?${versions(before, after)}&diffCommonCommit=false&%24top=2000&api-version=6.0`,
    answer: files => ({
      allChangesIncluded: true,
      changes: [
        { item: { path: '/modules', isFolder: true }, changeType: 'edit' },
        ...files.map(path => ({ item: { path: `/${path}`, gitObjectType: 'blob' }, changeType: 'edit' })),
      ],
    }),
  },
  branch: { path: `${repositoryOfAzure}?api-version=6.0`, answer: { name: 'net', defaultBranch: 'refs/heads/main' } },
};

const apis: Record<Exclude<ServiceProvider, 'git'>, Api> = {
  ado_server: azureDevops,
  ado_services: azureDevops,
  bitbucket_data_center: bitbucketServer,
  bitbucket_hosted: bitbucketCloud,
  bitbucket_server: bitbucketServer,
  forgejo: gitea,
  gitea,
  github: github(''),
  github_enterprise: github('/api/v3'),
  gitlab_community_edition: gitlab,
  gitlab_enterprise_edition: gitlab,
  gitlab_hosted: gitlab,
};

/** @param files what changed between the two commits of `deliveries.ts` */
export async function standIn(provider: Exclude<ServiceProvider, 'git'>, files: readonly string[]) {
  const { root, authorization, status, compare, branch } = apis[provider];
  const statuses: Sent[] = [];
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece);
    const answer = (code: number, body: unknown) =>
      response.writeHead(code, { 'content-type': 'application/json' }).end(code === 204 ? '' : JSON.stringify(body));
    if (!request.headers['user-agent']) return answer(403, { message: 'Say who you are' });
    if (request.headers.authorization !== authorization) return answer(401, { message: 'Bad credentials' });
    const asked = `${request.method} ${request.url}`;
    if (asked === `GET ${root}${compare.path}`) return answer(200, compare.answer(files));
    if (branch && asked === `GET ${root}${branch.path}`) return answer(200, branch.answer);
    if (asked !== `POST ${root}${status.path}`) return answer(404, { message: `There is no ${asked}` });
    if (request.headers['content-type'] !== 'application/json') return answer(415, { message: 'Send JSON' });
    const body = JSON.parse(Buffer.concat(pieces).toString());
    if (!status.isTaken(body)) return answer(422, { message: 'Validation failed' });
    statuses.push({ body });
    return answer(status.answer, body);
  });
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { address, api_url: `${address}${root}`, statuses, close };
}
