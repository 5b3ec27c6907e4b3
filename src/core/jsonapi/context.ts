/** What of a request, and of the server, the parts of an endpoint have in their hands. */
import type { Actor, Callers } from '../access/actor.ts';
import type { Change } from '../audit/change.ts';
import type { Config } from '../config.ts';
import { ApiError, type Fault } from '../errors.ts';
import type { Fragment, Sql, Store } from '../store/store.ts';
import type { Turns } from '../store/turns.ts';
import type { Entering } from './admission.ts';
import type { Afterwork, AnyEndpoint, Collection, CommandLine, Context, GivenSession } from './endpoint.ts';
import type { Deployment, Row } from './fields.ts';
import type { Registry } from './include.ts';
import type { Incoming } from './incoming.ts';
import type { Page } from './page.ts';
import type { Subject } from './records.ts';

// biome-ignore lint/suspicious/noExplicitAny: what an endpoint of the table takes is known to itself alone.
export type AnyContext = Context<any, any, any, any>;

/** What every decision needs, handed in once. */
export interface Services {
  config: Config;
  deployment: Deployment;
  store: Store;
  callers: Callers;
  /** The statement that records a change. */
  event: (sql: Sql, change: Change) => Fragment;
  turns: Turns;
  registry: Registry;
}

/** A request, read as far as it can be before anybody is asked. */
export interface Asked extends Entering {
  id: string;
  remoteAddress: string;
  userAgent: string | null;
  /** Whether `actor` was read for this request, and not remembered from another one. */
  isCertain: boolean;
  query: unknown;
  page: Page;
  commandLine: CommandLine | null;
  /** A body that is at hand; empty where there is none, or where the endpoint receives it itself. */
  body: Buffer;
  incoming: Incoming | null;
  /** Of a change that is meant for a record as somebody read it. */
  precondition: Precondition | null;
}

export interface Precondition {
  /** What `If-Match` says. */
  ifMatch: string;
  /** What it may name: the record or the whole list at the same address, and the record whose that list is. */
  shownBy: readonly AnyEndpoint[];
}

export interface Decision {
  /** Who the caller was found to be. */
  actor: Actor;
  subject: Subject<string>;
  answer: Row | Collection | string | unknown;
  /** The session that the caller got; null where it was taken away. */
  session?: GivenSession | null | undefined;
  /** What is left to do once the answer is on its way. */
  afterwards: readonly Afterwork[];
}

export function contextOf(
  one: AnyEndpoint,
  { actor, subject, params, query, page, commandLine, remoteAddress, userAgent }: Asked & { subject: Subject<string> },
  { store, config, deployment }: Services,
  sql: Sql,
): AnyContext {
  const faults: Fault[] = [];
  const changeNothing = () => {
    throw new Error(`${one.operation} reads: there is no event to add to, and no session to give.`);
  };
  const received = undefined;
  return {
    actor,
    subject,
    body: undefined,
    received,
    faults,
    params,
    query,
    page,
    commandLine,
    remoteAddress,
    userAgent,
    sql,
    store,
    config,
    deployment,
    note: changeNothing,
    alsoIn: changeNothing,
    giveSession: changeNothing,
    afterwards: changeNothing,
  };
}

/** Runs the rules, and throws all that is wrong with the body. Text that was left out needs no second complaint that it is missing. */
export async function runChecks(one: AnyEndpoint, context: AnyContext, unreadable: readonly Fault[]): Promise<unknown> {
  const checked = await one.check?.(context);
  const pointers = new Set(unreadable.map(({ source }) => source && 'pointer' in source && source.pointer));
  const others = context.faults.filter(
    ({ source }) => !source || !('pointer' in source) || !pointers.has(source.pointer),
  );
  const every = [...unreadable, ...others];
  if (every.length > 0) throw new ApiError(every);
  return checked;
}
