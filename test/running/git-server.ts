/** Repositories for tests, and who serves them: git's own http-backend behind a password, and a real sshd. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import { type AddressInfo, connect, createServer as createPlainServer } from 'node:net';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { selfSigned } from './certificate.ts';
import { createDirectory } from './database.ts';

export interface Repository {
  /** Where the bare repository lies, below the directory that is served. */
  path: string;
  git: (...parameters: string[]) => string;
  /** Writes files, an address for a link and null to remove one, and commits on the current branch. Returns the commit's sha. */
  commit: (message: string, files: Record<string, string | Buffer | { link: string } | null>) => string;
  /** Commits a submodule, of which this commit of that repository is wanted. Nothing of it has to be here. */
  submodule: (path: string, url: string, sha: string) => string;
}

const environment = {
  PATH: process.env['PATH'] ?? '',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_AUTHOR_NAME: 'Ann',
  GIT_AUTHOR_EMAIL: 'ann@example.com',
  GIT_COMMITTER_NAME: 'Ann',
  GIT_COMMITTER_EMAIL: 'ann@example.com',
  GIT_ALLOW_PROTOCOL: 'file:https',
};

/** An empty repository, as people have it and as it is served. */
export function repositoryIn(served: string, path: string): Repository {
  const [work, bare] = [createDirectory(), join(served, path)];
  const git = (...parameters: string[]) =>
    execFileSync('git', parameters, {
      cwd: work,
      env: environment,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  mkdirSync(dirname(bare), { recursive: true });
  execFileSync('git', ['init', '--quiet', '--bare', '--initial-branch=main', bare], { env: environment });
  git('init', '--quiet', '--initial-branch=main');
  git('remote', 'add', 'origin', bare);
  const commit: Repository['commit'] = (message, files) => {
    for (const [name, content] of Object.entries(files)) {
      const place = join(work, name);
      mkdirSync(dirname(place), { recursive: true });
      if (content === null) git('rm', '--quiet', name);
      else if (typeof content === 'object' && 'link' in content) symlinkSync(content.link, place);
      else writeFileSync(place, content);
    }
    git('add', '--all', '--force');
    git('commit', '--quiet', '--allow-empty', `--message=${message}`);
    git('push', '--quiet', 'origin', 'HEAD');
    return git('rev-parse', 'HEAD').trim();
  };
  const submodule: Repository['submodule'] = (place, url, sha) => {
    git('config', '--file', '.gitmodules', `submodule.${place}.path`, place);
    git('config', '--file', '.gitmodules', `submodule.${place}.url`, url);
    git('add', '.gitmodules');
    git('update-index', '--add', '--cacheinfo', `160000,${sha},${place}`);
    git('commit', '--quiet', `--message=With ${place}`);
    git('push', '--quiet', 'origin', 'HEAD');
    return git('rev-parse', 'HEAD').trim();
  };
  return { path, git, commit, submodule };
}

export interface GitServer {
  /** `https://localhost:…`, of a certificate that only whoever is told trusts. */
  address: string;
  certificate: string;
  /** What is served. */
  directory: string;
  /** Every request from now on is answered by it; null for git's own answers. */
  instead: (answer: ((request: IncomingMessage, response: ServerResponse) => void) | null) => void;
  /** What was asked for, in its order. */
  asked: string[];
  close: () => void;
}

export const login = { username: 'ann', password: 'pa55-of-ann-W0rd' };

/** The server has a certificate for this name, and no server of names knows it. */
export const nameOfNobody = 'git.invalid';

/** Nobody reads or writes without the password. */
export async function startGitServer(): Promise<GitServer> {
  const { key, certificate } = selfSigned(`DNS:localhost,DNS:${nameOfNobody}`);
  const directory = createDirectory();
  const asked: string[] = [];
  let answer: Parameters<GitServer['instead']>[0] = null;
  const wanted = `Basic ${Buffer.from(`${login.username}:${login.password}`).toString('base64')}`;
  const server: Server = createServer({ key: readFileSync(key), cert: readFileSync(certificate) });
  server.on('request', (request, response) => {
    asked.push(`${request.method} ${request.url}`);
    if (answer) return answer(request, response);
    if (request.headers.authorization !== wanted)
      return void response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end();
    backend(directory, request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `https://localhost:${(server.address() as AddressInfo).port}`,
    certificate,
    directory,
    asked,
    instead: next => {
      answer = next;
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** As a web server calls a program of CGI. */
async function backend(directory: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, search } = new URL(request.url!, 'https://localhost');
  const child = spawn('git', ['http-backend'], {
    env: {
      ...environment,
      GIT_PROJECT_ROOT: directory,
      GIT_HTTP_EXPORT_ALL: '1',
      REQUEST_METHOD: request.method,
      PATH_INFO: decodeURIComponent(pathname),
      QUERY_STRING: search.slice(1),
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
      GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
      REMOTE_USER: login.username,
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  child.stdin.on('error', () => undefined);
  request.pipe(child.stdin);
  let head = Buffer.alloc(0);
  const pieces = child.stdout[Symbol.asyncIterator]();
  while (!head.includes('\r\n\r\n')) {
    const { done, value } = await pieces.next();
    if (done) return void response.writeHead(500).end();
    head = Buffer.concat([head, value]);
  }
  const end = head.indexOf('\r\n\r\n');
  const headers = Object.fromEntries(
    head
      .subarray(0, end)
      .toString()
      .split('\r\n')
      .map(line => line.split(/: ?(.*)/s).slice(0, 2)),
  );
  response.writeHead(Number.parseInt(headers['Status'] ?? '200', 10), headers);
  response.write(head.subarray(end + 4));
  await pipeline({ [Symbol.asyncIterator]: () => pieces }, response);
}

const sshdPath = '/usr/sbin/sshd';
export const hasSshd = existsSync(sshdPath);

export interface SshServer {
  /** `ssh://name@localhost:…`, to which an absolute path is added. */
  address: string;
  /** The private key that it knows. */
  key: string;
  /** The public key of the host. */
  hostKey: string;
  close: () => void;
}

/** A real one, on a port of its own, that lets in whoever has the key. */
export async function startSshd(): Promise<SshServer> {
  const directory = createDirectory();
  const place = (name: string) => join(directory, name);
  for (const name of ['host', 'user']) {
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', place(name)]);
  }
  if (userInfo().uid === 0) mkdirSync('/run/sshd', { recursive: true });
  const port = await freePort();
  const settings = [
    ...[`Port ${port}`, 'ListenAddress 127.0.0.1', `HostKey ${place('host')}`, 'PidFile none', 'UsePAM no'],
    ...[`AuthorizedKeysFile ${place('user.pub')}`, 'StrictModes no', 'PasswordAuthentication no', 'LogLevel ERROR'],
    ...['KbdInteractiveAuthentication no', 'PermitRootLogin prohibit-password'],
  ];
  writeFileSync(place('settings'), settings.join('\n'));
  const child = spawn(sshdPath, ['-D', '-e', '-f', place('settings')], { stdio: 'ignore' });
  for (let left = 100; left > 0 && !(await answers(port)); left -= 1) await sleep(50);
  return {
    address: `ssh://${userInfo().username}@localhost:${port}`,
    key: readFileSync(place('user'), 'utf8'),
    hostKey: readFileSync(place('host.pub'), 'utf8'),
    close: () => void child.kill(),
  };
}

async function freePort(): Promise<number> {
  const server = createPlainServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise(resolve => server.close(resolve));
  return port;
}

const answers = (port: number) =>
  new Promise<boolean>(resolve => {
    const socket = connect(port, '127.0.0.1');
    socket.once('error', () => resolve(false));
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
  });
