/** Ids that a body gives for the record it makes: for imports, so that what names the id elsewhere goes on to work. */
import type { Actor } from '../access/actor.ts';
import { ApiError, faultAt } from '../errors.ts';
import { type IdPrefix, isId, newId } from '../store/ids.ts';

/**
 * The one that the body of a site administrator gives, else a new one: anybody else's is passed over, as in every other
 * body. Throws `invalid-id`; a taken one is refused by the primary key.
 */
export function idFor(prefix: IdPrefix, { actor, body }: { actor: Actor; body: { id: string | null } }): string {
  if (body.id === null || !actor.isSiteAdmin) return newId(prefix);
  if (isId(prefix, body.id)) return body.id;
  throw new ApiError([faultAt('invalid-id', '/data/id', { prefix })]);
}
