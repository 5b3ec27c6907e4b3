/** §5.6 Issuing: the row of a new token, and its secret text for this one answer. */
import type { Actor } from '../../core/access/actor.ts';
import type { Config } from '../../core/config.ts';
import { attributeFault, type Fault } from '../../core/errors.ts';
import { documentBody } from '../../core/jsonapi/body.ts';
import { newId } from '../../core/store/ids.ts';
import { row, type Sql } from '../../core/store/store.ts';
import { defaultExpiry, newToken, tokenHash } from './secret.ts';
import { type Token, type TokenKind, tokenRecords, tokens } from './token.ts';

/** What a body may say about a new token. */
export interface Wishes {
  description?: string | null;
  'expired-at'?: string | null;
  /** How long it may live at most; nothing for a token that no organization limits when it is made. */
  longest_ms?: number | null;
}

export const describedTokenBody = documentBody(tokens, { typeIsOptional: true, required: ['description'] });

const anyTokenBody = documentBody(tokens, { typeIsOptional: true });

/** Old clients post nothing at all: a token that nothing is wished for. */
export const tokenBody: typeof anyTokenBody = {
  schema: anyTokenBody.schema,
  parse: (json, deployment) => anyTokenBody.parse(json === undefined ? { data: {} } : json, deployment),
};

/** A date that has passed would make a token that nobody can use; one past the longest life, a token that dies before it. */
export function expiryFaults(
  expiry: string | null | undefined,
  longest_ms: number | null = null,
  now = new Date(),
): Fault[] {
  if (expiry === undefined) return [];
  // What is no time is not in the future either.
  if (expiry !== null && !(new Date(expiry) > now)) {
    return [attributeFault('expired-at', 'Expired at must be in the future')];
  }
  if (longest_ms === null) return [];
  const latest = lastMoment(longest_ms, now);
  if (expiry !== null && new Date(expiry) <= latest) return [];
  const reason = `Expired at must be at ${latest.toISOString()} or before: the organization limits the life of its tokens`;
  return [attributeFault('expired-at', reason)];
}

/** Undefined takes the installation's default, or the longest life that the organization allows; null never expires. */
export function settleExpiry(
  expiry: string | null | undefined,
  ttlDays: number | undefined,
  longest_ms: number | null = null,
  now = new Date(),
): string | null {
  if (expiry === null) return null;
  if (expiry !== undefined) return new Date(expiry).toISOString();
  const usual = defaultExpiry(ttlDays, now);
  if (longest_ms === null) return usual;
  const latest = lastMoment(longest_ms, now).toISOString();
  return usual === null || latest < usual ? latest : usual;
}

const lastMoment = (longest_ms: number, now: Date) => new Date(now.getTime() + longest_ms);

/** Inserts a token of the holder (columns of its row) and returns it with its secret text. */
export async function issueToken(
  sql: Sql,
  actor: Actor,
  config: Config,
  holder: { kind: TokenKind; user_id: string; team_id?: string; organization_id?: string; agent_pool_id?: string },
  wishes: Wishes,
): Promise<Token> {
  const id = newId('at');
  const secret = newToken();
  await sql`
    insert into tokens ${row(sql, {
      id,
      ...holder,
      hash: tokenHash(config.tokenPepper ?? '', secret),
      description: wishes.description ?? null,
      expired_at: settleExpiry(wishes['expired-at'], config.tokenTtlDays, wishes.longest_ms),
      ...creatorOf(actor),
    })}`;
  const [token] = await tokenRecords.read(sql, actor, sql`tokens.id = ${id}`);
  return { ...token!, token: secret };
}

/** Exactly one of a user, a team and an organization. */
function creatorOf(actor: Actor): { created_by_type: string; created_by_id: string } {
  switch (actor.kind) {
    case 'user':
      return { created_by_type: 'users', created_by_id: actor.userId };
    case 'team':
      return { created_by_type: 'teams', created_by_id: actor.teamId! };
    // A run's token calls nothing that issues one.
    case 'run':
    case 'organization':
    case 'audit-trails':
      return { created_by_type: 'organizations', created_by_id: actor.organizationId! };
    case 'visitor':
      throw new Error('a visitor makes no tokens');
  }
}
