/**
 * What becomes of a request once it has been received: its subject is found and its caller let in, its body is judged, its
 * handler does the work, and the change is recorded. Nothing here knows HTTP.
 */
import type { RunScope } from '../access/actor.ts';
import { ApiError } from '../errors.ts';
import type { Store } from '../store/store.ts';
import { admit, admitForNow } from './admission.ts';
import { change } from './change.ts';
import { type Asked, contextOf, type Decision, runChecks, type Services } from './context.ts';
import type { AnyEndpoint, Collection, Prelude } from './endpoint.ts';
import { readJson } from './guard.ts';
import { namesIn } from './named-subject.ts';
import type { Subject } from './records.ts';

export async function decide(one: AnyEndpoint, asked: Asked, services: Services): Promise<Decision> {
  const { store } = services;
  if (asked.actor.run && !isOpenTo(asked.actor.run, one)) throw new ApiError(one.refusesRuns ?? 'not-found');
  // Nothing is spent on a request before its caller is known to be allowed: no row held, no connection for writes, no body.
  // Of a short change it is enough that this process knew who the caller is: what holds the row asks once more.
  const request = { ...asked, params: { ...asked.params, ...namesIn(one, asked, services.deployment) } };
  const first = isProvenLater(one, asked)
    ? await admitForNow(one, request, services.callers, store.read)
    : await admit(one, request, services.callers, { sql: store.read, lock: null, isProven: asked.isCertain });
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
    // Whoever waited for somebody else's change knows that the record is not as it was.
    const write = (hasWaited: boolean) =>
      change(one, known, services, { taken, prepared }, one.goesAhead && !hasWaited ? first.subject : null);
    // Those who only need the row to stay do not wait for each other.
    return await (one.holds === undefined ? services.turns.take(first.subject.id, write) : write(false));
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

/** Whether nothing is spent before the transaction, which asks again who the caller is. */
const isProvenLater = ({ method, receives, prepare }: AnyEndpoint, { isCertain }: Asked) =>
  method !== 'GET' && !receives && !prepare && !isCertain;

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
