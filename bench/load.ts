/** A small keep-alive HTTP client: it must cost little, since it shares the processors with what it measures. */
import { connect, type Socket } from 'node:net';

export interface Request {
  method: 'GET' | 'POST' | 'PATCH';
  path: string;
  body?: string;
  /** Instead of the target's. */
  token?: string;
  /** Instead of the media type of the API. */
  type?: string;
}

export interface Answer {
  status: number;
  body: string;
}

export interface Measured {
  requests: number;
  seconds: number;
  /** Of every request, in milliseconds, ascending. */
  latencies: number[];
}

export interface Target {
  port: number;
  token: string;
}

/** One connection; requests go one after the other. */
export interface Line {
  ask: (request: Request) => Promise<{ status: number; bytes: Buffer }>;
  close: () => void;
}

/** Keeps `connections` requests under way until the time or the number of requests is used up. Throws at an unexpected status. */
export async function load(
  target: Target,
  next: () => Request,
  limits: { connections: number; seconds: number; requests?: number },
): Promise<Measured> {
  const lines = await Promise.all(Array.from({ length: limits.connections }, () => openLine(target)));
  const latencies: number[] = [];
  const started = performance.now();
  const deadline = started + limits.seconds * 1000;
  let left = limits.requests ?? Number.POSITIVE_INFINITY;
  try {
    await Promise.all(
      lines.map(async line => {
        for (let now = performance.now(); now < deadline && left > 0; left -= 1) {
          const request = next();
          const { status, bytes } = await line.ask(request);
          if (status >= 300)
            throw new Error(`${request.method} ${request.path} → ${status}: ${bytes.subarray(0, 300)}`);
          const then = performance.now();
          latencies.push(then - now);
          now = then;
        }
      }),
    );
  } finally {
    for (const line of lines) line.close();
  }
  const seconds = (performance.now() - started) / 1000;
  return { requests: latencies.length, seconds, latencies: latencies.sort((one, other) => one - other) };
}

/** A single request, its body as text. */
export async function ask(target: Target, request: Request): Promise<Answer> {
  const line = await openLine(target);
  try {
    const { status, bytes } = await line.ask(request);
    return { status, body: bytes.toString() };
  } finally {
    line.close();
  }
}

export async function openLine({ port, token }: Target): Promise<Line> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  const answers = readAnswers(socket);
  return {
    ask: ({ method, path, body, token: own = token, type: given = 'application/vnd.api+json' }) => {
      const common = `Host: terrane\r\nAuthorization: Bearer ${own}\r\n`;
      const length = body === undefined ? '' : `Content-Length: ${Buffer.byteLength(body)}\r\n`;
      const type = method === 'GET' ? '' : `Content-Type: ${given}\r\n`;
      const answer = answers();
      socket.write(`${method} ${path} HTTP/1.1\r\n${common}${type}${length}\r\n${body ?? ''}`);
      return answer;
    },
    close: () => socket.destroy(),
  };
}

/** Answers carry a Content-Length; nothing else of HTTP is understood. */
function readAnswers(socket: Socket): () => Promise<{ status: number; bytes: Buffer }> {
  let pending: { resolve: (answer: { status: number; bytes: Buffer }) => void; reject: (error: Error) => void } | null;
  let parts: Buffer[] = [];
  let held = 0;
  let expected = 0;
  let headLength = 0;
  let status = 0;
  const fail = (error: Error) => pending?.reject(error);
  socket.on('error', fail);
  socket.on('close', () => fail(new Error('The server closed the connection.')));
  socket.on('data', chunk => {
    parts.push(chunk);
    held += chunk.length;
    if (expected === 0) {
      const start = parts.length === 1 ? chunk : Buffer.concat(parts);
      const end = start.indexOf('\r\n\r\n');
      if (end < 0) return;
      const head = start.toString('latin1', 0, end);
      status = Number(head.slice(9, 12));
      headLength = end + 4;
      expected = headLength + Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
    }
    if (held < expected) return;
    const whole = parts.length === 1 ? parts[0]! : Buffer.concat(parts);
    const bytes = whole.subarray(headLength, expected);
    const { resolve } = pending!;
    [parts, held, expected, pending] = [[], 0, 0, null];
    resolve({ status, bytes });
  });
  return () =>
    new Promise((resolve, reject) => {
      // A connection that is gone already says so no second time.
      if (socket.destroyed) reject(new Error('The server closed the connection.'));
      pending = { resolve, reject };
    });
}
