/** Bytes over a real connection, for requests that no well-behaved client can make. */
import { connect, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, beforeAll } from 'vitest';
import type { Document, TestApp } from '../app.ts';

export interface RawAnswer {
  status: number;
  headers: Record<string, string>;
  document: Document;
  text: string;
}

/** A request of which only a part was sent. */
export interface Begun {
  /** The first answer, whether or not the connection goes on. */
  answer: Promise<RawAnswer | undefined>;
  /** That the server has ended the connection. */
  ended: Promise<unknown>;
  write: (text: string) => void;
  end: () => void;
}

export interface Listening {
  port: number;
  /** Sends the beginning of a request, and resolves once the server has read it. */
  begin: (head: string) => Promise<Begun>;
  /** Sends the bytes on a connection of their own and resolves with the answers until the server closes it. */
  send: (...bytes: (string | Buffer)[]) => Promise<RawAnswer[]>;
  /** As `send`, for one request that is answered once. */
  ask: (head: string, body?: string | Buffer) => Promise<RawAnswer>;
}

/** Makes the app of a test file listen on a free port of the loopback. */
export function useListening(app: TestApp): Listening {
  const holder = {} as Listening;
  beforeAll(async () => {
    const accepted: Accepted = new Map();
    app.app.server.on('connection', socket => {
      const { remotePort } = socket;
      accepted.set(remotePort, socket);
      socket.once('close', () => accepted.delete(remotePort));
    });
    await app.app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = app.app.server.address() as { port: number };
    const send = (...bytes: (string | Buffer)[]) => exchange(port, accepted, bytes);
    Object.assign(holder, {
      port,
      begin: (head: string) => begin(port, accepted, head),
      send,
      ask: async (head: string, body: string | Buffer = '') => {
        const [answer] = await send(`${head}connection: close\r\n\r\n`, body);
        return answer!;
      },
    });
  });
  afterAll(() => app.app.server.closeAllConnections());
  return holder;
}

/** The server's ends of connections, by the port of the other end. */
type Accepted = Map<number | undefined, Socket>;

/** Resolves once the server knows as well that the connection is gone. */
async function exchange(port: number, accepted: Accepted, bytes: readonly (string | Buffer)[]): Promise<RawAnswer[]> {
  const socket = connect(port, '127.0.0.1');
  let own: number | undefined;
  socket.once('connect', () => {
    own = socket.localPort;
  });
  const received = collect(socket);
  for (const part of bytes) socket.write(part);
  const answers = parseAnswers(await received);
  while (accepted.has(own)) await turn();
  return answers;
}

async function begin(port: number, accepted: Accepted, head: string): Promise<Begun> {
  const socket = connect(port, '127.0.0.1');
  const ended = collect(socket);
  const answer = new Promise<Buffer>(resolve => {
    socket.once('data', resolve);
    socket.once('close', () => resolve(Buffer.alloc(0)));
  });
  await new Promise(resolve => socket.write(head, resolve));
  const own = socket.localPort;
  while (!socket.destroyed && (accepted.get(own)?.bytesRead ?? 0) < Buffer.byteLength(head)) await turn();
  // And gets to know who sent it meanwhile, most of the time.
  await exchange(port, accepted, ['GET /healthz HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n']);
  return {
    answer: answer.then(bytes => parseAnswers(bytes)[0]),
    ended,
    write: text => void socket.write(text),
    end: () => socket.destroy(),
  };
}

/** Everything that arrives until the other side has ended, or broken, the connection. */
export function collect(socket: Socket): Promise<Buffer> {
  const parts: Buffer[] = [];
  socket.on('data', part => parts.push(part));
  return new Promise(resolve => {
    socket.on('error', () => resolve(Buffer.concat(parts)));
    socket.on('close', () => resolve(Buffer.concat(parts)));
  });
}

/** Reads answers that carry a Content-Length, or no body. */
export function parseAnswers(bytes: Buffer): RawAnswer[] {
  const answers: RawAnswer[] = [];
  let rest = bytes;
  while (rest.length > 0) {
    const end = rest.indexOf('\r\n\r\n');
    if (end < 0) break;
    const [first = '', ...lines] = rest.subarray(0, end).toString('latin1').split('\r\n');
    const pairs = lines.map(line => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      line.slice(line.indexOf(':') + 2),
    ]);
    const headers: Record<string, string> = Object.fromEntries(pairs);
    const length = Number(headers['content-length'] ?? 0);
    const text = rest.subarray(end + 4, end + 4 + length).toString();
    const isJson = /json/.test(headers['content-type'] ?? '') && text !== '';
    answers.push({
      status: Number(first.split(' ')[1]),
      headers,
      text,
      document: isJson ? JSON.parse(text) : undefined,
    });
    rest = rest.subarray(end + 4 + length);
  }
  return answers;
}
