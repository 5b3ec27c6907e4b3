/**
 * What becomes of a request once it has been received: its subject is found and its caller let in, its body is judged, its
 * handler does the work, and the change is recorded. Nothing here knows HTTP.
 */
import type { Actor, Callers, RunScope } from '../access/actor.ts';
import type { Change } from '../audit/change.ts';
import type { Config } from '../config.ts';
import { ApiError, type Fault, unlessMissing } from '../errors.ts';
import type { Fragment, Sql, Store } from '../store/store.ts';
import type { Turns } from '../store/turns.ts';
import { admit, type Entering, refusalTo } from './admission.ts';
import type {
  Afterwork,
  AnyEndpoint,
  Collection,
  CommandLine,
  Context,
  GivenSession,
  Prelude,
  Taken,
} from './endpoint.ts';
import { isMeant, listDigest } from './entity-tag.ts';
import type { Deployment, Gathered, Row } from './fields.ts';
import { readJson } from './guard.ts';
import type { Registry } from './include.ts';
import type { Incoming } from './incoming.ts';
import { namesIn } from './named-subject.ts';
import type { Page } from './page.ts';
import { readQuery } from './query.ts';
import { noProof, type Subject } from './records.ts';
import type { Resource } from './resource.ts';

// biome-ignore lint/suspicious/noExplicitAny: what an endpoint of the table takes is known to itself alone.
type AnyContext = Context<any, any, any, any>;

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

export async function decide(one: AnyEndpoint, asked: Asked, services: Services): Promise<Decision> {
  const { store } = services;
  if (asked.actor.run && !isOpenTo(asked.actor.run, one)) throw new ApiError(one.refusesRuns ?? 'not-found');
  // Nothing is spent on a request before its caller is known to be allowed: no row held, no connection for writes, no body.
  const request = { ...asked, params: { ...asked.params, ...namesIn(one, asked, services.deployment) } };
  const first = await admit(one, request, services.callers, { sql: store.read, lock: null, isProven: asked.isCertain });
  if (one.method === 'GET') {
    const context = contextOf(one, { ...request, ...first }, services, store.read);
    const answer = await one.handle(context, await runChecks(one, context, []));
    // A record that was deleted between the two looks has taken with it what would be listed: it is missing, not empty.
    if (isEmptyList(one, answer)) await admit(one, { ...request, ...first }, services.callers, again(store));
    return { ...first, answer, afterwards: [] };
  }
  const known: Asked = { ...request, actor: first.actor };
  const taken = one.receives && (await one.receives.take(asked.incoming!, { ...first, ...services }));
  try {
    const prepared = one.prepare && (await one.prepare(preludeOf(one, known, first.subject, services)));
    const write = () => change(one, known, services, { taken, prepared });
    // Those who only need the row to stay do not wait for each other.
    return await (one.holds === undefined ? services.turns.take(first.subject.id, write) : write());
  } catch (error) {
    if (taken) await one.receives!.discard?.(taken.received, services);
    throw error;
  }
}

const again = ({ read }: Store) => ({ sql: read, lock: null, isProven: true });

const isEmptyList = ({ answer: { collection } }: AnyEndpoint & { answer: { collection?: unknown } }, answer: unknown) =>
  collection !== undefined && (answer as Collection).rows.length === 0;

const isOpenTo = ({ phase }: RunScope, one: AnyEndpoint) =>
  (phase === 'task' ? one.isForTasks : one.isForRuns) === true;

/** One transaction for the change and its audit event, on a row that is held. */
function change(
  one: AnyEndpoint,
  known: Asked,
  services: Services,
  { taken, prepared }: { taken: Taken<unknown, unknown> | undefined; prepared: unknown },
): Promise<Decision> {
  return services.store.transaction(async sql => {
    const { actor, subject } = await admit(one, known, services.callers, {
      sql,
      lock: one.holds === undefined ? 'update' : one.holds,
      isProven: false,
    });
    if (known.precondition) await requireMeant(known.precondition, { ...known, actor, subject }, services, sql);
    const read = readJson(taken ? taken.rest : known.body);
    const { value, faults } = one.body?.parse(read.json, services.deployment) ?? { value: undefined, faults: [] };
    const notes: Record<string, unknown> = {};
    const alsoIn: string[] = [];
    let session: GivenSession | null | undefined;
    const afterwards: Afterwork[] = [];
    const context: AnyContext = {
      ...contextOf(one, { ...known, actor, subject }, services, sql),
      body: value,
      received: taken ? taken.received : prepared,
      faults,
      note: changes => void Object.assign(notes, changes),
      alsoIn: organizationIds => void alsoIn.push(...organizationIds),
      afterwards: work => void afterwards.push(work),
      giveSession: given => {
        session = given;
      },
    };
    const checked = await runChecks(one, context, read.faults);
    const answer = await answered(one, context, await one.handle(context, checked));
    await one.follow?.(context);
    services
      .event(sql, {
        operation: one.operation,
        actor: actor.kind === 'visitor' && session ? signedIn(actor, session) : actor,
        subject,
        result: 'document' in one.answer ? { type: one.answer.document.type, row: answer as Row } : null,
        notes,
        alsoIn,
        requestId: known.id,
        remoteAddress: known.remoteAddress,
      })
      .send();
    return { actor, subject, answer, session, afterwards };
  });
}

