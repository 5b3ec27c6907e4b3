/** An endpoint is data: where it lies, whom it is about, what it needs, takes, answers and refuses. The handler is its story. */
import type { TSchema } from 'typebox';
import type { Actor } from '../access/actor.ts';
import type { Download } from '../blobs/download.ts';
import type { Config } from '../config.ts';
import type { ErrorName, Fault } from '../errors.ts';
import type { Lock, Sql, Store } from '../store/store.ts';
import type { Body } from './body.ts';
import type { Deployment, Row, SignaturePlace } from './fields.ts';
import type { Incoming } from './incoming.ts';
import type { Page, PageSize } from './page.ts';
import type { Parameters, QueryOf } from './query.ts';
import type { Finder, Needs, Params, Subject } from './records.ts';
import type { AnyResource } from './resource.ts';

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
  /**
   * Where there is a `reads`, the handler returns an id (or nothing, for the subject's), and the record is read by it; or
   * the record itself, where the change has told what it is now.
   */
  | { status: 200 | 201; document: AnyResource; reads?: Finder<Subject<string>>; alwaysInclude?: readonly string[] }
  | {
      status: 200;
      collection: AnyResource;
      pages: 'always' | 'when-asked' | 'never' | 'uncounted';
      pageSize?: PageSize;
    }
  | { status: 200; json: TSchema }
  /** Without an address the answer is 204, where that is declared. */
  | { status: 302 | 307; redirect: true; otherwise?: 204 }
  /** Bytes as they are, of this media type. */
  | { status: 200; content: string }
  | { status: 200 | 202 | 204 };

// biome-ignore lint/suspicious/noConfusingVoidType: a handler without an answer returns nothing.
type Nothing = void;

/** What the handler of an answer returns. */
export type Reply<Answered extends Answer> = Answered extends { reads: object }
  ? string | Row | Nothing
  : Answered extends { document: AnyResource }
    ? Row
    : Answered extends { collection: AnyResource }
      ? Collection
      : Answered extends { json: TSchema }
        ? unknown
        : Answered extends { redirect: true }
          ? // The address.
            Answered extends { otherwise: 204 }
            ? string | Nothing
            : string
          : Answered extends { content: string }
            ? Download
            : Nothing;

/** The `cloud` block renders what engines say in JSON, and the older backend `remote` prints every line as it is. */
export type CommandLine = 'cloud' | 'remote';

/** What a handler has in its hands: who asks for what, the subject found for it, and the doors to the store. */
export interface Context<Found, Value = undefined, Query = Record<never, never>, Received = undefined> {
  actor: Actor;
  subject: Found;
  body: Value;
  /** What `receives` made of a long body, or `prepare` of a short one. */
  received: Received;
  /** Faults of the body so far, in `check`; empty by the time `handle` runs. */
  faults: Fault[];
  params: Params;
  query: Query;
  page: Page;
  /** The backend of a command line that asks; null where something else does. */
  commandLine: CommandLine | null;
  /** Where the request came from, and the program that it says it is; null when it does not say. */
  remoteAddress: string;
  userAgent: string | null;
  /** Inside a write: the transaction. Inside a read: the door for statements by id and by page. */
  sql: Sql;
  store: Store;
  config: Config;
  deployment: Deployment;
  /** Adds to the audit event of this write: what a diff of the subject's columns would not show. */
  note: (changes: Record<string, unknown>) => void;
  /** Writes the event of this write into the audit of these organizations, too. */
  alsoIn: (organizationIds: readonly string[]) => void;
  /** What else is done once the change holds and the answer is out, with a store in whose queues no caller waits. Failures are logged. */
  afterwards: (work: Afterwork) => void;
  /** Gives the caller a session to be known by from now on, or takes it away. */
  giveSession: (session: GivenSession | null) => void;
}

export type Afterwork = (store: Store) => Promise<void>;

/** A session that an answer hands over, with the account that it stands for. */
export interface GivenSession {
  id: string;
  secret: string;
  endsAt: Date;
  userId: string;
  username: string;
}

/** What is at hand before the transaction of a write begins. */
export type Prelude<Found, Value> = Pick<
  Context<Found, Value>,
  'actor' | 'subject' | 'body' | 'params' | 'remoteAddress' | 'userAgent' | 'store' | 'config' | 'deployment'
> & {
  /** Records a refusal, which no transaction does. */
  recordRefusal: (operation: string, subjectId: string, notes?: Record<string, unknown>) => Promise<void>;
};

/** A long body, taken in after the caller was let in and before the transaction begins. */
export interface Receiver<Found, Value, Received> {
  /** Of the whole body. */
  limitBytes: (config: Config) => number;
  take: (
    incoming: Incoming,
    context: Pick<Context<Found>, 'subject' | 'actor' | 'config' | 'store' | 'deployment'>,
  ) => Promise<Taken<Value, Received>>;
  /** Undoes that where the request is refused after all. */
  discard?: (received: Received, context: Pick<Context<Found>, 'config' | 'store'>) => Promise<void>;
}

