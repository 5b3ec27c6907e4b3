/** One hostile caller, in a process of its own: `tsx bench/floods.ts KIND PORT TOKEN WORKSPACE`. Goes on until it is ended. */
import { connect, type Socket } from 'node:net';

/** What is asked again and again, on how many connections, and how many requests are written before an answer is awaited. */
interface Flood {
  connections: number;
  pipelined?: number;
  request: (target: Target) => string;
}

interface Target {
  token: string;
  workspace: string;
}

const list = '/api/v2/organizations/measured/workspaces';
const names = (count: number) => Array.from({ length: count }, (_, n) => `tag-${n}`).join(',');
const zeros = (count: number) => Array(count).fill(0).join(',');

const floods: Record<string, Flood> = {
  'writers of a row that is held': {
    connections: 48,
    request: target => change(target, `/api/v2/workspaces/${target.workspace}`, '{"description":"again"}'),
  },
  'searches for twenty tags': {
    connections: 16,
    request: ({ token }) => get(`${list}?search[tags]=${names(10)}&search[exclude-tags]=${names(20)}`, token),
  },
  'searches of two letters': {
    connections: 16,
    request: ({ token }) => get(`${list}?search[name]=ed&page[size]=100`, token),
  },
  'bodies of a megabyte': {
    connections: 8,
    request: target =>
      change(target, `/api/v2/workspaces/${target.workspace}`, `{"trigger-prefixes":[${zeros(500_000)}]}`),
  },
  'pipelined descriptions of the API': {
    connections: 1,
    pipelined: 100,
    request: () => get('/api/v2/openapi.json', null),
  },
};

const slow = 'connections that send a byte a second';
const long = 'long bodies that do not end';
const bodies = '500 bodies that come a byte a second';
const readers = '500 readers that do not read';

export const kinds = [...Object.keys(floods), slow, long, bodies, readers];

function get(path: string, token: string | null): string {
  const authorization = token ? `Authorization: Bearer ${token}\r\n` : '';
  return `GET ${path} HTTP/1.1\r\nHost: terrane\r\n${authorization}\r\n`;
}

function change({ token }: Target, path: string, attributes: string): string {
  const body = `{"data":{"type":"workspaces","attributes":${attributes}}}`;
  return `PATCH ${path} HTTP/1.1\r\n${head(token, body.length)}\r\n${body}`;
}

const head = (token: string, length: number) =>
  `Host: terrane\r\nAuthorization: Bearer ${token}\r\n` +
  `Content-Type: application/vnd.api+json\r\nContent-Length: ${length}\r\n`;

const start = 'HTTP/1.1 ';

/** Asks as soon as the last answers have come, on a new connection where the server has closed the old one. */
function ask(port: number, { request, pipelined = 1 }: Flood, target: Target): void {
  const socket = open(port);
  const bytes = Buffer.from(request(target).repeat(pipelined));
  let answers = 0;
  socket.on('connect', () => socket.write(bytes));
  socket.on('data', chunk => {
    for (let at = chunk.indexOf(start); at >= 0; at = chunk.indexOf(start, at + 1)) answers += 1;
    if (answers < pipelined) return;
    answers = 0;
    socket.write(bytes);
  });
  socket.on('close', () => setTimeout(() => ask(port, { connections: 1, request, pipelined }, target), 10));
}

/** Sends a beginning, and then a byte a second of what never ends. */
function drip(port: number, beginning: string): void {
  const socket = open(port);
  socket.on('connect', () => socket.write(beginning));
  const timer = setInterval(() => socket.writable && socket.write('a'), 1000);
  socket.on('close', () => {
    clearInterval(timer);
    setTimeout(() => drip(port, beginning), 1000);
  });
}

/** Asks for much, again and again, and reads nothing of it. */
function neglect(port: number, request: string): void {
  const socket = open(port).pause();
  socket.on('connect', () => socket.write(request.repeat(2)));
  socket.on('close', () => setTimeout(() => neglect(port, request), 1000));
}

function open(port: number): Socket {
  const socket = connect({ port, host: '127.0.0.1' });
  socket.on('error', () => socket.destroy());
  return socket;
}

function begin(kind: string, port: number, target: Target): void {
  const flood = floods[kind];
  if (flood) for (let n = 0; n < flood.connections; n += 1) ask(port, flood, target);
  const upload = `POST /api/v2/workspaces/${target.workspace}/state-versions HTTP/1.1\r\n${head(target.token, 300 << 20)}\r\n{`;
  if (kind === slow) for (let n = 0; n < 1000; n += 1) drip(port, 'GET / HTTP/1.1\r\nX-');
  const small = `PATCH /api/v2/workspaces/${target.workspace} HTTP/1.1\r\n${head(target.token, 1000)}\r\n{`;
  if (kind === bodies) for (let n = 0; n < 500; n += 1) drip(port, small);
  // A connection of which nothing is read does not keep a process alive.
  if (kind === readers) setInterval(() => {}, 60_000);
  if (kind === readers) for (let n = 0; n < 500; n += 1) neglect(port, get(`${list}?page[size]=100`, target.token));
  if (kind === long) for (let n = 0; n < 60; n += 1) drip(port, `${upload}${' '.repeat(65_536)}`);
}

const [kind, port, token, workspace] = process.argv.slice(2);
if (kind && port && token && workspace) begin(kind, Number(port), { token, workspace });