/** Who a visitor turned out to be. */
function signedIn(actor: Actor, { id, userId, username }: GivenSession): Actor {
  return { ...actor, kind: 'user', userId, username, tokenId: id, sessionId: id };
}

function preludeOf(
  one: AnyEndpoint,
  asked: Asked,
  subject: Subject<string>,
  { store, config, deployment, event }: Services,
): Prelude<Subject<string>, unknown> {
  const read = readJson(asked.body);
  const { value, faults } = one.body?.parse(read.json, deployment) ?? { value: undefined, faults: [] };
  if (read.faults.length + faults.length > 0) throw new ApiError([...read.faults, ...faults]);
  const { actor, params, remoteAddress, userAgent } = asked;
  const recordRefusal = async (operation: string, subjectId: string, notes = {}) => {
    await event(store.read, {
      operation,
      actor,
      subject: { id: subjectId },
      result: null,
      notes,
      requestId: asked.id,
      remoteAddress,
    });
  };
  return { actor, subject, body: value, params, remoteAddress, userAgent, store, config, deployment, recordRefusal };
}

const nothing: Gathered = new Map();

/** Throws where nothing is shown as the caller read it. The record is held: what is shown now is what would be changed. */
async function requireMeant(
  { ifMatch, shownBy }: Precondition,
  asked: Asked & { subject: Subject<string> },
  services: Services,
  sql: Sql,
): Promise<void> {
  if (shownBy.length === 0) throw new ApiError('precondition-unknown');
  for (const one of shownBy) {
    const digest = await digestShownBy(one, asked, services, sql);
    if (digest !== null && isMeant(ifMatch, digest)) return;
  }
  throw new ApiError('precondition-failed');
}

/** Null where the caller is shown nothing. */
async function digestShownBy(
  one: AnyEndpoint,
  asked: Asked & { subject: Subject<string> },
  services: Services,
  sql: Sql,
): Promise<string | null> {
  const { actor, params } = asked;
  const subject = await one.subject.find({ sql, actor, lock: null, proof: noProof }, params);
  if (refusalTo(one.needs, subject) !== null) return null;
  const store = { ...services.store, read: sql, search: sql };
  const query = readQuery({}, one.query ?? {});
  const context = contextOf(one, { ...asked, subject: subject!, query }, { ...services, store }, sql);
  // A record that is not there yet, such as the first token of a team, is not the one that was read.
  const shown = await unlessMissing(async () => one.handle(context, await runChecks(one, context, [])));
  if (shown === null) return null;
  const { compiled } = services.registry.get(resourceOf(one).type)!;
  const digest = (row: Row) => compiled.write(row, nothing).digest;
  return 'document' in one.answer ? digest(shown as Row) : listDigest(shown as Collection, digest);
}

const resourceOf = ({ answer }: AnyEndpoint): Resource =>
  (answer as { document?: Resource }).document ?? (answer as { collection: Resource }).collection;

function contextOf(
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
async function runChecks(one: AnyEndpoint, context: AnyContext, unreadable: readonly Fault[]): Promise<unknown> {
  const checked = await one.check?.(context);
  const pointers = new Set(unreadable.map(({ source }) => source && 'pointer' in source && source.pointer));
  const others = context.faults.filter(
    ({ source }) => !source || !('pointer' in source) || !pointers.has(source.pointer),
  );
  const every = [...unreadable, ...others];
  if (every.length > 0) throw new ApiError(every);
  return checked;
}

/** The record that the handler made or changed, as it is now. */
async function answered(
  { answer, operation }: AnyEndpoint,
  { sql, actor, params, subject }: AnyContext,
  reply: unknown,
): Promise<unknown> {
  const finder = 'document' in answer ? answer.reads : undefined;
  if (!finder) return reply;
  const named = { ...params, [finder.parameter]: (reply as string | undefined) ?? subject.id };
  const found = await finder.find({ sql, actor, lock: null, proof: noProof }, named);
  if (!found) throw new Error(`${operation} answers with a record that its caller does not see.`);
  return found;
}