export interface Taken<Value, Received> {
  /** The body without what is long in it, as JSON. */
  rest: Buffer;
  received: Received;
  /** Never read: ties the receiver to the body that it leaves. */
  value?: Value;
}

/** By a query parameter, or by a relationship of the body: its value becomes the path parameter that the finder looks for. */
export type Named = { byQuery: Readonly<Record<string, string>> } | { byRelationship: string; parameter: string };

/** How a list of what happens can be followed: waited for, and streamed. */
export interface Follows<Query = never> {
  /** For which the query asks to wait. */
  seconds: (query: Query) => number;
  /** Where an answer ends. */
  cursor: (answer: Collection) => string;
  /** Reads the cursor that a caller says; throws `invalid-parameter`. */
  readCursor: (text: string) => string;
  /** The same query, behind the cursor. */
  at: (query: Query, cursor: string) => unknown;
  isEmpty: (answer: Collection) => boolean;
  /** Resolves when there may be something behind the cursor, the time is over, or the signal says so. */
  news: (waiting: {
    store: Store;
    subject: Row;
    cursor: string;
    timeout_ms: number;
    signal: AbortSignal;
  }) => Promise<void>;
}

export interface Endpoint<
  Found extends Subject<string> = Subject<string>,
  Value = unknown,
  Answered extends Answer = Answer,
  Checked = unknown,
  Declared extends Parameters = Parameters,
  Received = unknown,
> {
  /** `workspaces.lock`: the OpenAPI operation, the audit action and the row of the access matrix. */
  operation: string;
  section: string;
  summary: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Relative to `/api/v2`, unless they are signed; the same endpoint may be reached by id and by name. */
  paths: readonly [string, ...string[]];
  /** Where the signature stands: such an endpoint lies beside the API, and its address is all that its callers show. */
  signed?: SignaturePlace;
  subject: Finder<Found>;
  /** Where the request names the subject, if not in its path. */
  named?: Named;
  needs: Needs<Found>;
  /** Whether callers need to show nothing: what they show is not even looked at. */
  isOpen?: true;
  /** `key share` for creations inside the subject, so that they do not queue for its row. */
  holds?: Lock;
  /**
   * Whether its rules and what it writes travel with the statement that holds the subject, on the strength of what was read
   * of it a moment ago. Where that has changed, all of it is done again. For rules that ask through `sql` alone.
   */
  goesAhead?: true;
  query?: Declared;
  include?: readonly string[];
  body?: Body<Value>;
  receives?: Receiver<Found, Value, Received>;
  /** What takes long and needs no transaction, such as the hash of a password. `handle` finds its value in `received`. */
  prepare?: (prelude: Prelude<Found, Value>) => Promise<Received>;
  answer: Answered;
  /** What shows its record, where that is neither this address nor the one that it stands under. */
  shownAt?: string;
  /** Whether a run's own token may call it: what an engine needs, and nothing else. */
  isForRuns?: true;
  /** What a run's own token is told where that says more than `not-found`, whatever the request names. */
  refusesRuns?: ErrorName;
  /** The same for the token of a run task that was asked. */
  isForTasks?: true;
  /** Whether callers wait for a while where the database is away: they would give up before those of other endpoints do. */
  isPatient?: true;
  /** Whether callers ask again and again for what is still to come: while the server cannot answer, nothing has come (204). */
  isAwaited?: true;
  /** On every answer to a caller who has signed in, refusals too. */
  headers?: Readonly<Record<string, string>>;
  errors?: readonly ErrorName[];
  when?: (deployment: Deployment) => boolean;
  /** Rules that need the subject or the database: adds to `faults`, and may hand a value to `handle`. */
  check?: (context: Context<Found, Value, QueryOf<Declared>, Received>) => Promise<Checked> | Checked;
  handle: (
    context: Context<Found, Value, QueryOf<Declared>, Received>,
    checked: Checked,
  ) => Promise<Reply<Answered>> | Reply<Answered>;
  follows?: Follows<QueryOf<Declared>>;
  /** What else happens in the transaction once the answer has been read. */
  follow?: (context: Context<Found, Value, QueryOf<Declared>, Received>) => Promise<void>;
}

// biome-ignore lint/suspicious/noExplicitAny: a table of endpoints holds all kinds of them.
export type AnyEndpoint = Endpoint<any, any, any, any, any, any>;

/** Fixes the types that the handler sees: the subject that was found, the query and the body that were read, the answer it owes. */
export function endpoint<
  Found extends Subject<string>,
  const Answered extends Answer,
  Value = undefined,
  Checked = undefined,
  const Declared extends Parameters = Record<never, never>,
  Received = undefined,
>(
  definition: Endpoint<Found, Value, Answered, Checked, Declared, Received>,
): Endpoint<Found, Value, Answered, Checked, Declared, Received> {
  return definition;
}

/** The path of an endpoint's route, from the root. */
export function routeOf({ signed }: Pick<AnyEndpoint, 'signed'>, path: string): string {
  if (!signed) return `/api/v2${path}`;
  return signed === 'in path' ? `${path}/:to/:expires/:signature` : path;
}
