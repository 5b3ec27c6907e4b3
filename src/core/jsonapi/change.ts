/** How a change is made: one transaction for it and its audit event, on a record that is held. */
import { isDeepStrictEqual } from 'node:util';
import type { Actor } from '../access/actor.ts';
import type { Sql } from '../store/store.ts';
import { admit } from './admission.ts';
import { type AnyContext, type Asked, contextOf, type Decision, runChecks, type Services } from './context.ts';
import type { Afterwork, AnyEndpoint, GivenSession, Taken } from './endpoint.ts';
import { columnValue, type Row } from './fields.ts';
import { readJson } from './guard.ts';
import { requireMeant } from './precondition.ts';
import { noProof, type Subject } from './records.ts';

interface Given {
  taken: Taken<unknown, unknown> | undefined;
  prepared: unknown;
}

/** The record that is held is not the one that was read before. */
class Outdated extends Error {}

/** One transaction for the change and its audit event, on a row that is held; `expected` is what is likely to be held. */
export async function change(
  one: AnyEndpoint,
  known: Asked,
  services: Services,
  given: Given,
  expected: Subject<string> | null,
): Promise<Decision> {
  const lock = one.holds === undefined ? 'update' : one.holds;
  try {
    return await services.store.transaction(async sql => {
      const held = admit(one, known, services.callers, { sql, lock, isProven: false });
      if (!expected) return await carryOut(one, { ...known, ...(await held) }, services, sql, given);
      // Its statements come behind the one that holds the row, and nothing is committed before that has been answered.
      const outcome = carryOut(one, { ...known, subject: expected }, services, sql, given);
      outcome.catch(() => undefined);
      const { actor, subject } = await held;
      if (actor !== known.actor || !isSame(expected, subject)) throw new Outdated();
      return await outcome;
    });
  } catch (error) {
    if (error instanceof Outdated) return change(one, known, services, given, null);
    throw error;
  }
}

const isSame = (expected: Row, found: Row) =>
  expected === found ||
  Object.entries(expected).every(([name, value]) => isDeepStrictEqual(value, columnValue(found, name)));

/** The change itself: the rules, the writes, the answer and the event. */
async function carryOut(
  one: AnyEndpoint,
  known: Asked & { subject: Subject<string> },
  services: Services,
  sql: Sql,
  { taken, prepared }: Given,
): Promise<Decision> {
  const { actor, subject } = known;
  if (known.precondition) await requireMeant(known.precondition, known, services, sql);
  const read = readJson(taken ? taken.rest : known.body);
  const { value, faults } = one.body?.parse(read.json, services.deployment) ?? { value: undefined, faults: [] };
  const notes: Record<string, unknown> = {};
  const alsoIn: string[] = [];
  let session: GivenSession | null | undefined;
  const afterwards: Afterwork[] = [];
  const context: AnyContext = {
    ...contextOf(one, known, services, sql),
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
}

/** Who a visitor turned out to be. */
function signedIn(actor: Actor, { id, userId, username }: GivenSession): Actor {
  return { ...actor, kind: 'user', userId, username, tokenId: id, sessionId: id };
}

/** The record that the handler made or changed, as it is now. */
async function answered(
  { answer, operation }: AnyEndpoint,
  { sql, actor, params, subject }: AnyContext,
  reply: unknown,
): Promise<unknown> {
  const finder = 'document' in answer ? answer.reads : undefined;
  if (!finder || typeof reply === 'object') return reply;
  const named = { ...params, [finder.parameter]: (reply as string | undefined) ?? subject.id };
  const found = await finder.find({ sql, actor, lock: null, proof: noProof }, named);
  if (!found) throw new Error(`${operation} answers with a record that its caller does not see.`);
  return found;
}
