// A server of this API, seen from outside: its documents, page by page, asked for no faster than it likes.
import { setTimeout as sleep } from 'node:timers/promises';
import { CommandError } from '../command-error.ts';
import { type Pace, pace } from './pace.ts';

export interface Remote {
  /** Without `/api/v2`. */
  address: string;
  token: string;
}

export interface Identifier {
  type: string;
  id: string;
}

/** A record as a document has it. */
export interface Resource extends Identifier {
  attributes: Record<string, unknown>;
  relationships?: Record<string, { data?: Identifier | Identifier[] | null }>;
}

export interface Answer {
  status: number;
  /** Undefined without a body. */
  document: { data?: Resource | Resource[] | null; included?: Resource[]; meta?: Meta; links?: object } | undefined;
}

interface Meta {
  pagination?: { 'next-page'?: number | null; 'total-count'?: number };
}

export interface Server {
  address: string;
  /** How many requests were sent, and how often the server asked to wait. */
  counts: { requests: number; pauses: number };
  ask: (method: string, path: string, body?: unknown) => Promise<Answer>;
  /** The record; undefined where the server says 404. Throws RemoteError for any other refusal. */
  find: (path: string) => Promise<Resource | undefined>;
  /** Every record of a list; none where the server says 404. */
  list: (path: string) => Promise<Resource[]>;
  pages: (path: string) => AsyncGenerator<{ records: Resource[]; total: number }>;
  send: (method: string, path: string, body?: unknown) => Promise<Resource | undefined>;
  download: (url: string, limitBytes: number) => Promise<Buffer>;
}

/** What the server refused, in its own words. */
export class RemoteError extends CommandError {
  readonly status: number;
  /** Where in the body the faults lie. */
  readonly pointers: readonly string[];
  constructor(what: string, status: number, problems: string[], pointers: readonly string[] = []) {
    super(`${what}: ${status}${problems.length > 0 ? `, ${problems.join('; ')}` : ''}`);
    this.status = status;
    this.pointers = pointers;
  }
}

interface RemoteFault {
  title?: string;
  detail?: string;
  source?: { pointer?: string };
}

/** No answer at all, after some patience. */
export class UnreachableError extends CommandError {}

const mediaType = 'application/vnd.api+json';
const documentTime_ms = 60_000;
const contentTime_ms = 600_000;
const documentLimitBytes = 256 * 1024 * 1024;
// A server that says 429 for this long has no room for us at all.
const mostAttempts = 60;
const retryDelays_ms = [250, 500, 1_000, 2_000, 4_000, 8_000];

export function remoteServer({ address, token }: Remote): Server {
  const origin = new URL(address).origin;
  const counts = { requests: 0, pauses: 0 };
  const pacing = pace();
  const send = async (method: string, url: string, time_ms: number, body?: unknown): Promise<Response> => {
    counts.requests += 1;
    const headers = {
      // The token is for the server alone, never for the store that it sends us to.
      ...(new URL(url).origin === origin && { authorization: `Bearer ${token}` }),
      ...(method !== 'GET' && { 'content-type': mediaType }),
    };
    const init = { method, headers, signal: AbortSignal.timeout(time_ms) };
    return fetch(url, body === undefined ? init : { ...init, body: JSON.stringify(body) });
  };
  const patient = async (method: string, url: string, time_ms: number, body?: unknown): Promise<Response> => {
    for (let attempt = 0; ; attempt += 1) {
      await pacing.turn();
      const delay_ms = retryDelays_ms[attempt];
      const answer = await send(method, url, time_ms, body).catch((error: Error) => error);
      const wait_ms = attempt < mostAttempts ? waitFor(answer, method, delay_ms, pacing) : undefined;
      if (wait_ms === undefined) {
        if (answer instanceof Error) throw new UnreachableError(unreachable(url, origin, answer));
        return answer;
      }
      if (!(answer instanceof Error)) {
        counts.pauses += 1;
        await answer.body?.cancel();
      }
      await sleep(wait_ms);
    }
  };
  return { address, counts, ...documents(address, patient), download: downloads(patient) };
}

