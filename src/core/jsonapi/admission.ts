/** Who is let in: the subject of a request and its caller, found together, and why somebody is refused. */

import type { Actor, Callers, Credential } from '../access/actor.ts';
import { ApiError, type ErrorName } from '../errors.ts';
import type { Lock, Sql } from '../store/store.ts';
import type { AnyEndpoint } from './endpoint.ts';
import { columnValue } from './fields.ts';
import { noProof, type Params, type Proof, type Requirement, type Subject } from './records.ts';

/** What of a request says who asks for what. */
export interface Entering {
  /** Null for a visitor. */
  credential: Credential | null;
  /** Who this process takes the caller for. */
  actor: Actor;
  params: Params;
}

/** Where and how a subject is looked for. */
export interface Door {
  sql: Sql;
  lock: Lock;
  /** Whether the caller was read a moment ago, so that nobody needs to ask again who it is. */
  isProven: boolean;
}

/** The subject and its caller, both as they are at one moment. Throws where the caller may not do that with it. */
export async function admit(
  one: AnyEndpoint,
  asked: Entering,
  callers: Callers,
  { sql, lock, isProven }: Door,
): Promise<{ actor: Actor; subject: Subject<string> }> {
  const look = (actor: Actor, proof: Proof) => one.subject.find({ sql, actor, lock, proof }, asked.params);
  const { credential } = asked;
  const asking = isProven || !credential ? null : proofOf(sql, credential, asked.actor, callers);
  let { actor } = asked;
  let subject = await look(actor, asking ?? noProof);
  if (asking && (await asking.stamp()) !== actor.stamp) {
    const now = await callers.read(sql, credential!);
    if (!now) throw new ApiError(credential!.kind === 'address' ? 'address-ended' : 'unauthorized');
    actor = now;
    subject = await look(actor, noProof);
  }
  const refusal = refusalTo(one.needs, subject);
  if (refusal !== null) throw new ApiError(await reasonFor(one, refusal, actor, asked, sql));
  return { actor, subject: subject! };
}

/**
 * As `admit`, where a second look in a transaction proves who the caller is and what it may do: here it is enough that this process knew
 * both. Whoever would be refused is asked for at once.
 */
export async function admitForNow(
  one: AnyEndpoint,
  asked: Entering,
  callers: Callers,
  sql: Sql,
): Promise<{ actor: Actor; subject: Subject<string> }> {
  const { actor, params } = asked;
  const isLetIn = (subject: Subject<string> | undefined) => refusalTo(one.needs, subject) === null;
  const known = one.subject.recall?.({ sql, actor }, params);
  if (isLetIn(known)) return { actor, subject: known! };
  const subject = await one.subject.find({ sql, actor, lock: null, proof: noProof }, params);
  if (isLetIn(subject)) return { actor, subject: subject! };
  return admit(one, asked, callers, { sql, lock: null, isProven: false });
}

/** The proof, and the caller's stamp that it gave. Where the finder found no row, the stamp is asked for by itself. */
function proofOf(
  sql: Sql,
  credential: Credential,
  actor: Actor,
  callers: Callers,
): Proof & { stamp: () => Promise<string | null> } {
  const stamp = callers.proof(sql, credential, actor);
  let seen: string | null | undefined;
  return {
    column: sql`, ${stamp} as caller_stamp`,
    of: row => {
      seen = row && (columnValue(row, 'caller_stamp') as string | null);
    },
    stamp: async () => {
      if (seen !== undefined) return seen;
      const [now] = await sql<{ caller_stamp: string | null }[]>`select ${stamp} as caller_stamp`;
      return now!.caller_stamp;
    },
  };
}

/** How the caller is refused; null where it is let in. */
export function refusalTo({ anyOf, refusal }: Requirement, subject: Subject<string> | undefined): ErrorName | null {
  if (subject && (subject.powers & anyOf) !== 0) return null;
  if (subject && refusal && (subject.powers & refusal.toThoseWith) !== 0) return refusal.name;
  return 'not-found';
}

/** Whoever would be let in, had they signed in as the organization wants it, is told so instead of 404. */
async function reasonFor(
  one: AnyEndpoint,
  refusal: ErrorName,
  actor: Actor,
  { params }: Entering,
  sql: Sql,
): Promise<ErrorName> {
  if (refusal !== 'not-found') return refusal;
  for (const withheld of actor.withheld) {
    const known = await one.subject.find({ sql, actor: withheld.actor, lock: null, proof: noProof }, params);
    if (refusalTo(one.needs, known) !== 'not-found') return withheld.refusal;
  }
  return refusal;
}
