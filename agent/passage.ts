/**
 * The way of a run's engine to the server, by an address of this machine alone. An engine gives up at the first call that nobody
 * answers while it begins, and half a minute later while it saves a state; here its calls wait until the server is back.
 */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { patience_ms } from './server.ts';

export interface Passage {
  /** `http://127.0.0.1:…`, without a slash at the end. */
  origin: string;
  /** Breaks off whatever still waits. */
  close: () => void;
}

interface Way {
  /** Where the agent reaches the server. */
  address: string;
  /** Where everybody else does: addresses in answers begin with it. */
  publicUrl: string;
  origin: string;
}

/** What an engine asks at once is a few dozen calls at most; what it starts may ask for itself. */
const mostConnections = 256;
const firstPause_ms = 100;
const longestPause_ms = 3000;
const probeTimeout_ms = 5000;
/** Answers up to here are passed on when they are whole: one that breaks off is asked for again. */
const held_bytes = 8 * 1024 * 1024;
/** Engines take it for an order to wait so long, and send their call again up to thirty times. */
const again = { 'x-ratelimit-reset': '2', 'retry-after': '2' };

export async function openPassage(address: string, publicUrl: string): Promise<Passage> {
  const server = createServer();
  server.maxConnections = mostConnections;
  // A call lasts for as long as the server is away.
  server.requestTimeout = 0;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const way = { address, publicUrl, origin };
  server.on('request', (request, response) => {
    // Whoever asked has gone, or is told by the end of the connection.
    pass(request, response, way).catch(() => response.destroy());
  });
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { origin, close };
}

async function pass(request: IncomingMessage, response: ServerResponse, way: Way): Promise<void> {
  // Behind the server's address, a whole one would name another host.
  if (!request.url!.startsWith('/')) return void response.writeHead(400).end();
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const hasBody = request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length']) > 0;
  const end_ms = Date.now() + patience_ms;
  for (let pause_ms = firstPause_ms; !gone.signal.aborted; pause_ms = Math.min(pause_ms * 2, longestPause_ms)) {
    const answer = await asked(request, hasBody, way, gone.signal).catch(() => null);
    if (answer) return passOn(answer, response);
    if (Date.now() + pause_ms > end_ms) break;
    // Its body went with the first attempt. The engine still has it.
    if (hasBody) return await waitAndLetRepeat(request, response, way, end_ms, gone.signal);
    await sleep(pause_ms, undefined, { signal: gone.signal });
  }
  response.writeHead(503).end();
}

interface Answer {
  status: number;
  headers: Record<string, string>;
  /** Whole, or what is still to come behind it. */
  begun: Buffer;
  rest: AsyncIterator<Uint8Array> | null;
}

/** Rejects where the server is away, or something in front of it says so. */
async function asked(request: IncomingMessage, hasBody: boolean, way: Way, signal: AbortSignal): Promise<Answer> {
  const response = await fetch(`${way.address}${request.url}`, {
    method: request.method!,
    headers: onward(request.headers),
    ...(hasBody && { body: Readable.toWeb(request), duplex: 'half' }),
    redirect: 'manual',
    signal,
  } as RequestInit);
  if (isAway(response.status)) {
    await response.body?.cancel();
    throw new Error(`The server answers ${response.status}.`);
  }
  const headers = Object.fromEntries([...response.headers].filter(([name]) => !ofOneConnection.has(name)));
  const pieces = response.body?.[Symbol.asyncIterator]();
  const taken: Uint8Array[] = [];
  for (let taken_bytes = 0; pieces && taken_bytes <= held_bytes; ) {
    const { done, value } = await pieces.next();
    if (done) return whole(Buffer.concat(taken), { status: response.status, headers }, way);
    taken.push(value);
    taken_bytes += value.length;
  }
  return { status: response.status, headers, begun: Buffer.concat(taken), rest: pieces ?? null };
}

/** Content of states has addresses of its own, which begin with the public one: they are to lead through here, too. */
function whole(content: Buffer, { status, headers }: Pick<Answer, 'status' | 'headers'>, way: Way): Answer {
  if (!headers['content-type']?.startsWith('application/vnd.api+json'))
    return { status, headers, begun: content, rest: null };
  const text = content
    .toString('utf8')
    .replaceAll(contentAddress, (found, name: string, address: string) =>
      address.startsWith(`${way.publicUrl}/`) ? `${name}${way.origin}${address.slice(way.publicUrl.length)}` : found,
    );
  const begun = Buffer.from(text);
  if ('content-length' in headers) headers['content-length'] = String(begun.length);
  return { status, headers, begun, rest: null };
}

/** As a member of a JSON document. Within a text that somebody wrote, its quotes would stand behind backslashes. */
const contentAddress = /("hosted-[a-z-]+-url":\s*")([^"\\]+)/g;

async function passOn({ status, headers, begun, rest }: Answer, response: ServerResponse): Promise<void> {
  response.writeHead(status, headers);
  if (!rest) return void response.end(begun);
  response.write(begun);
  await pipeline({ [Symbol.asyncIterator]: () => rest }, response);
}

async function waitAndLetRepeat(
  request: IncomingMessage,
  response: ServerResponse,
  way: Way,
  end_ms: number,
  gone: AbortSignal,
): Promise<void> {
  // Who is still sending reads no answer.
  request.resume();
  while (Date.now() < end_ms && !(await isBack(way, gone))) await sleep(longestPause_ms, undefined, { signal: gone });
  response.writeHead(429, again).end();
}

async function isBack({ address }: Way, gone: AbortSignal): Promise<boolean> {
  const signal = AbortSignal.any([gone, AbortSignal.timeout(probeTimeout_ms)]);
  const answer = await fetch(`${address}/readyz`, { signal }).catch(() => null);
  await answer?.body?.cancel();
  return answer !== null && !isAway(answer.status);
}

/** Of the server itself while its database is away, and of proxies that do not reach it. */
const isAway = (status: number) => status === 502 || status === 503 || status === 504;

const ofOneConnection = new Set([
  ...['connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade'],
  ...['content-encoding', 'expect', 'host'],
]);

function onward(headers: IncomingHttpHeaders): [string, string][] {
  const kept = Object.entries(headers).filter(([name]) => !ofOneConnection.has(name) && name !== 'accept-encoding');
  const each = kept.flatMap(([name, values]) => [values ?? []].flat().map((value): [string, string] => [name, value]));
  // As it is: an answer in the form of its bytes is one whose length is known.
  return [...each, ['accept-encoding', 'identity']];
}
