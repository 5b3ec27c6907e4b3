/** The server as an agent sees it: every call is sent again while nobody answers, for as long as it is worth it. */
import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { protocolPath } from './protocol.ts';

/** The server said no, and will say no again. */
export class RefusedError extends Error {
  readonly status: number;

  constructor(status: number, what: string) {
    super(`The server refuses ${what}: ${status}.`);
    this.status = status;
  }

  /** Whether whoever asked is nobody any more, or the job no longer theirs. */
  get isOver(): boolean {
    return this.status === 401 || this.status === 410;
  }
}

export interface Ask {
  json?: object;
  /** Bytes, or the path of a file with them. */
  content?: Buffer | { file: string };
  /** Where an answer that is content goes. */
  into?: string;
  /** How long nobody may answer before it is given up. */
  patience_ms?: number;
  /** Of one attempt. */
  timeout_ms?: number;
  signal?: AbortSignal;
}

export interface Server {
  /** `path` is one of the protocol, or a whole address. Resolves to the JSON of the answer, if it has any. Throws RefusedError. */
  // biome-ignore lint/suspicious/noExplicitAny: the protocol's types say what each call answers.
  ask: (method: string, path: string, token: string | null, given?: Ask) => Promise<any>;
}

/** An hour: servers are updated, databases restored. */
export const patience_ms = 3_600_000;
const defaultTimeout_ms = 60_000;
const longestPause_ms = 10_000;
/** An agent that cannot reach its server says so, and does not fill its log with it. */
const betweenComplaints_ms = 60_000;

export function serverAt(address: string, log: (details: object, message: string) => void): Server {
  let complained_ms = 0;
  const complain = (error: unknown) => {
    if (Date.now() - complained_ms < betweenComplaints_ms) return;
    complained_ms = Date.now();
    log({ err: error, address }, 'the server cannot be asked, and will be asked again');
  };
  return {
    ask: async (method, path, token, given = {}) => {
      const url = path.startsWith('/') ? `${address}${protocolPath}${path}` : path;
      const end_ms = Date.now() + (given.patience_ms ?? patience_ms);
      for (let pause_ms = 200; ; pause_ms = Math.min(pause_ms * 2, longestPause_ms)) {
        const outcome = await attempt(url, method, token, given).catch(error => ({ error }));
        if (!('error' in outcome)) return outcome.json;
        const { error } = outcome;
        const isFinal = error instanceof RefusedError || isOfThisMachine(error);
        if (isFinal || given.signal?.aborted || Date.now() + pause_ms > end_ms) throw error;
        complain(error);
        await sleep(pause_ms * (0.5 + Math.random()));
      }
    },
  };
}

/** The disk is full, or cannot be written: the server could send it as often as it likes. */
function isOfThisMachine(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT', 'EROFS', 'EIO'].includes((error as NodeJS.ErrnoException).code ?? '');
}

async function attempt(url: string, method: string, token: string | null, given: Ask): Promise<{ json: unknown }> {
  const timeout = AbortSignal.timeout(given.timeout_ms ?? defaultTimeout_ms);
  const response = await fetch(url, {
    method,
    headers: {
      ...(token !== null && { authorization: `Bearer ${token}` }),
      ...(given.json && { 'content-type': 'application/json' }),
      ...(given.content && { 'content-type': 'application/octet-stream', ...(await lengthOf(given.content)) }),
    },
    ...(given.json && { body: JSON.stringify(given.json) }),
    ...(given.content && bodyOf(given.content)),
    signal: given.signal ? AbortSignal.any([timeout, given.signal]) : timeout,
  } as RequestInit);
  if (response.ok && given.into !== undefined) {
    await pipeline(Readable.fromWeb(response.body as never), createWriteStream(given.into, { mode: 0o600 }));
    return { json: undefined };
  }
  const text = await response.text();
  if (response.ok) return { json: text === '' ? undefined : JSON.parse(text) };
  // Too many at once, too early, and whatever is the server's own fault: later it may be otherwise.
  const isForNow = response.status >= 500 || response.status === 429 || response.status === 408;
  const what = `${method} ${new URL(url).pathname}`;
  if (isForNow) throw new Error(`The server answers ${response.status} to ${what}.`);
  throw new RefusedError(response.status, what);
}

async function lengthOf(content: NonNullable<Ask['content']>): Promise<{ 'content-length': string }> {
  const bytes = Buffer.isBuffer(content) ? content.length : (await stat(content.file)).size;
  return { 'content-length': String(bytes) };
}

function bodyOf(content: NonNullable<Ask['content']>): object {
  if (Buffer.isBuffer(content)) return { body: content };
  return { body: Readable.toWeb(createReadStream(content.file)), duplex: 'half' };
}
