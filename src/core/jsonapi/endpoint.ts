/** An endpoint is data: where it lies, whom it is about, what it needs, takes, answers and refuses. The handler is its story. */
import type { TSchema } from 'typebox';
import type { Actor } from '../access/actor.ts';
import type { Config } from '../config.ts';
import type { ErrorName, Fault } from '../errors.ts';
import type { Lock, Sql, Store } from '../store/store.ts';
import type { Body } from './body.ts';
import type { Deployment, Row } from './fields.ts';
import type { LongTexts } from './guard.ts';
import type { Page, RawQuery } from './page.ts';
import type { AnyResource } from './resource.ts';

export type Params = Readonly<Record<string, string>>;

/** A record together with what the caller may do with it, as bits. */
export type Subject = Row & { powers: number };

/** The only way to get hold of a record: it is found together with the caller's powers on it, in one statement. */
export interface Finder<Found extends Subject = Subject> {
  find: (sql: Sql, actor: Actor, params: Params, lock: Lock) => Promise<Found | undefined>;
}

/** One action of the policy table: the powers it takes (any one bit of `anyOf`), and how a refusal looks. */
export interface Requirement {
  action: string;
  anyOf: number;
  /** What someone is told who may read the subject; everyone else gets 404 (§5.5). */
  refusal?: { name: ErrorName; toThoseWith: number };
}

export interface Collection {
  rows: readonly Row[];
  /** Of a list whose records are counted. */
  total: number;
  /** Of a list whose records are not counted: whether another page follows. */
  hasMore?: boolean;
  /** Further members of `meta`. */
  meta?: Record<string, unknown>;
  /** Of a list without pages. */
  links?: Record<string, string>;
}

export type Answer =
  | { status: 200 | 201; document: AnyResource; alwaysInclude?: readonly string[] }
  | { status: 200; collection: AnyResource; pages: 'always' | 'when-asked' | 'never' | 'uncounted' }
  | { status: 200; json: TSchema }
  | { status: 302 | 307; redirect: true }
  | { status: 202 | 204 };

/** What the handler of an answer returns. */
export type Reply<Answered extends Answer> = Answered extends { document: AnyResource }
  ? Row
  : Answered extends { collection: AnyResource }
    ? Collection
    : Answered extends { json: TSchema }
      ? unknown
      : Answered extends { redirect: true }
        ? // The address.
          string
        : // biome-ignore lint/suspicious/noConfusingVoidType: a handler without an answer returns nothing.
          void;

export interface Context<Found, Value> {
  actor: Actor;
  subject: Found;
  body: Value;
  /** Faults of the body so far, in `check`; empty by the time `handle` runs. */
  faults: Fault[];
  /** Of a body that may be larger than others: what its long texts are, by the placeholders that stand for them. */
  longTexts: LongTexts;
  params: Params;
  query: RawQuery;
  page: Page;
  /** What the calling program says that it is, in `x-terraform-integration`; null when it does not say. */
  integration: string | null;
  /** Inside a write: the transaction. Inside a read: the door for statements by id and by page. */
  sql: Sql;
  store: Store;
  config: Config;
  deployment: Deployment;
  /** Adds to the audit event of this write: what a diff of the subject's columns would not show. */
  note: (changes: Record<string, unknown>) => void;
}

export interface Endpoint<
  Found extends Subject = Subject,
  Value = unknown,
  Answered extends Answer = Answer,
  Checked = unknown,
> {
  /** `workspaces.lock`: the OpenAPI operation, the audit action and the row of the access matrix. */
  operation: string;
  section: string;
  summary: string;
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Relative to `/api/v2`; the same endpoint may be reached by id and by name. */
  paths: readonly [string, ...string[]];
  subject: Finder<Found>;
  needs: Requirement;
  /** `key share` for creations inside the subject, so that they do not queue for its row. */
  holds?: Lock;
  query?: Readonly<Record<string, string>>;
  include?: readonly string[];
  body?: Body<Value>;
  /** Where bodies may be larger than all others, by texts that are long. */
  bodyLimitBytes?: (config: Config) => number;
  answer: Answered;
  /** On every answer but a refusal. */
  headers?: Readonly<Record<string, string>>;
  errors?: readonly ErrorName[];
  when?: (deployment: Deployment) => boolean;
  /** Rules that need the subject or the database: adds to `faults`, and may hand a value to `handle`. */
  check?: (context: Context<Found, Value>) => Promise<Checked> | Checked;
  handle: (context: Context<Found, Value>, checked: Checked) => Promise<Reply<Answered>> | Reply<Answered>;
}

// biome-ignore lint/suspicious/noExplicitAny: a table of endpoints holds all kinds of them.
export type AnyEndpoint = Endpoint<any, any, any, any>;

/** Fixes the types that the handler sees: the subject that was found, the body that was parsed, the answer it owes. */
export function endpoint<Found extends Subject, const Answered extends Answer, Value = undefined, Checked = undefined>(
  definition: Endpoint<Found, Value, Answered, Checked>,
): Endpoint<Found, Value, Answered, Checked> {
  return definition;
}