/** A server may send for content to another address, its public one or a store's: which of them it was is what helps. */
export function unreachable(url: string, origin: string, fault: Error): string {
  const asked = new URL(url).origin;
  const sentBy = asked === origin ? '' : `, where ${origin} says that the content lies,`;
  return `${asked}${sentBy} cannot be reached: ${reasonOf(fault)}.`;
}

type Patient = (method: string, url: string, time_ms: number, body?: unknown) => Promise<Response>;

/** How long to wait before the next attempt; undefined where this answer is the one to go on with. */
function waitFor(
  answer: Response | Error,
  method: string,
  delay_ms: number | undefined,
  pacing: Pace,
): number | undefined {
  // What a server said nothing about may have been done: only what changes nothing is asked again.
  if (answer instanceof Error) return method === 'GET' ? delay_ms : undefined;
  if (answer.status === 429) return pacing.pause(answer.headers);
  pacing.heed(answer.headers);
  const again = answer.status === 503 || (method === 'GET' && [502, 504].includes(answer.status));
  return again ? delay_ms : undefined;
}

function documents(address: string, patient: Patient): Omit<Server, 'address' | 'counts' | 'download'> {
  const ask = async (method: string, path: string, body?: unknown): Promise<Answer> => {
    const url = path.startsWith('/') ? new URL(path, address).href : `${address}/api/v2/${path}`;
    const response = await patient(method, url, documentTime_ms, body);
    const text = (await bounded(response, documentLimitBytes)).toString();
    return { status: response.status, document: parsed(text) };
  };
  const asked = async (method: string, path: string, body?: unknown) => {
    const answer = await ask(method, path, body);
    if (answer.status < 300) return answer;
    const errors = (answer.document as { errors?: RemoteFault[] } | undefined)?.errors ?? [];
    const problems = errors.map(({ title, detail }) => detail ?? title ?? '');
    const pointers = errors.flatMap(({ source }) => source?.pointer ?? []);
    throw new RemoteError(`${method} ${path.replace(/\?.*/, '')}`, answer.status, problems, pointers);
  };
  const orNothing = (error: unknown) => {
    if (error instanceof RemoteError && error.status === 404) return undefined;
    throw error;
  };
  const pages = async function* (path: string) {
    const separator = path.includes('?') ? '&' : '?';
    for (let page: number | null | undefined = 1; page; ) {
      const query: string = `${separator}page%5Bnumber%5D=${page}&page%5Bsize%5D=100`;
      const answer: Answer | undefined = await asked('GET', path + query).catch(orNothing);
      if (!answer?.document) return;
      const pagination = answer.document.meta?.pagination;
      const records = (answer.document.data ?? []) as Resource[];
      yield { records, total: pagination?.['total-count'] ?? records.length };
      const next = pagination?.['next-page'];
      // A server that names the same page for ever would be read for ever.
      page = next && next > page ? next : null;
    }
  };
  return {
    ask,
    pages,
    find: async path => (await asked('GET', path).catch(orNothing))?.document?.data as Resource | undefined,
    list: async path => {
      const all: Resource[] = [];
      for await (const { records } of pages(path)) all.push(...records);
      return all;
    },
    send: async (method, path, body) => (await asked(method, path, body)).document?.data as Resource | undefined,
  };
}

function downloads(patient: Patient): Server['download'] {
  return async (url, limitBytes) => {
    const response = await patient('GET', url, contentTime_ms);
    if (response.ok) return bounded(response, limitBytes);
    await response.body?.cancel();
    throw new RemoteError(`GET ${new URL(url).pathname}`, response.status, []);
  };
}

async function bounded(response: Response, limitBytes: number): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    size += part.length;
    if (size > limitBytes)
      throw new CommandError(`${new URL(response.url).pathname} is longer than ${limitBytes} bytes.`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function parsed(text: string): Answer['document'] {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

function reasonOf(error: Error): string {
  const cause = error.cause as NodeJS.ErrnoException | undefined;
  return cause?.code ?? cause?.message ?? error.message;
}
