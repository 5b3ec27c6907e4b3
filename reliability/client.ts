/** Requests over kept connections, in which nothing that befalls one is hidden: a fault is an outcome like a status. */
import { Agent, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';

// biome-ignore lint/suspicious/noExplicitAny: programs read documents of every shape.
export type Document = any;

export interface Outcome {
  /** 0 where there was no answer. */
  status: number;
  headers: IncomingHttpHeaders;
  document: Document;
  /** What became of a request without an answer: ECONNREFUSED, ECONNRESET, late. */
  fault: string | null;
  /** When it was begun, and for how long it lasted. */
  begun_ms: number;
  milliseconds: number;
}

export interface Client {
  ask: (method: string, path: string, body?: unknown, token?: string) => Promise<Outcome>;
  /** As `ask` with a document of this type; again where the server is busy; throws where it is refused. */
  make: (path: string, type: string, attributes: object, relationships?: object) => Promise<Document>;
  /** How many connections were made. */
  connections: () => number;
  close: () => void;
}

export interface Target {
  port: number;
  token: string;
  /** The most connections at once. */
  connections?: number;
  /** After which a request is given up. */
  limit_ms?: number;
}

const attemptLimit = 10;
const mediaType = 'application/vnd.api+json';

/** `path` is relative to the API, or absolute. */
export function openClient({ port, token, connections = 64, limit_ms = 60_000 }: Target): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: connections, maxFreeSockets: connections });
  let made = 0;
  const ask: Client['ask'] = (method, path, body, own = token) => {
    const payload = body === undefined ? undefined : JSON.stringify(body);
    const begun_ms = performance.now();
    return new Promise(resolve => {
      const end = (outcome: Pick<Outcome, 'status' | 'headers' | 'document' | 'fault'>) => {
        clearTimeout(timer);
        resolve({ ...outcome, begun_ms, milliseconds: performance.now() - begun_ms });
      };
      const fail = (fault: string) => end({ status: 0, headers: {}, document: undefined, fault });
      const asked = request(
        {
          ...{ agent, host: '127.0.0.1', port, method },
          path: path.startsWith('/') ? path : `/api/v2/${path}`,
          headers: {
            authorization: `Bearer ${own}`,
            ...(method !== 'GET' && { 'content-type': mediaType }),
            ...(payload !== undefined && { 'content-length': Buffer.byteLength(payload) }),
          },
        },
        message => {
          read(message).then(
            text => end(answered(message, text)),
            fault => fail(fault.code ?? fault.message),
          );
        },
      );
      const timer = setTimeout(() => asked.destroy(Object.assign(new Error('late'), { code: 'late' })), limit_ms);
      asked.once('socket', () => {
        if (!asked.reusedSocket) made += 1;
      });
      asked.once('error', fault => fail((fault as NodeJS.ErrnoException).code ?? fault.message));
      asked.end(payload);
    });
  };
  return {
    ask,
    make: async (path, type, attributes, relationships) => {
      const data = { type, attributes, ...(relationships && { relationships }) };
      for (let attempt = 1; ; attempt += 1) {
        const { status, document, fault } = await ask('POST', path, { data });
        if (status >= 200 && status < 300) return document?.data;
        if (status !== 503 || attempt === attemptLimit)
          throw new Error(`POST ${path} → ${status} ${fault ?? JSON.stringify(document)}`);
      }
    },
    connections: () => made,
    close: () => agent.destroy(),
  };
}

async function read(message: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of message) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

function answered({ statusCode, headers }: IncomingMessage, text: string) {
  const isJson = /json/.test(headers['content-type'] ?? '') && text !== '';
  return { status: statusCode!, headers, document: isJson ? JSON.parse(text) : undefined, fault: null };
}
