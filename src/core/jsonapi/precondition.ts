/** `If-Match`: a change that is meant for a record as somebody read it. */
import { ApiError, unlessMissing } from '../errors.ts';
import type { Sql } from '../store/store.ts';
import { refusalTo } from './admission.ts';
import { type Asked, contextOf, type Precondition, runChecks, type Services } from './context.ts';
import type { AnyEndpoint, Collection } from './endpoint.ts';
import { isMeant, listDigest } from './entity-tag.ts';
import type { Gathered, Row } from './fields.ts';
import { readQuery } from './query.ts';
import { noProof, type Subject } from './records.ts';
import type { Resource } from './resource.ts';

const nothing: Gathered = new Map();

/** Throws where nothing is shown as the caller read it. The record is held: what is shown now is what would be changed. */
export async function requireMeant(
  { ifMatch, shownBy }: Precondition,
  asked: Asked & { subject: Subject<string> },
  services: Services,
  sql: Sql,
): Promise<void> {
  if (shownBy.length === 0) throw new ApiError('precondition-unknown', undefined, ofIfMatch);
  for (const one of shownBy) {
    const digest = await digestShownBy(one, asked, services, sql);
    if (digest !== null && isMeant(ifMatch, digest)) return;
  }
  throw new ApiError('precondition-failed', undefined, ofIfMatch);
}

const ofIfMatch = { header: 'If-Match' };

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
