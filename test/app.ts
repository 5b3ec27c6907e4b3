/** The real app on a database of its own. Every answer is validated against the project's own OpenAPI description. */
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll } from 'vitest';
import { type Config, loadConfig } from '../src/core/config.ts';
import { openStore, type Store } from '../src/core/store/store.ts';
import { buildApp } from '../src/http/app.ts';
import { validateAnswer } from './nets/validate.ts';
import { createDatabase, type TestDatabase } from './running/database.ts';

export const mediaType = 'application/vnd.api+json';
export const pepper = 'a pepper for tests only';

// biome-ignore lint/suspicious/noExplicitAny: tests read documents of every shape.
export type Document = any;

export interface Answer {
  status: number;
  headers: Record<string, string>;
  /** The parsed document; undefined without a body. */
  document: Document;
  /** `document.data`, for short. */
  data: Document;
  /** `detail` (or `title`) of every error. */
  problems: string[];
  /** `source.pointer` or `source.parameter` of every error. */
  pointers: string[];
  text: string;
}

export interface Ask {
  /** A token, or a session as `session <secret>`. */
  token?: string | null;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent as it is. */
  raw?: string | Buffer;
  headers?: Record<string, string>;
}

export interface TestApp {
  app: FastifyInstance;
  store: Store;
  config: Config;
  /** The statements sent to PostgreSQL while `work` ran. Where it returns answers, none of them may be a refusal. */
  statementsOf: (work: () => Promise<unknown>) => Promise<string[]>;
  /** As many, with those that begin and end transactions, in how many writes: what is sent in one turn of the loop travels together. */
  tripsOf: (work: () => Promise<unknown>) => Promise<{ statements: number; trips: number }>;
  call: (method: string, path: string, ask?: Ask) => Promise<Answer>;
  get: (path: string, token: string | null) => Promise<Answer>;
  post: (path: string, token: string | null, body?: unknown) => Promise<Answer>;
  patch: (path: string, token: string | null, body?: unknown) => Promise<Answer>;
  delete: (path: string, token: string | null, body?: unknown) => Promise<Answer>;
  close: () => Promise<void>;
}

/** Opens an app on a fresh database. `environment` is what an operator would set. */
export async function openApp(environment: Record<string, string> = {}): Promise<TestApp> {
  const database = await createDatabase();
  const app = await openAppOn(database, environment);
  const close = async () => {
    await app.close();
    await database.drop();
  };
  return { ...app, close };
}

/** A server of its own on a database that others may use too. */
export async function openAppOn(database: TestDatabase, environment: Record<string, string> = {}): Promise<TestApp> {
  const statements: string[] = [];
  let [trips, isUnderWay] = [0, false];
  const onStatement = (text: string) => {
    // The times of use of tokens and sessions are written every few seconds, whoever asks.
    if (/^\s*with uses as/i.test(text)) return;
    statements.push(text);
    if (isUnderWay) return;
    [trips, isUnderWay] = [trips + 1, true];
    setImmediate(() => {
      isUnderWay = false;
    });
  };
  const store = openStore(database.connection, { connections: 5, onStatement });
  const config = loadConfig({
    TERRANE_TOKEN_PEPPER: pepper,
    TERRANE_LOG_LEVEL: 'error',
    // Thousands of tests are refused something.
    TERRANE_REFUSAL_MS: '0',
    ...environment,
  }).config;
  const app = buildApp(config, store);
  await app.ready();
  const call = async (method: string, path: string, ask: Ask = {}): Promise<Answer> => {
    const payload = ask.raw ?? (ask.body === undefined ? undefined : JSON.stringify(ask.body));
    const response = await app.inject({
      method: method as 'GET',
      url: path.startsWith('/') ? path : `/api/v2/${path}`,
      headers: {
        ...shown(ask.token),
        ...(method !== 'GET' && { 'content-type': mediaType }),
        ...ask.headers,
      },
      ...(payload !== undefined && { payload }),
    });
    return validateAnswer(config, method, path, answerOf(response));
  };
  return {
    app,
    store,
    config,
    call,
    statementsOf: async work => {
      statements.length = 0;
      requireAnswered(await work());
      return statements.filter(text => !/^(begin|commit|rollback)/i.test(text));
    },
    tripsOf: async work => {
      statements.length = 0;
      trips = 0;
      requireAnswered(await work());
      return { statements: statements.length, trips };
    },
    get: (path, token) => call('GET', path, { token }),
    post: (path, token, body) => call('POST', path, { token, body }),
    patch: (path, token, body) => call('PATCH', path, { token, body }),
    delete: (path, token, body) => call('DELETE', path, { token, body }),
    close: async () => {
      await app.close();
      await store.close();
    },
  };
}

/** What a refusal takes says nothing of what was to be counted: a test that means one expects it within `work`. */
function requireAnswered(found: unknown): void {
  for (const one of [found].flat()) {
    if (!Object.hasOwn(Object(one), 'status')) continue;
    const { status, text } = one as Answer;
    if (status >= 400) throw new Error(`What was counted was refused: ${status} ${text}`);
  }
}

/** What a program sends with a token, and a browser with a session. */
function shown(token: string | null | undefined): Record<string, string> {
  if (!token) return {};
  if (!token.startsWith('session ')) return { authorization: `Bearer ${token}` };
  return { cookie: token.replace('session ', 'terrane-session='), 'sec-fetch-site': 'same-origin' };
}

function answerOf(response: { statusCode: number; headers: object; body: string }): Answer {
  const headers = response.headers as Record<string, string>;
  const isJson = /json/.test(headers['content-type'] ?? '');
  const document = response.body !== '' && isJson ? JSON.parse(response.body) : undefined;
  const errors: Document[] = document?.errors ?? [];
  return {
    status: response.statusCode,
    headers,
    document,
    data: document?.data,
    problems: errors.map(error => error.detail ?? error.title),
    pointers: errors.map(error => error.source?.pointer ?? error.source?.parameter ?? error.source?.header),
    text: response.body,
  };
}

/** An app for the tests of one file. */
export function useApp(environment: Record<string, string> = {}): TestApp {
  const holder = {} as TestApp;
  beforeAll(async () => void Object.assign(holder, await openApp(environment)));
  afterAll(() => holder.close?.());
  return holder;
}
